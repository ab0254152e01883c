import random
from collections import Counter

import numpy as np
import pytest

import checks
from tesuji import Position
from tesuji.compile.plain import view
from tesuji.compile.specialise import fingerprint
from tesuji.errors import GameError, MoveError
from tesuji.exact import perft
from tesuji.games import load
from tesuji.games.production import Action, Instance, begin, draw_instance, most_of_goal
from tesuji.position import examine

SIZES = (4, 8, 16)

# The example of Chaslot (2010, figure A.1), with amounts and costs of our own: C makes p1 and p2,
# A needs p2 and p3 and makes p4, B makes p3 and p4.
EXAMPLE = (
    Action(cost=1, inputs=(), outputs=((0, 1), (1, 2))),  # C
    Action(cost=4, inputs=(), outputs=((2, 3), (3, 1))),  # B
    Action(cost=2, inputs=((1, 2), (2, 1)), outputs=((3, 4),)),  # A
)


def example(moves: str = "") -> Position:
    """A position of the example, uncompiled."""
    game = load("production:n=4")
    state = np.zeros(1, game.state)
    begin(view(state)[0], EXAMPLE)
    return Position(game, state, jit=False).play(*moves.split())


def texts(position: Position) -> list[str]:
    return [position.move_text(move) for move in position.moves]


def score(position: Position) -> int:
    assert position.game.score is not None
    return int(position.game.score(view(position.state)[0]))


# --- instances ----------------------------------------------------------------------------------


def check_actions(instance: Instance, n: int) -> None:
    """The first three of the five constraints."""
    makers: Counter[int] = Counter()
    for cost, inputs, outputs in instance:
        needed, made = [p for p, _ in inputs], [p for p, _ in outputs]
        assert len(set(needed)) == len(needed) <= 2  # 1: at most two products are needed,
        assert 1 <= len(set(made)) == len(made) <= 2  # one or two are made,
        makers.update(made)
        assert {cost, *(amount for _, amount in inputs + outputs)} <= {1, 2, 3, 4}  # 2
        assert min(made) >= max(needed, default=-1) + 1  # 3: no cycles
    assert makers == dict.fromkeys(range(n), 2)  # 1: each by exactly two actions


@pytest.mark.parametrize("n", SIZES)
def test_instances_keep_the_constraints(n: int) -> None:
    drawn = [draw_instance(n, seed) for seed in range(200)]
    for instance in drawn:
        check_actions(instance, n)
    assert len(set(drawn)) == 200


@pytest.mark.parametrize("n", SIZES)
def test_it_starts_with_money_and_nothing_else(n: int) -> None:
    """The fifth constraint."""
    state = Position.start(load(f"production:n={n}"), jit=False).state[0]
    assert state["money"] == 20 * n
    assert not state["stock"].any()


def test_the_last_product_counts_and_nothing_else() -> None:
    """The fourth constraint."""
    assert score(example("a1")) == 0
    assert score(example("a2")) == 1
    assert score(example("a1 a2 a3")) == 5


def test_a_seed_gives_the_same_instance_everywhere() -> None:
    assert str(Position.start(load("production:n=4,seed=1"), jit=False)).splitlines() == [
        "money=80 p1=0 p2=0 p3=0 p4=0",
        "a1: 2 money -> 1 p1",
        "a2: 1 money -> 2 p1",
        "a3: 1 money + 1 p1 -> 4 p2",
        "a4: 4 money + 2 p1 -> 4 p2",
        "a5: 2 money + 3 p1 + 4 p2 -> 1 p3",
        "a6: 1 money + 2 p1 + 3 p2 -> 1 p3 + 2 p4",
        "a7: 3 money + 3 p2 + 4 p3 -> 4 p4",
    ]


def best_plan(n: int, instance: Instance) -> list[int]:
    """How often each action is taken in the best plan, by integer programming.

    The order does not matter: products are made only from lower ones, and actions that make low
    products come first.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    gains = np.zeros((n, len(instance)))
    for i, action in enumerate(instance):
        for product, amount in action.inputs:
            gains[product, i] -= amount
        for product, amount in action.outputs:
            gains[product, i] += amount
    costs = np.array([action.cost for action in instance])
    found = milp(
        -gains[n - 1],
        constraints=[LinearConstraint(gains, 0, np.inf), LinearConstraint(costs, 0, 20 * n)],
        integrality=np.ones(len(instance)),
        bounds=Bounds(0, 20 * n),
    )
    return [round(times) for times in found.x]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("seed", range(5))
def test_the_bound_is_close_above_the_best_plan(n: int, seed: int) -> None:
    position = Position.start(load(f"production:n={n},seed={seed}"), jit=False)
    instance = draw_instance(n, seed)
    for action, times in enumerate(best_plan(n, instance)):
        position = position.play(*[action] * times)
    bound = most_of_goal(n, instance)
    assert 0.8 * bound <= score(position) <= bound
    reward = np.zeros(1)
    position.game.rewards(view(position.state.copy())[0], view(reward))
    assert reward[0] == score(position) / bound


def test_a_goal_out_of_reach_has_the_reward_zero() -> None:
    """Amounts multiply by 4 from product to product, ten times."""
    first = Action(4, (), ((0, 1),))
    chain = (first, *(Action(4, ((p, 4),), ((p + 1, 1),)) for p in range(10)))
    assert most_of_goal(11, chain) == 1


def test_other_seeds_need_no_other_code() -> None:
    one, other = load("production:n=4"), load("production:n=4,seed=1")
    assert one.state == other.state
    assert fingerprint(examine, one.bindings) == fingerprint(examine, other.bindings)


# --- rules --------------------------------------------------------------------------------------


def test_an_action_is_paid_and_supplied() -> None:
    start = example()
    assert texts(start) == ["a1", "a2"]
    ready = start.play("a1", "a2")
    assert texts(ready) == ["a1", "a2", "a3"]
    assert ready.state[0]["money"] == 80 - 1 - 4
    assert ready.state[0]["stock"].tolist() == [1, 2, 3, 1]
    done = ready.play("a3")
    assert done.state[0]["money"] == 80 - 1 - 4 - 2
    assert done.state[0]["stock"].tolist() == [1, 0, 2, 5]
    assert texts(done) == ["a1", "a2"]  # no p2 is left
    with pytest.raises(MoveError, match="'a3' is not legal"):
        done.play("a3")


def test_actions_that_are_too_dear_are_not_possible() -> None:
    poor = example("a2 " * 19 + "a1 a1")
    assert poor.state[0]["money"] == 2
    assert texts(poor) == ["a1", "a3"]


def test_it_ends_when_nothing_is_both_paid_and_supplied() -> None:
    assert example("a2 " * 20).over
    stuck = example("a1 " * 80)
    assert stuck.over
    assert score(stuck) == 0
    assert stuck.rewards == (0.0,)


def test_no_game_is_longer_than_money_lasts() -> None:
    assert example("a1 " * 80).ply == 80 == load("production:n=4").max_length


@pytest.mark.parametrize("n", SIZES)
def test_random_games_against_slow_rules(n: int) -> None:
    instance = draw_instance(n, 7)
    chooser = random.Random(n)
    position = Position.start(load(f"production:n={n},seed=7"), jit=False)
    money, stock = 20 * n, Counter[int]()
    while True:
        legal = [
            i
            for i, (cost, inputs, _) in enumerate(instance)
            if cost <= money and all(stock[p] >= amount for p, amount in inputs)
        ]
        assert list(position.moves) == legal
        assert score(position) == stock[n - 1]
        if not legal:
            break
        move = chooser.choice(legal)
        cost, inputs, outputs = instance[move]
        money -= cost
        stock.subtract(dict(inputs))
        stock.update(dict(outputs))
        position = position.play(move)
    assert position.over
    assert position.rewards == (stock[n - 1] / most_of_goal(n, instance),)


def test_leaf_counts() -> None:
    """C and B are always possible; A after both, once for every C: counted by hand."""
    assert [perft(example(), depth, jit=False) for depth in range(1, 5)] == [2, 4, 10, 26]


def test_leaf_counts_of_the_usual_instance() -> None:
    position = Position.start(load("production"), jit=False)
    assert [perft(position, depth, jit=False) for depth in range(1, 5)] == [2, 5, 19, 70]


# --- keys and text ------------------------------------------------------------------------------


def test_hash() -> None:
    assert checks.hash_of(example("a1 a2")) == checks.hash_of(example("a2 a1"))
    keys = {checks.hash_of(example(moves)) for moves in ("", "a1", "a2", "a1 a1", "a1 a2 a3")}
    assert len(keys) == 5


def test_drawing() -> None:
    assert str(example("a1 a2")).splitlines() == [
        "money=75 p1=1 p2=2 p3=3 p4=1",
        "a1: 1 money -> 1 p1 + 2 p2",
        "a2: 4 money -> 3 p3 + 1 p4",
        "a3: 2 money + 2 p2 + 1 p3 -> 4 p4",
    ]


@pytest.mark.parametrize("text", ["a0", "a9", "1", "b1"])
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(MoveError, match="an action is a and a number 1 to 8, for example a1"):
        example().parse_move(text)


@pytest.mark.parametrize("n", [1, 65])
def test_wrong_parameters(n: int) -> None:
    with pytest.raises(GameError, match=f"n must be 2 to 64 products, not {n}"):
        load(f"production:n={n}")
