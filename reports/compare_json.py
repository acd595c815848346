#!/usr/bin/env python3
"""Compares what two programs say of the same files: two reports made with --format json.

    hepcheck validate --format json=old.json fixtures    and with the other program new.json
    reports/compare_json.py old.json new.json

Keys that only the new report has are counted; any other difference is printed with its file, table,
clause and key, and the exit status is 1. With --texts sentences for people may change: each change
is listed once, with how often it occurs. Fixtures may have moved: `fixtures/hep001/valid` is taken
for `fixtures/valid`.
"""

import argparse
import collections
import json
import re
import sys

TEXTS = {"reason", "expected", "fix", "observed", "witness"}
# What the elements of a list are known by, where the list has a name; of others their place counts.
KNOWN_BY = {"files": "path", "tables": "path", "clauses": "id"}
MOVED = re.compile(r"fixtures/\w+/(?=(?:in)?valid/)")


def load(path):
    with open(path, encoding="utf-8") as file:
        text = MOVED.sub("fixtures/", file.read())
        return json.loads(text.replace('"hint": ', '"fix": '))  # its name up to 0.1.0


def by_name(name, elements):
    """The elements of a list by what they are known by, those of one name in their order."""
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
        """`way` leads to the value by names, as people read it; `keys` by the keys alone."""
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
            elif key in KNOWN_BY:  # its elements say what they are
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
                        help="print so many differences at most [200]")
    options = parser.parse_args()
    comparison = Comparison(options.texts)
    comparison.compare(load(options.old), load(options.new))
    comparison.print(options.most)
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    sys.exit(main())
