"""Tests of hepcheck explain: every clause is explained, and the code shown repairs its example."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SOURCE))
from conformance import catalogues  # noqa: E402

FIXTURES = SOURCE / "fixtures/hep001"
PATIENCE = 300
# Notes for maintainers about clauses, rules and fixtures, and words that hepcheck replaces by "fix".
FOR_MAINTAINERS = re.compile(
    r"emission|\bemit(ted|ting|s)? (this|only|that|instead|alone|separately)|[Nn]ever emitted|Probed|"
    r"Offer a switch|^As above|re-tested|Second case only|[Rr]ecommend (a|an|emitting|accepting|"
    r"reading|treating|judging|error|warning)\b|\bid alone\b|(emit|report|use|under) (only )?this "
    r"id\b|single-id|\bGate:|"
    r"overlap list|Umbrella|do not also report|Report once|\bledger\b|own statement|"
    r"\b[Mm]end(s|ed|ing)?\b|off by default|own fixture|accept-test below|next accept-test", re.M)
# The contents that both sides of an example must show.
SHOWN = {
    **dict.fromkeys(["fill-not-a-valid-code", "fill-outside-logical-range", "enum-missing-member",
                     "enum-fill-not-ordinary-member", "enum-fill-is-missing-code",
                     "fill-user-defined", "fill-user-defined-unless-boolean",
                     "boolean-column-no-fill", "fill-strictly-outside-valid-range"], "FILLVALUE"),
    "nullable-boolean-enum-codes": '"MISSING"', "boolean-dataset-exact-type": '"TRUE"',
    "valid-min-scalar": "valid_min", "valid-min-datatype": "valid_min",
    "valid-max-scalar": "valid_max", "valid-max-datatype": "valid_max",
    "valid-range-ordered": "valid_m", "categorical-integer": "DATATYPE",
}
RULE = "\n" + 40 * "-" + "\n\n"  # between clauses

REVISIONS = ["hep001-2026-06-16", "hep001-2026-07-09"]
# The clauses of all revisions, each from the first revision that contains it.
CLAUSES = list({clause["id"]: clause for spec in reversed(REVISIONS) for clause in
                catalogues.read(SOURCE / f"conformance/clauses/{spec}.toml")["clause"]}.values())
MANIFEST = {f["file"]: f for f in json.loads((FIXTURES / "manifest.json").read_text())["fixtures"]}
CHECKABLE = {c["id"] for c in CLAUSES
             if c["subject"] == "file" and c["level"] != "MAY" and not c.get("emitted_as")}

def broken_by(clause):
    """The clauses that the fixture of an example is expected to violate, and the revision: the last one in which
    the fixture belongs to this clause (fixtures/README.md)."""
    fixture = MANIFEST[EXAMPLES[clause]["fixture"]]
    for spec in reversed(REVISIONS):
        if fixture["spec"] <= spec <= fixture.get("until", REVISIONS[-1]):
            entry = {**fixture, **fixture.get("revisions", {}).get(spec, {})}
            if entry["clause"] == clause and entry["kind"] == "invalid":
                return spec, entry
    raise AssertionError(f"{clause}: {fixture['file']} is not a fixture of it")


def run(*arguments, **options):
    return subprocess.run(list(map(str, arguments)), capture_output=True, timeout=PATIENCE,
                          text=True, **options)


def explained(spec):
    """Every clause of a specification, by its id."""
    result = run(HEPCHECK, "explain", "*", "--spec", spec, "--format", "json")
    assert result.returncode == 0 and not result.stderr, result
    return {answer["id"]: answer for answer in json.loads(result.stdout)}


SPECS = sorted(path.stem for path in (SOURCE / "conformance/clauses").glob("*.toml"))
OF_SPEC = {spec: explained(spec) for spec in SPECS}
ALL = {id: answer for spec in REVISIONS for id, answer in OF_SPEC[spec].items()}
EXAMPLES = {clause: answer["example"] for clause, answer in ALL.items() if "example" in answer}


class Words(unittest.TestCase):
    def test_every_clause(self):
        for spec, answers in OF_SPEC.items():
            texts = run(HEPCHECK, "explain", "*", "--spec", spec).stdout.split(RULE)
            self.assertEqual(len(texts), len(answers))
            for (clause, answer), text in zip(answers.items(), texts):
                self.assertGreater(len(answer["why"]), 60, clause)
                self.assertTrue(text.startswith(clause + "\n"), clause)
                for part in ("Requirement", "Why it matters", "How it is checked"):
                    self.assertIn(f"\n{part}\n", text, clause)
                shown = answer.get("example", {}).get("shows", "\0")
                before = text.partition(f"\nBroken: {shown}")[0].partition("\nThe broken file is ")[0]
                for line in before.splitlines():
                    if line.startswith("The text: "):
                        continue
                    self.assertLessEqual(len(line), 100, clause)

    def test_every_clause_has_its_own_rationale(self):
        for format in sorted({spec.split("-")[0] for spec in SPECS}):
            words = tomllib.loads(
                (SOURCE / f"conformance/explain/{format}/words.toml").read_text())
            same = [sorted(each["clauses"]) for each in words.get("same", ())]
            self.assertTrue(all(each["demand"] for each in words.get("same", ())))
            sharing = {}
            for spec in SPECS:
                if spec.startswith(format):
                    for clause, answer in OF_SPEC[spec].items():
                        sharing.setdefault(answer["why"], set()).add(clause)
            for text, clauses in sharing.items():
                if len(clauses) > 1:
                    self.assertIn(sorted(clauses), same, text)

    def test_every_clause_that_a_file_can_violate_has_an_example(self):
        self.assertEqual(set(EXAMPLES), CHECKABLE)
        for clause, example in EXAMPLES.items():
            self.assertEqual(broken_by(clause)[1]["shows"], example["shows"])
            self.assertNotEqual(example["good"], example["bad"])
        for clause, answer in ALL.items():
            if example := answer.get("example"):
                self.assertTrue(example["good"] != example["bad"] or not example["bad"], clause)
        text = run(HEPCHECK, "explain", "nrows-uint64").stdout
        for part in ("Broken: ", "Right", "Fix with h5py", "Fix in C", "The broken file is "):
            self.assertIn("\n" + part, text)

    def test_every_example_has_code(self):
        for clause, example in EXAMPLES.items():
            self.assertTrue(example["python"] and example["c"], clause)

    def test_fixes_do_not_remove_columns(self):
        """A dataset that is not part of the table is moved next to it; a column is not."""
        foreign = {"no-nested-table", "no-multidimensional-dataset", "no-user-subgroup"}
        moved = {c for c, e in EXAMPLES.items() if "out of the table" in e["python"]}
        self.assertEqual(moved, foreign)

    def test_side_effects_are_documented(self):
        documented = 0
        for clause, example in EXAMPLES.items():
            for path in re.findall(r'del file\["([^"]+)"\]', example["python"]):
                if f'file.create_dataset("{path}"' in example["python"]:
                    self.assertIn(f"{path} is deleted and rebuilt", example["effects"], clause)
                    documented += 1
        self.assertGreater(documented, 40)

    def test_examples_show_what_the_clause_is_about(self):
        for clause, words in SHOWN.items():
            for side in "good", "bad":
                self.assertRegex(EXAMPLES[clause][side], words, f"{clause}, {side}")

    def test_no_notes_for_maintainers(self):
        for spec, answers in OF_SPEC.items():
            for clause, answer in answers.items():
                texts = [answer[key] for key in ("statement", "why", "check", "reading", "fix")]
                example = answer.get("example", {})
                texts += [example[key] for key in ("shows", "effects") if key in example]
                for text in texts:
                    self.assertNotRegex(text, FOR_MAINTAINERS, f"{spec} {clause}")
            page = run(HEPCHECK, "clauses", "--spec", spec, "page").stdout
            self.assertIsNone(FOR_MAINTAINERS.search(page), spec)

    def test_section_or_pattern(self):
        def listed(*words):
            result = run(HEPCHECK, "explain", *words, "--format", "json")
            return [(clause["spec"], clause["section"], clause["id"])
                    for clause in json.loads(result.stdout)]
        newest = catalogues.read(SOURCE / f"conformance/clauses/{REVISIONS[-1]}.toml")
        self.assertEqual(listed("7.3", "--spec", "hep001"),
                         [(REVISIONS[-1], "7.3", c["id"]) for c in newest["clause"]
                          if c["section"] == "7.3"])
        self.assertEqual({section for _, section, _ in listed("7", "--spec", "hep001")},
                         {f"7.{i}" for i in range(1, 7)})
        self.assertEqual({each[:2] for each in listed("10.4")}, {(REVISIONS[0], "10.4")})
        self.assertEqual({spec[:4] for spec, _, _ in listed("4.2")}, {"arro", "hdf5"})
        self.assertEqual({spec for spec, _, _ in listed("4.2", "--spec", "arrow")},
                         {"arrow-columnar-1.0"})
        ids = [clause for _, _, clause in listed("bloom-*")]
        self.assertEqual(ids, [c["id"] for c in newest["clause"] if c["id"].startswith("bloom-")])
        text = run(HEPCHECK, "explain", "bloom-*").stdout
        for clause in ids:
            self.assertIn(f"\n{clause}\n", "\n" + text)

    def test_typo(self):
        result = run(HEPCHECK, "explain", "nrow-uint64")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("did you mean nrows-uint64?", result.stderr)


class Remedies(unittest.TestCase):
    """Each fix is applied to a copy of the broken file, in the way that the shown code is called."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "work").mkdir()

    def violations_after(self, key, repair):
        """The clauses that the files violate after `repair`, by clause; all are validated in one call."""
        clauses = [c for c in sorted(EXAMPLES) if EXAMPLES[c][key]]
        for clause in clauses:
            broken = self.folder / "work/events.h5"
            shutil.copy(FIXTURES / EXAMPLES[clause]["fixture"], broken)
            broken.chmod(0o644)
            with self.subTest(clause=clause):
                repair(clause, EXAMPLES[clause][key])
            broken.rename(self.folder / f"{clause}.h5")
        found = {}
        for spec in REVISIONS:
            files = [self.folder / f"{c}.h5" for c in clauses if broken_by(c)[0] == spec]
            report = json.loads(run(HEPCHECK, "validate", "--no-config", "--spec", spec,
                                    "--format", "json", *files).stdout)
            self.assertEqual(len(report["files"]), len(files))
            found |= {pathlib.Path(f["path"]).stem:
                      {c["id"]: c["findings"] for t in f["tables"] for c in t["clauses"]
                       if c["verdict"] == "fail"} for f in report["files"]}
        return found

    def check(self, found, least):
        self.assertGreaterEqual(len(found), least)
        for clause, broken in found.items():
            fixture = broken_by(clause)[1]
            before = {*fixture["fails"], *fixture["warns"], *fixture["informs"]}
            with self.subTest(clause=clause):
                self.assertNotIn(clause, broken)
                self.assertLessEqual(set(broken), before, "something else is broken now")

    def test_h5py(self):
        def repair(clause, code):
            here = os.getcwd()
            os.chdir(self.folder / "work")
            try:
                exec(compile(code, clause, "exec"), {})
            finally:
                os.chdir(here)
        self.check(self.violations_after("python", repair), len(CHECKABLE))

    def test_c(self):
        program = self.compiled()
        def repair(clause, code):
            result = run(program, clause, cwd=self.folder / "work")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.check(self.violations_after("c", repair), len(CHECKABLE))

    def compiled(self):
        """All C code, compiled into one program."""
        source = "".join(f"#include <{h}>\n" for h in ("hdf5.h", "math.h", "stdint.h", "string.h"))
        clauses = [c for c in sorted(EXAMPLES) if EXAMPLES[c]["c"]]
        for number, clause in enumerate(clauses):
            source += f"static void repair{number}(void) {{\n{EXAMPLES[clause]['c']}}}\n"
        source += "int main(int argc, char** argv) {\n  if (argc != 2) return 2;\n"
        for number, clause in enumerate(clauses):
            source += f'  if (!strcmp(argv[1], "{clause}")) {{ repair{number}(); return 0; }}\n'
        (self.folder / "repair.c").write_text(source + "  return 2;\n}\n")
        flags = run("pkg-config", "--cflags", "--libs", "hdf5").stdout.split()
        result = run("gcc", "-Wall", "-Wextra", "-Werror", "repair.c", "-o", "repair", *flags,
                     cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr[:2000])
        return self.folder / "repair"

    def test_hepcheck(self):
        def repair(clause, command):
            words = command.split()
            self.assertEqual(words[0], "hepcheck")
            result = run(HEPCHECK, *words[1:], cwd=self.folder / "work")
            self.assertEqual(result.returncode, 0, result)
        self.check(self.violations_after("hepcheck", repair), 60)


class InContainers(unittest.TestCase):
    def test_code(self):
        """Code for a writer creates a file in which every clause holds."""
        tested = 0
        for clause, answer in OF_SPEC["hdf5-swmr-2013-10-10"].items():
            code = answer.get("example", answer).get("python")
            if not code:
                continue
            with self.subTest(clause=clause), tempfile.TemporaryDirectory() as folder, \
                    contextlib.chdir(folder):
                exec(compile(code, clause, "exec"), {})
                report = json.loads(run(HEPCHECK, "validate", "--no-config", "--spec", "hdf5-swmr-2013-10-10",
                                        "--format", "json", "events.h5").stdout)
                (subject,) = report["files"][0]["tables"]
                self.assertEqual(subject["verdict"], "pass")
                self.assertEqual([c["id"] for c in subject["clauses"] if c["verdict"] == "fail"], [])
                tested += 1
        self.assertGreater(tested, 15)


if __name__ == "__main__":
    unittest.main()
