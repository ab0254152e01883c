"""A Go program that passes; ``--trouble KIND`` makes its second turn go wrong."""

import argparse
import sys
import time
from pathlib import Path

KNOWN = [
    "protocol_version",
    "name",
    "version",
    "list_commands",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "set_random_seed",
    "time_settings",
    "time_left",
    "final_score",
    "quit",
]
ANSWERS = {
    "protocol_version": "2",
    "name": "passer",
    "version": "1",
    "list_commands": "\n".join(KNOWN),
}


def answer(number, text, sign="="):
    print(f"{sign}{number} {text}\n", flush=True)


def go_wrong(kind, number):
    if kind == "die":
        print("last words", file=sys.stderr, flush=True)
        sys.exit(3)
    if kind == "hang":
        time.sleep(60)
    if kind == "nonsense":
        print("garbage everywhere\n", flush=True)
    elif kind == "refuse":
        answer(number, "I do not want to", "?")
    else:
        answer(number, {"not-a-vertex": "Q99", "resign": "resign", "illegal": "A1"}[kind])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trouble", default="")
    parser.add_argument("--log", default="")
    options = parser.parse_args()
    turns = plays = 0
    for line in sys.stdin:
        if options.log:
            with Path(options.log).open("a") as log:
                log.write(line.split(" ", 1)[1])
        number, command = line.split()[:2]
        if command == "clear_board":
            turns = plays = 0
        plays += command == "play"
        turns += command == "genmove"
        if (
            command == "genmove"
            and turns == 2
            and options.trouble in ("die", "hang", "nonsense", "refuse", "not-a-vertex", "resign")
        ):
            go_wrong(options.trouble, number)
        elif command == "genmove":
            # A1 twice is illegal, since the random player rarely captures it.
            answer(number, "A1" if options.trouble == "illegal" else "pass")
        elif command == "play" and plays == 2 and options.trouble == "refuse-play":
            answer(number, "this play is against my rules", "?")
        elif command == "final_score":
            answer(number, "undecided" if options.trouble == "score" else "B+1")
        else:
            answer(number, ANSWERS.get(command, ""))
        if command == "quit":
            break


if __name__ == "__main__":
    main()
