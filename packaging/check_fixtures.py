"""Judges fixtures of every format with an installed program, in its sandbox, and compares the violated clauses with
those that the manifests list.

usage: check_fixtures.py PROGRAM FIXTURES [STEP]

Every STEP-th fixture (1)."""

import collections
import json
import pathlib
import subprocess
import sys

# Fixtures about more than one verdict: the tests of the project examine them.
SPECIAL = ("outcome", "until", "tables", "unchecked", "alias")


def chosen(fixtures, step):
    """For each specification: the fixtures, by path, with their groups and the clauses that they violate. An empty file
    cannot be examined at all, whatever clause it shows."""
    found = collections.defaultdict(dict)
    for manifest in sorted(fixtures.glob("*/manifest.json")):
        plain = [each for each in json.loads(manifest.read_text())["fixtures"] if each["bytes"] > 0 and not any(key in each for key in SPECIAL)]
        for each in plain[::step]:
            found[each["spec"]][str(manifest.parent / each["file"])] = each["group"], set(each["fails"])
    return found


def violated(program, spec, expected):
    # The group is named, because a table may be broken in what makes it one.
    files = [path if group == "/" or spec.startswith("rntuple") else f"{path}:{group}" for path, (group, _) in expected.items()]
    done = subprocess.run([program, "validate", "--no-config", "--format", "json", "--spec", spec, *files],
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"status {done.returncode}: {done.stderr.decode(errors='replace')}")
    return {file["path"]: {clause["id"] for table in file["tables"] for clause in table["clauses"]
                           if any(finding["severity"] == "error" for finding in clause["findings"])}
            for file in json.loads(done.stdout)["files"]}


def main():
    program, fixtures = sys.argv[1], pathlib.Path(sys.argv[2])
    wrong, count = [], 0
    for spec, expected in chosen(fixtures, int(sys.argv[3]) if len(sys.argv) > 3 else 1).items():
        found = violated(program, spec, expected)
        count += len(expected)
        wrong += [f"{spec} {path}: found {sorted(found.get(path, {'no report'}))}, expected {sorted(fails)}"
                  for path, (_, fails) in expected.items() if found.get(path) != fails]
    print("\n".join(wrong[:20]))
    print(f"{count} fixtures, {len(wrong)} of them wrong")
    sys.exit(1 if wrong or count == 0 else 0)


if __name__ == "__main__":
    main()
