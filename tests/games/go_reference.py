"""Go written to be obviously right: sets of points, flood fill for everything, no speed at all."""

from dataclasses import dataclass, field

Point = tuple[int, int]  # column and row, from 0
Stones = dict[Point, int]  # the colour, 0 or 1, of the points that are taken
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def text(point: Point | None) -> str:
    return "pass" if point is None else f"{LETTERS[point[0]]}{point[1] + 1}"


@dataclass
class Reference:
    """One game in progress."""

    width: int
    height: int
    suicide: bool = False
    stones: Stones = field(default_factory=dict)
    mover: int = 0
    passes: int = 0
    seen: list[Stones] = field(default_factory=list)  # all positions before this one

    def points(self) -> list[Point]:
        return [(x, y) for y in range(self.height) for x in range(self.width)]

    def beside(self, point: Point) -> list[Point]:
        x, y = point
        near = [(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)]
        return [(i, j) for i, j in near if 0 <= i < self.width and 0 <= j < self.height]

    def region(self, stones: Stones, point: Point) -> set[Point]:
        """The points connected with this one that hold the same."""
        found, todo = {point}, [point]
        while todo:
            for near in self.beside(todo.pop()):
                if near not in found and stones.get(near) == stones.get(point):
                    found.add(near)
                    todo.append(near)
        return found

    def border(self, stones: Stones, region: set[Point]) -> list[int | None]:
        """What stands around a region."""
        around = {near for point in region for near in self.beside(point)} - region
        return [stones.get(point) for point in around]

    def after(self, point: Point) -> Stones | None:
        """The stones after a move of the mover, or None when it is suicide that is not allowed."""
        stones = {**self.stones, point: self.mover}
        for near in self.beside(point):
            if stones.get(near) == 1 - self.mover:
                self._take_if_dead(stones, near)
        own = self.region(stones, point)
        if None not in self.border(stones, own):
            if not self.suicide or len(own) == 1:
                return None
            self._take_if_dead(stones, point)
        return stones

    def _take_if_dead(self, stones: Stones, point: Point) -> None:
        chain = self.region(stones, point)
        if None not in self.border(stones, chain):
            for stone in chain:
                del stones[stone]

    def repeats(self, point: Point) -> bool:
        return self.after(point) in self.seen

    def playable(self) -> list[Point]:
        """Legal points without superko."""
        free = [point for point in self.points() if point not in self.stones]
        return [point for point in free if self.after(point) is not None]

    def legal(self) -> list[Point | None]:
        return [point for point in self.playable() if not self.repeats(point)] + [None]

    def play(self, point: Point | None) -> None:
        self.seen.append(self.stones)
        if point is None:
            self.passes += 1
        else:
            stones = self.after(point)
            assert stones is not None
            self.stones = stones
            self.passes = 0
        self.mover = 1 - self.mover

    def is_eye(self, point: Point) -> bool:
        """Would the mover fill an own eye here?"""
        if any(self.stones.get(near) != self.mover for near in self.beside(point)):
            return False
        x, y = point
        across = [(x + i, y + j) for i in (-1, 1) for j in (-1, 1)]
        inside = [(i, j) for i, j in across if 0 <= i < self.width and 0 <= j < self.height]
        theirs = sum(self.stones.get(diagonal) == 1 - self.mover for diagonal in inside)
        return theirs <= (1 if len(inside) == 4 else 0)

    def score(self) -> int:
        """Black's area minus White's."""
        areas = [sum(colour == c for colour in self.stones.values()) for c in (0, 1)]
        todo = {point for point in self.points() if point not in self.stones}
        while todo:
            region = self.region(self.stones, next(iter(todo)))
            touched = set(self.border(self.stones, region))
            if len(touched) == 1:
                areas[touched.pop() or 0] += len(region)
            todo -= region
        return areas[0] - areas[1]

    def rows(self) -> list[str]:
        """The board, the top row first."""
        symbol = {None: ".", 0: "X", 1: "O"}
        return [
            "".join(symbol[self.stones.get((x, y))] for x in range(self.width))
            for y in reversed(range(self.height))
        ]
