"""hepcheck export and import: tables go through Arrow and come back, and nothing is lost on the way.

Every sound table of both revisions is exported, and what comes out has to be sound Arrow. What has
no place there is refused by name.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = SOURCE / "fixtures/hep001"
sys.path.insert(0, str(SOURCE))

from generators import formats  # noqa: E402

PATIENCE = 120  # seconds; nothing here should take one
OLDER, NEWER = "hep001-2026-06-16", "hep001-2026-07-09"
# The tables of the fixtures that have columns of these types come out with those left out.
NO_FORM = "this type has no form there"
# Refused for a value, or since a column cannot be read at all.
REFUSED = ("a string that is not UTF-8", "is neither FALSE nor TRUE", "virtual dataset",
           "tables; name one as FILE:")


def run(*arguments):
    return subprocess.run([HEPCHECK, *map(str, arguments)], capture_output=True, text=True,
                          timeout=PATIENCE)


def column_of(message):
    """The name of the column that a refusal is about."""
    return message.split('column "', 1)[1].split('": ', 1)[0]


def exported(table, into, *options, spec=NEWER):
    """Leaves out what has no form, and returns what the last run said."""
    skip = []
    while True:
        done = run("export", table, into, "--force", "--spec", spec, *options,
                   *[word for name in skip for word in ("--skip", name)])
        if done.returncode == 1 and NO_FORM in done.stderr:
            skip.append(column_of(done.stderr))
            continue
        return done


def findings(paths):
    """(path, id, severity) of all that is found in Arrow files."""
    done = run("validate", "--spec", "arrow-columnar-1.0", "--format", "json", *paths)
    for file in json.loads(done.stdout)["files"]:
        for subject in next(value for key, value in file.items() if isinstance(value, list) and value):
            for clause in subject["clauses"]:
                for _ in clause.get("findings", []):
                    yield file["path"], clause["id"], clause["severity"]


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Export(Folder):
    def sweep(self, spec, *options):
        """Exports every sound fixture of a revision; the files that came of it."""
        made = {}
        for number, recipe in enumerate(formats.find("hep001").recipes("valid/*")):
            expected = recipe.expectations.get(spec)
            if not expected or expected.fails:  # of sound ones some are not in both revisions
                continue
            out = self.folder / f"{number}.arrow"
            done = exported(FIXTURES / recipe.path, out, *options, spec=spec)
            if done.returncode == 0:
                made[str(out)] = recipe.path
            else:
                self.assertTrue(any(words in done.stderr for words in REFUSED),
                                f"{recipe.path}: {done.stderr}")
                self.assertFalse(out.exists())
        self.assertGreater(len(made), 300)
        return made

    def sound(self, made):
        found = list(findings(made))
        worse = [(made[path], clause) for path, clause, severity in found if severity != "info"]
        self.assertEqual(worse, [])

    def test_sound_tables_of_the_newer_revision(self):
        self.sound(self.sweep(NEWER))

    def test_sound_tables_of_the_older_revision(self):
        self.sound(self.sweep(OLDER, "--batch-rows", "3", "--compression", "zstd"))

    def test_streams(self):
        self.sound(self.sweep(NEWER, "--stream", "--batch-rows", "2", "--compression", "lz4"))


if __name__ == "__main__":
    unittest.main()
