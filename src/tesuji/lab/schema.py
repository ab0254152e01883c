"""The tables of a store, and what brings those of earlier versions up to date."""

VERSION = 2
APPLICATION = 0x54455355  # "TESU", in the header of the file

SCHEMA = """
CREATE TABLE player (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    settings TEXT NOT NULL,  -- JSON, everything that is needed to build the player again
    UNIQUE (name, kind, settings)
);
CREATE TABLE match (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,  -- a hash of the definition
    definition TEXT NOT NULL,  -- JSON: game, players, seed, rules, openings
    a INTEGER NOT NULL REFERENCES player,
    b INTEGER NOT NULL REFERENCES player,
    wanted INTEGER NOT NULL,   -- games asked for, the last time
    sprt TEXT,                 -- JSON, the last time
    created TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    saved INTEGER NOT NULL DEFAULT 0  -- games that are here
);
CREATE TABLE game (
    match INTEGER NOT NULL REFERENCES match,
    number INTEGER NOT NULL,
    first TEXT NOT NULL CHECK (first IN ('a', 'b')),
    seed TEXT NOT NULL,
    opening TEXT NOT NULL,     -- moves, as JSON
    moves TEXT NOT NULL,       -- after the opening
    score REAL NOT NULL CHECK (score IN (0, 0.5, 1)),
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    turns TEXT NOT NULL,       -- of a and b, as JSON; so are the next two
    simulations TEXT NOT NULL,
    thinking TEXT NOT NULL,    -- seconds
    figures TEXT NOT NULL,     -- move by move: seconds, simulations, value
    seconds REAL NOT NULL,
    started TEXT NOT NULL,
    version TEXT NOT NULL,     -- of tesuji
    programs TEXT NOT NULL,    -- of a and b, when they are external: name and version, as JSON
    code TEXT NOT NULL DEFAULT '',     -- the identity of what played it
    machine TEXT NOT NULL DEFAULT '',
    checksum INTEGER,          -- of all other columns; games of old stores have none
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
"""

#: what brings a store of an earlier version up to date, by that version
UPDATES = {
    1: """
ALTER TABLE match ADD COLUMN saved INTEGER NOT NULL DEFAULT 0;
ALTER TABLE game ADD COLUMN code TEXT NOT NULL DEFAULT '';
ALTER TABLE game ADD COLUMN machine TEXT NOT NULL DEFAULT '';
ALTER TABLE game ADD COLUMN checksum INTEGER;
UPDATE match SET saved = (SELECT count(*) FROM game WHERE game.match = match.id);
""",
}
#: matches whose games are not as many as were saved, and games of no match
MISCOUNTED = """
SELECT id FROM match WHERE saved != (SELECT count(*) FROM game WHERE game.match = match.id)
UNION SELECT match FROM game WHERE match NOT IN (SELECT id FROM match) LIMIT 1
"""
