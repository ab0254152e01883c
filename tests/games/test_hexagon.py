import pytest

from tesuji.games.hexagon import DIRECTIONS, LARGEST_SIDE, Hexagon

SIDES = range(1, LARGEST_SIDE + 1)


@pytest.mark.parametrize("side", SIDES)
def test_cells(side: int) -> None:
    hexagon = Hexagon(side)
    assert hexagon.cells == 3 * side * (side - 1) + 1
    assert [hexagon.parse(hexagon.text(cell)) for cell in range(hexagon.cells)] == list(
        range(hexagon.cells)
    )


@pytest.mark.parametrize("side", [1, 2, 5, 8])
def test_neighbours_go_both_ways(side: int) -> None:
    hexagon = Hexagon(side)
    for cell in range(hexagon.cells):
        for k in range(6):
            other = hexagon.neighbours[cell, k]
            if other != hexagon.outside:
                assert hexagon.neighbours[other, (k + 3) % 6] == cell
    assert set(hexagon.neighbours[hexagon.outside]) == {hexagon.outside}


def test_directions_go_around() -> None:
    """Two directions that follow each other lead to neighbours."""
    for k in range(6):
        (x, y), (next_x, next_y) = DIRECTIONS[k], DIRECTIONS[(k + 1) % 6]
        assert (next_x - x, next_y - y) in DIRECTIONS


@pytest.mark.parametrize("side", range(2, 11))
def test_corners_and_sides(side: int) -> None:
    hexagon = Hexagon(side)
    corners = [int(mask) for mask in hexagon.corners if mask]
    sides = [int(mask) for mask in hexagon.sides if mask]
    assert sorted(corners) == [1 << k for k in range(6)]
    assert sorted(sides) == sorted([1 << k for k in range(6)] * (side - 2))
    degrees = [
        sum(n != hexagon.outside for n in hexagon.neighbours[cell]) for cell in range(hexagon.cells)
    ]
    for cell, degree in enumerate(degrees):
        kind = 3 if hexagon.corners[cell] else 4 if hexagon.sides[cell] else 6
        assert degree == kind


def test_lines() -> None:
    lines = list(Hexagon(5).lines(5))
    assert len(lines) == 75
    assert len({frozenset(line) for line in lines}) == 75


@pytest.mark.parametrize("text", ["", "a", "1", "a0", "a4", "e1", "f3", "a1 ", "ä1", "a²"])
def test_no_such_cell(text: str) -> None:
    with pytest.raises(ValueError, match="for example c3"):
        Hexagon(3).parse(text)


@pytest.mark.parametrize("side", [0, LARGEST_SIDE + 1])
def test_side_is_checked(side: int) -> None:
    with pytest.raises(ValueError, match="side must be 1 to"):
        Hexagon(side)
