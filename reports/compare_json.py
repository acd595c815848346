#!/usr/bin/env python3
"""Compares the reports of two programs on the same files: two reports made with --format json.

    hepcheck validate --format json=old.json fixtures    # and new.json with the other program
    reports/compare_json.py old.json new.json

Keys that only the new report has are counted; any other difference is printed with its file, table,
clause and key, and the exit status is 1. With --texts, human-readable sentences may change: each change
is listed once with its number of occurrences. Moved fixtures are recognised: `fixtures/hep001/valid` equals
`fixtures/valid`.
"""

import argparse
import collections
import json
import re
import sys

TEXTS = {"reason", "expected", "fix", "observed", "witness"}
# The keys that identify the elements of a named list; elements of other lists are matched by position.
KNOWN_BY = {"files": "path", "tables": "path", "clauses": "id"}
MOVED = re.compile(r"fixtures/\w+/(?=(?:in)?valid/)")


def load(path):
    with open(path, encoding="utf-8") as file:
        text = MOVED.sub("fixtures/", file.read())
        return json.loads(text.replace('"hint": ', '"fix": '))  # the name of the key up to 0.1.0


def by_name(name, elements):
    """The elements of a list by their identity; elements with the same identity keep their order."""
    key, seen, found = KNOWN_BY.get(name), collections.Counter(), {}
    for place, element in enumerate(elements):
        own = element.get(key) if isinstance(element, dict) and key else f"[{place}]"
        seen[own] += 1
        found[own if seen[own] == 1 else f"{own} ({seen[own]})"] = element
    return found


def brief(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:197] + "..."


class Comparison:
    def __init__(self, texts):
        self.texts = texts
        self.differences = []              # lines
        self.additions = collections.Counter()  # of keys, by where they are: "files.tables.kind"
        self.changed = collections.Counter()    # (key, old text, new text)

    def differ(self, way, words):
        self.differences.append(f"{': '.join(map(str, way))}: {words}")

    def compare(self, old, new, way=(), keys=()):
        """`way` is the path to the value in readable names; `keys` consists of keys only."""
        if isinstance(old, dict) and isinstance(new, dict):
            self._compare_objects(old, new, way, keys)
        elif isinstance(old, list) and isinstance(new, list):
            self._compare_lists(old, new, way, keys)
        elif type(old) is not type(new) or old != new:
            if self.texts and keys[-1] in TEXTS and isinstance(old, str) and isinstance(new, str):
                self.changed[keys[-1], old, new] += 1
            else:
                self.differ(way, f"was {brief(old)}, is {brief(new)}")

    def _compare_objects(self, old, new, way, keys):
        for key in old:
            if key not in new:
                self.differ((*way, key), f"was {brief(old[key])}, is not there")
            elif key in KNOWN_BY:  # its elements have an identity
                self.compare(old[key], new[key], way, (*keys, key))
            else:
                self.compare(old[key], new[key], (*way, key), (*keys, key))
        self.additions.update(".".join((*keys, key)) for key in new if key not in old)

    def _compare_lists(self, old, new, way, keys):
        before, after = by_name(keys[-1], old), by_name(keys[-1], new)
        for name in before:
            if name in after:
                self.compare(before[name], after[name], (*way, name), keys)
            else:
                self.differ((*way, name), f"was {brief(before[name])}, is not there")
        for name in after:
            if name not in before:
                self.differ((*way, name), f"was not there, is {brief(after[name])}")
        if before.keys() == after.keys() and list(before) != list(after):
            self.differ((*way, keys[-1]), "another order")

    def print(self, most):
        for line in self.differences[:most]:
            print(line)
        if len(self.differences) > most:
            print(f"... and {len(self.differences) - most} more")
        for key, count in sorted(self.additions.items()):
            print(f"new key {key}: {count} times")
        for (key, old, new), count in self.changed.most_common():
            print(f"{count:6} {key}\n       - {old}\n       + {new}")
        print(f"{len(self.differences)} differences, {sum(self.additions.values())} new keys"
              + (f", {sum(self.changed.values())} changed texts" if self.texts else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD.json")
    parser.add_argument("new", metavar="NEW.json")
    parser.add_argument("--texts", action="store_true",
                        help=f"texts may change: {', '.join(sorted(TEXTS))}")
    parser.add_argument("--most", type=int, default=200, metavar="N",
                        help="maximum number of differences printed [200]")
    options = parser.parse_args()
    comparison = Comparison(options.texts)
    comparison.compare(load(options.old), load(options.new))
    comparison.print(options.most)
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    sys.exit(main())
