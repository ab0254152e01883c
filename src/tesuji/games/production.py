"""Production management: turn money into products, and those into as much as you can of the last.

One player.  Each action costs money, uses up at most two products and makes one or two; products
are made only from those before them.  What counts in the end is how much there is of the last
product, the goal.  The problem and its five constraints are those of De Jong et al. (2005) as told
by Chaslot (2010, appendix A); selling and chance are left out, as there.

Instances are drawn by `draw_instance` and are data in the state: another seed never compiles again.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tesuji.compile import draw_below, stream
from tesuji.game import Game, Paint

MONEY = 20  # at the start, for each product
MOST = 4  # no cost and no amount is larger
FEWEST_PRODUCTS, MOST_PRODUCTS = 2, 64
SPREAD = 0x9E3779B97F4A7C15  # spreads keys that differ in few bits (Knuth: 2**64 / golden ratio)

Amounts = tuple[tuple[int, int], ...]  # products, numbered from 0, and how much of each


class Action(NamedTuple):
    """What can be bought."""

    cost: int
    inputs: Amounts
    outputs: Amounts


Instance = tuple[Action, ...]


# --- instances ------------------------------------------------------------------------------------


@cache
def draw_instance(n: int, seed: int) -> Instance:
    """Random actions for ``n`` products, those that make low products first.

    The five constraints leave open how often an action makes two products and how many it needs:
    here it makes two in one case of three, and needs one or two as soon as there are so many
    before those that it makes.  Without that the goal could often be had for money alone.
    """
    rng = stream(seed, "production", n)
    drawn = []
    for products in draw_products(rng, n):
        before = list(range(min(products)))
        needed = min(1 + draw_below(rng, 2), len(before))
        inputs = [before.pop(draw_below(rng, len(before))) for _ in range(needed)]
        drawn.append(
            Action(draw_amount(rng), with_amounts(rng, inputs), with_amounts(rng, products))
        )
    return tuple(sorted(drawn, key=lambda action: action.outputs))


def draw_products(rng: Any, n: int) -> Iterator[list[int]]:
    """What each action makes: every product is made by exactly two actions."""
    slots = [product for product in range(n) for _ in range(2)]
    while slots:
        products = [slots.pop(draw_below(rng, len(slots)))]
        others = [product for product in slots if product not in products]
        if others and draw_below(rng, 3) == 0:
            products.append(others[draw_below(rng, len(others))])
            slots.remove(products[1])
        yield sorted(products)


def draw_amount(rng: Any) -> int:
    return 1 + draw_below(rng, MOST)


def with_amounts(rng: Any, products: list[int]) -> Amounts:
    return tuple((product, draw_amount(rng)) for product in sorted(products))


@cache
def most_of_goal(n: int, instance: Instance) -> int:
    """No plan makes more of the goal: what fractions of actions could make, rounded down.

    At least 1, so that it can divide where the goal is out of reach.
    """
    from scipy.optimize import linprog  # slow to import, and only needed when a game starts

    gains = np.zeros((n, len(instance)))
    for i, action in enumerate(instance):
        for product, amount in action.inputs:
            gains[product, i] = -amount
        for product, amount in action.outputs:
            gains[product, i] = amount
    costs = [action.cost for action in instance]
    plan = linprog(
        -gains[-1],  # as much as possible of the goal
        A_ub=np.vstack([-gains, costs]),  # nothing is used that was not made, or not paid
        b_ub=[0] * n + [MONEY * n],
    )
    return max(1, int(-plan.fun + 1e-6))


# --- the rules ------------------------------------------------------------------------------------


def fields(n: int) -> np.dtype[Any]:
    """A position, and the instance in tables with one row an action.

    Unused places have the amount 0, which asks for nothing and makes nothing.
    """
    most_actions = 2 * n
    return np.dtype(
        [
            ("money", np.uint16),
            ("stock", np.uint16, n),  # how much there is of each product
            ("actions", np.uint16),
            ("bound", np.uint32),  # the amount of the goal that is worth the reward 1
            ("cost", np.uint8, most_actions),
            ("input", np.uint8, (most_actions, 2)),
            ("needs", np.uint8, (most_actions, 2)),
            ("output", np.uint8, (most_actions, 2)),
            ("makes", np.uint8, (most_actions, 2)),
        ],
        align=True,
    )


def begin(state: Any, instance: Instance) -> None:
    """Fill a record of zeros: money, no products, and the instance."""
    n = len(state.stock)
    state.money = MONEY * n
    state.actions = len(instance)
    state.bound = most_of_goal(n, instance)
    for row, action in enumerate(instance):
        state.cost[row] = action.cost
        for i, (product, amount) in enumerate(action.inputs):
            state.input[row, i], state.needs[row, i] = product, amount
        for i, (product, amount) in enumerate(action.outputs):
            state.output[row, i], state.makes[row, i] = product, amount


def possible(state: Any, action: Any) -> bool:
    """Kernel: can it be paid, and is there what it needs?"""
    return (
        state.cost[action] <= state.money
        and state.needs[action, 0] <= state.stock[state.input[action, 0]]
        and state.needs[action, 1] <= state.stock[state.input[action, 1]]
    )


def moves(state: Any, out: Any) -> int:
    n = 0
    for action in range(state.actions):
        if possible(state, action):
            out[n] = action
            n += 1
    return n


def play(state: Any, move: int) -> None:
    state.money -= state.cost[move]
    for i in range(2):
        state.stock[state.input[move, i]] -= state.needs[move, i]
        state.stock[state.output[move, i]] += state.makes[move, i]


def over(state: Any) -> bool:
    for action in range(state.actions):
        if possible(state, action):
            return False
    return True


def mover(state: Any) -> int:
    return 0


def score(state: Any) -> int:
    """How much there is of the last product, each worth 1."""
    return state.stock[len(state.stock) - 1]


def rewards(state: Any, out: Any) -> None:
    """The share of `most_of_goal`."""
    out[0] = score(state) / state.bound


def hash(state: Any) -> np.uint64:
    key = np.uint64(state.money)
    for product in range(len(state.stock)):
        key = (key ^ np.uint64(state.stock[product])) * np.uint64(SPREAD)
        key ^= key >> np.uint64(32)
    return key


# --- text -----------------------------------------------------------------------------------------


def move_text(move: int) -> str:
    return f"a{move + 1}"


def action_text(state: Any, action: int) -> str:
    inputs, outputs = (
        " + ".join(f"{amount} p{product + 1}" for product, amount in amounts if amount)
        for amounts in (
            list(zip(state.input[action], state.needs[action], strict=True)),
            list(zip(state.output[action], state.makes[action], strict=True)),
        )
    )
    paid = " + ".join(filter(None, [f"{state.cost[action]} money", inputs]))
    return f"{move_text(action)}: {paid} -> {outputs}"


def draw(state: Any, paint: Paint) -> str:
    *stock, goal = (f"p{product + 1}={amount}" for product, amount in enumerate(state.stock))
    lines = [f"money={state.money}", *stock, paint(goal, 0)]
    actions = [action_text(state, action) for action in range(state.actions)]
    return "\n".join([" ".join(lines), *actions])


def game(n: int = 8, seed: int = 0) -> Game:
    """The problem with ``n`` products and actions drawn from ``seed``."""
    if not FEWEST_PRODUCTS <= n <= MOST_PRODUCTS:
        raise ValueError(f"n must be {FEWEST_PRODUCTS} to {MOST_PRODUCTS} products, not {n}")

    def start(state: Any) -> None:
        begin(state, draw_instance(n, seed))

    def parse_move(text: str) -> int:
        names = [move_text(move) for move in range(2 * n)]
        if text not in names:
            raise ValueError(f"an action is a and a number 1 to {2 * n}, for example a1")
        return names.index(text)

    return Game(
        name="production",
        state=fields(n),
        players=1,
        player_names=("solver",),
        move_codes=2 * n,
        max_moves=2 * n,
        max_length=MONEY * n,
        start=start,
        moves=moves,
        play=play,
        over=over,
        mover=mover,
        rewards=rewards,
        score=score,
        hash=hash,
        parse_move=parse_move,
        move_text=move_text,
        draw=draw,
    )
