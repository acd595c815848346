"""Tests of altered stored reports and baselines: of a later version, or edited by hand.

A document that is accepted gives the same content when it is written again; any other is rejected with one message
and status 3. Every key and every kind of value of a report is altered in turn.
"""

import copy
import itertools
import json
import os
import unittest

from report_testing import Reports, run

# Replacements for the existing value.
ANYTHING = [None, True, False, -1, 1.5, 0, 7, 2 ** 63, 2 ** 64, "", "later", [], [[]], {}, {"later": 1}]
# HEPCHECK_EVERY=1 takes all alterations where the normal run takes every second one.
EVERY = os.environ.get("HEPCHECK_EVERY", "0") != "0"
LATER = "a-key-of-a-later-version"


def places(value, way=()):
    """Every value below, with the path to it; of equal elements of a list, one."""
    yield way
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*way, key))
    elif isinstance(value, list):
        seen = set()
        for i, item in enumerate(value):
            form = repr(sorted((k, type(v).__name__) for k, v in item.items())) \
                if isinstance(item, dict) else type(item).__name__
            if form not in seen:
                seen.add(form)
                yield from places(item, (*way, i))


def altered(document, way, change):
    """A copy in which `change` was applied to the container and the key at the end of the path."""
    made = copy.deepcopy(document)
    if not way:
        return change({"": made}, "")[""]
    container = made
    for key in way[:-1]:
        container = container[key]
    change(container, way[-1])
    return made


def put(value):
    def change(container, key):
        container[key] = copy.deepcopy(value)
        return container
    return change


def remove(container, key):
    del container[key]
    return container


def add(container, key):
    container[key][LATER] = 1
    return container


def value_at(document, way):
    for key in way:
        document = document[key]
    return document


def alterations(document):
    """(description, altered document), each different from the original."""
    for way in places(document):
        name = "/".join(map(str, way))
        old = value_at(document, way)
        if way:
            yield f"{name} removed", altered(document, way, remove)
        if isinstance(old, dict):
            yield f"{name} with another key", altered(document, way, add)
        for value in ANYTHING:
            if value != old or type(value) is not type(old):
                yield f"{name} = {value!r}", altered(document, way, put(value))


def essential(document):
    """The document without the parts that are optional or may vary."""
    if isinstance(document, dict):
        return {key: essential(value) for key, value in document.items()
                if not (key in ("attribute", "where", "witness", "clause", "subject") and value == "")
                and not (key in ("more", "known", "suppressed", "suppressed_known",
                                 "skipped_by_user") and value in (0, False))
                and not (key in ("paths", "blocked_by", "maps", "settings") and value == [])
                and not (key == "left_out_by" and value == "skip")
                and key not in ("claim", "accepted")
                and not (key in ("reason", "object") and value in ("", None))
                and not (key == "kind" and value == "table")}
    if isinstance(document, list):
        return [essential(value) for value in document]
    return document


class Stored(Reports):
    def small(self, *arguments):
        """A report with every possible key, in which only the first of the clauses with equal results is kept."""
        document = json.loads(run("validate", "--format", "json", *arguments,
                                  cwd=self.folder).stdout)
        for file in document["files"]:
            for table in file["tables"]:
                kept = {}
                for clause in table["clauses"]:
                    kept.setdefault((clause["verdict"], *clause.keys(),
                                     *(k for f in clause["findings"] for k in f)), clause)
                table["clauses"] = list(kept.values())
        # A report with fewer clauses claims something else.
        for each in [document, *(t for f in document["files"] for t in f["tables"])]:
            del each["claim"]
            each.pop("accepted", None)
        return json.loads(self.render(json.dumps(document)).stdout)

    def render(self, text, *arguments):
        (self.folder / "stored.json").write_text(text)
        return run("report", "render", *(arguments or ("--format", "json")), "stored.json",
                   cwd=self.folder)

    def assert_refused(self, result, name):
        self.assertEqual((result.returncode, result.stdout), (3, b""), (name, result))
        (line,) = result.stderr.decode().splitlines()
        self.assertTrue(line.startswith("hepcheck: stored.json: not a hepcheck report: "), line)
        self.assertLess(len(line), 400, name)

    def documents(self):
        """Reports that together contain every key."""
        import shutil

        from report_testing import BAD, FIXTURES
        shutil.copy(BAD, self.folder / "bad.h5")
        shutil.copy(FIXTURES / "invalid/10.4/minmax-min-value--other-chunk.h5",
                    self.folder / "index.h5")
        (self.folder / "hepcheck.toml").write_text(
            'paths = ["bad.h5"]\nfail-on = "never"\n'
            '[[skip]]\nclause = "class-present"\nreason = "why"\n')
        run("baseline", "create", "--baseline", "known.json", "bad.h5", cwd=self.folder)
        deadly, absent = self.inputs()[5], "absent.h5"
        yield self.small("--no-config", "--max-findings", 1, "index.h5", "bad.h5", deadly, absent)
        yield self.small("--config", "hepcheck.toml", "--baseline", "known.json")

    def test_accepted_completely_or_rejected(self):
        refused = 0
        for document in self.documents():
            whole = self.render(json.dumps(document))
            self.assertEqual(whole.returncode, 0, whole)
            self.assertEqual(json.loads(whole.stdout), document)
            for name, changed in itertools.islice(alterations(document), 0, None, 1 if EVERY else 2):
                result = self.render(json.dumps(changed))
                if result.returncode == 0:
                    self.assertEqual(essential(json.loads(result.stdout)), essential(changed), name)
                else:
                    self.assert_refused(result, name)
                    refused += 1
        self.assertGreater(refused, 500)

    def test_unknown_words(self):
        (document, _) = self.documents()
        for file in document["files"]:
            for table in file["tables"]:
                for key in ("verdict", "kind", "spec"):
                    changed = copy.deepcopy(document)
                    changed["files"][document["files"].index(file)]["tables"][0][key] = "later!"
                    self.assert_refused(self.render(json.dumps(changed)), key)
                for key in ("id", "section", "level", "verdict", "severity"):
                    changed = copy.deepcopy(document)
                    clauses = changed["files"][document["files"].index(file)]["tables"][0]["clauses"]
                    clauses[-1][key] = "later"
                    self.assert_refused(self.render(json.dumps(changed)), key)

    def test_inconsistent_verdict(self):
        (document, _) = self.documents()
        for verdict in ("pass", "unchecked", "unsupported"):
            changed = copy.deepcopy(document)
            changed["files"][0]["tables"][0]["verdict"] = verdict
            self.assert_refused(self.render(json.dumps(changed)), verdict)

    def test_inconsistent_claim(self):
        for document in self.documents():
            tables = [t for f in document["files"] for t in f["tables"]]
            for i in range(len(tables) + 1):
                for claim in ("conformant", "accepted", "not conformant", "not decided"):
                    changed = copy.deepcopy(document)
                    place = [changed, *(t for f in changed["files"] for t in f["tables"])][i]
                    if place["claim"] == claim:
                        continue
                    place["claim"] = claim
                    self.assert_refused(self.render(json.dumps(changed)), (i, claim))

    def test_merging(self):
        (document, _) = self.documents()
        (self.folder / "good.json").write_text(json.dumps(document))
        document["files"][0]["tables"][0]["clauses"][0]["id"] = "clause-of-a-later-version"
        (self.folder / "later.json").write_text(json.dumps(document))
        result = run("report", "merge", "good.json", "later.json", cwd=self.folder)
        self.assertEqual((result.returncode, result.stdout), (3, b""))
        (line,) = result.stderr.decode().splitlines()
        self.assertIn('clause "clause-of-a-later-version" is unknown', line)


if __name__ == "__main__":
    unittest.main()
