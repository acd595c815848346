"""Writes the corpus of the toy format: make_fixtures.py FOLDER"""

import hashlib
import json
import sys
from pathlib import Path

FIXTURES = [
    ("valid", "toy-version", "1.1", "one", b"TOY1\1\7", "A list of one value.", {}),
    ("valid", "toy-size", "1.2", "three", b"TOY1\3\1\2\3", "A list of three values.", {}),
    ("valid", "toy-ascending", "1.3", "equal", b"TOY1\3\1\2\2", "Two values are equal.", {}),
    ("valid", "toy-empty", "1.3", "empty", b"TOY1\0", "A list without values.", {}),
    ("invalid", "toy-version", "1.1", "two", b"TOY2\1\7", "The version is 2.", {"fails": ["toy-version"]}),
    ("invalid", "toy-size", "1.2", "short", b"TOY1\3\1\2", "A value is missing.", {"fails": ["toy-size"]}),
    ("invalid", "toy-size", "1.2", "long", b"TOY1\1\1\2", "A byte follows.", {"fails": ["toy-size"]}),
    ("invalid", "toy-ascending", "1.3", "swapped", b"TOY1\2\2\1", "Values descend.", {"warns": ["toy-ascending"]}),
]


def main():
    root = Path(sys.argv[1]) / "toy"
    entries = []
    for kind, clause, section, slug, content, shows, draws in FIXTURES:
        file = f"{kind}/{section}/{clause}--{slug}.toy"
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_bytes(content)
        entries.append({"file": file, "sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content),
                        "spec": "toy-1", "group": "/", "kind": kind, "clause": clause, "keeps": [],
                        "shows": shows, "fails": [], "warns": [], "informs": [], **draws})
    (root / "manifest.json").write_text(json.dumps(
        {"schema": 1, "spec": "toy-1", "fixtures": sorted(entries, key=lambda entry: entry["file"])}))


if __name__ == "__main__":
    main()
