"""Tests that a revision written as a difference from a copy of a catalogue gives the same result in the build
tool as its complete text, and so do the revisions of the project."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import catalogues

EMBED = os.environ["EMBED_CATALOGUE"]
CLAUSES = Path(__file__).parent / "clauses"
ADDED = """
dropped = ["arrow-stream-magic-absent-here"]

[specification]
format = "arrow"
id = "arrow-columnar-test"
follows = "arrow-columnar-1.0"
title = "A later text"
revision = "test"
url = "https://example.org/"

[renumbered]
"2.1" = "2.2"
"2.2" = "2.1"

[[clause]]
id = "%(kept)s"
statement = "A statement that only the later text has."

[[clause]]
id = "arrow-of-the-later-text"
section = "2.1"
level = "MUST"
subject = "producer"
object = "file"
basis = "keyword"
statement = "New."
check = "New."
default_severity = "none"
"""


def toml(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def whole(path):
    """The text of a catalogue that does not follow another one."""
    entries = catalogues.read(path)
    head = {key: value for key, value in entries["specification"].items() if key != "follows"}
    return "\n".join(f"{key} = {toml(value)}" for key, value in {**entries, "specification": head}.items())


class Revisions(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.root = Path(made.name)

    def embed(self, paths, name):
        result = subprocess.run([EMBED, self.root / name, self.root / f"{name}.cpp", *paths],
                                capture_output=True, text=True, timeout=120)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        ids = {path.parent.name: path.read_text() for path in (self.root / name).rglob("*.h")}
        return (self.root / f"{name}.cpp").read_text(), ids

    def assert_as_whole(self, folder):
        paths = sorted(folder.glob("*.toml"))
        (self.root / "whole").mkdir()
        for path in paths:
            (self.root / "whole" / path.name).write_text(whole(path))
        made = self.embed(paths, "differences")
        self.assertEqual(made, self.embed(sorted((self.root / "whole").glob("*.toml")), "whole-texts"))
        return made

    def test_revisions_of_the_project(self):
        follows = [path.stem for path in CLAUSES.glob("*.toml")
                   if "follows" in catalogues.read(path)["specification"]]
        self.assertIn("hep001-2026-07-09", follows)
        self.assert_as_whole(CLAUSES)

    def test_added_revision(self):
        base = catalogues.read(CLAUSES / "arrow-columnar-1.0.toml")
        named = {id for each in base["clause"] for id in each.get("emitted_as", ())}
        gone, kept = [clause["id"] for clause in base["clause"] if clause["id"] not in named
                      and not clause.get("emitted_as") and clause["section"] == "2.1"][:2]
        folder = self.root / "clauses"
        folder.mkdir()
        (folder / "arrow-columnar-1.0.toml").write_text(
            (CLAUSES / "arrow-columnar-1.0.toml").read_text())
        (folder / "arrow-columnar-test.toml").write_text(
            ADDED.replace("arrow-stream-magic-absent-here", gone) % {"kept": kept})
        data, ids = self.assert_as_whole(folder)
        self.assertEqual(data.count("A statement that only the later text has."), 1)
        self.assertEqual(data.count(f'{{"{gone}", '), 1)
        self.assertEqual(data.count(f'{{"{kept}", "2.1"'), 1)
        self.assertEqual(data.count(f'{{"{kept}", "2.2"'), 1)
        self.assertIn('"arrow-of-the-later-text"', ids["arrow"])
        after = catalogues.read(folder / "arrow-columnar-test.toml")["clause"]
        self.assertEqual(len(after), len(base["clause"]))
        sections = [clause["section"] for clause in after]
        self.assertLess(max(i for i, each in enumerate(sections) if each == "2.1"),
                        sections.index("2.2"))
        last = max(i for i, each in enumerate(sections) if each == "2.1")
        self.assertEqual(after[last]["id"], "arrow-of-the-later-text")


if __name__ == "__main__":
    unittest.main()
