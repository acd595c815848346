"""Tests which parts of the source tree may depend on which.

    the core          validator/ except formats/<format>/ and crash/: names no format
    a format          validator/formats/<format>/, and its directories below fuzz/: uses the core
                      and itself; so does its suite, conformance/suite/<format>/
    hep001/own/       reads tables from raw bytes: uses the container reader, formats/hdf5, as a
                      library below it, and of that only the headers that read structures
    validator/crash/  uses the readers of both formats that a traced program writes
    reports/          uses the core
    cli/              uses everything; the formats through the core, except in chunks, layout, index,
                      reduce, repair, explain, export, import, trace_check and trace_modes

Every #include of the tree is checked against these boundaries and against the layers below, and the
texts of the core are checked for the names of formats.
"""

import re
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]
FOLDERS = ("validator", "reports", "conformance", "cli", "fuzz", "bench")
SUFFIXES = (".cpp", ".h", ".c")
INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')

# Files outside the directories of a format that may include its headers.
MAY_INCLUDE = {
    "validator/formats/formats.cpp": "any",  # the list of formats
    "cli/chunks.cpp": "hdf5",
    "cli/layout.cpp": "hdf5",
    "cli/index.cpp": "hep001",
    "cli/export.cpp": "any",  # converts tables between formats
    "cli/import.cpp": "any",
    "cli/reduce.cpp": "hep001",
    "cli/repair.cpp": "any",  # tables, and the container that they are in
    "cli/explain.cpp": "hep001",  # the words of its repairs
    "cli/trace_check.cpp": "hdf5",
    "cli/trace_modes.cpp": "hep001",
    "validator/crash/": "any",  # both readers examine the state after a crash
    "conformance/table_readers_test.cpp": "hep001",
    "conformance/two_readers_test.cpp": "any",  # compares two readers
    "conformance/golden_repairs_test.cpp": "hep001",
    "conformance/golden_tables_test.cpp": "hep001",
    "conformance/golden_exchanges_test.cpp": "any",  # converts the corpus between formats and back
    "fuzz/exchange/": "any",  # converts tables between formats and back
    "fuzz/variations/": "any",  # mutates the corpora of all formats
    "bench/": "any",
}

# A reader that uses another format as a library below it: the format, and its headers that read structures. What
# judges, reports or lists rules is not among them.
BELOW = {
    "validator/formats/hep001/own/": ("hdf5", {
        "chunk_index", "dataset", "dataspace", "datatype", "global_heap", "link", "object_header",
        "object_parts", "region", "superblock", "walk"}),
}

# The layers, from the bottom; the first prefix that matches a path determines its layer. No include leads to a
# higher one. fuzz/ and bench/ may include all of them. The parts of the core, in validator/ itself:
MODEL = ("catalogue/", "clause_results", "counted", "file_map", "finding", "fnv1a", "integers", "limits",
         "read_whole", "report", "result", "shorten", "spread", "std_format", "wildcard")  # findings, reports, catalogues
LAYERS = [
    ("cli/", 9),
    ("conformance/suite/engine/", 7),
    ("conformance/suite/suites.", 7),  # the list of suites, which the entry of each suite includes
    ("conformance/suite/", 8),
    ("conformance/", 6),
    ("reports/", 5),
    ("validator/crash/", 4),
    ("validator/formats/", 3),
    ("validator/isolate/", 2),
    ("validator/trace/", 2),
    ("validator/exchange/", 2),
    *((f"validator/{part}" if part.endswith("/") else f"validator/{part}.", 0) for part in MODEL),
    ("validator/", 1),
]

# No core source names a format.
NAMES = re.compile(r"\b(hep001|h5col|arrow|rntuple|tiledb)\b", re.IGNORECASE)
NAMELESS = re.compile(r"(validator/[^/]+|validator/(catalogue|codec|exchange|isolate|repair|trace)/.+|reports/[^/]+"
                      r"|fuzz/targets/[^/]+|conformance/(suite/engine/)?[^/]+)\.(cpp|h)")


def formats(root):
    return {path.name for path in (root / "validator/formats").iterdir() if path.is_dir()}


def home(path, known):
    """The format whose directory contains a file; None if it belongs to no format."""
    for pattern in (r"validator/formats/(\w+)/", r"conformance/suite/(\w+)/", r"fuzz/(\w+)/",
                    r"fuzz/mutators/(\w+)\.cpp"):
        if (found := re.match(pattern, path)) and found[1] in known:
            return found[1]
    return None


def may_include(path, format):
    allowed = next((MAY_INCLUDE[place] for place in MAY_INCLUDE if path.startswith(place)), None)
    return allowed in ("any", format)


def broken_rule(path, included, known):
    """The rule that an #include breaks, in words; None if it is allowed."""
    format, own = home(included, known), home(path, known)
    if format and own and format != own and not below(path, included):
        return f"{own} is a format and must not know another one, {format}"
    if format and not own and not may_include(path, format):
        return f"only {format}'s own directory may include its headers"
    here, there = layer(path), layer(included)
    if here and there and there[1] > here[1]:
        return f"{here[0]} lies below {there[0]} and must not include it"
    return None


def below(path, included):
    """Whether a file may include a header of the library below it."""
    for place, (format, headers) in BELOW.items():
        folder = f"validator/formats/{format}/"
        if path.startswith(place) and included.startswith(folder):
            return included.removeprefix(folder).removesuffix(".h") in headers
    return False


def layer(path):
    """(prefix, height) of the layer of a path; None if it is above all of them."""
    return next((each for each in LAYERS if path.startswith(each[0])), None)


def sources(root):
    """(path, text) of every source file of the project, including tests."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                yield path.relative_to(root).as_posix(), path.read_text(errors="replace")


def included_by(root, path, line):
    """The path that a line includes, from the root of the tree; None if it includes nothing."""
    if not (found := INCLUDE.match(line)):
        return None
    beside = (root / path).parent / found[1]
    return beside.resolve().relative_to(root).as_posix() if beside.exists() else found[1]


def forbidden_includes(root):
    """path -> the violations, one per line."""
    known, wrong = formats(root), {}
    for path, text in sources(root):
        for number, line in enumerate(text.splitlines(), 1):
            included = included_by(root, path, line)
            if included and (rule := broken_rule(path, included, known)):
                wrong.setdefault(path, []).append(f"{path}:{number}: includes {included}: {rule}")
    return wrong


def names_of_formats(root):
    wrong = {}
    for path, text in sources(root):
        if not NAMELESS.fullmatch(path) or path.endswith("_test.cpp"):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if found := NAMES.search(line):
                wrong.setdefault(path, []).append(
                    f"{path}:{number}: the core names no format, and here is {found[0]}")
    return wrong


# A rule that a source file of a format defines for itself.
OWN_RULE = re.compile(r"^constexpr [\w:<>, ]*?Rule\w*(?:<[^;={(]*>)? (k\w+)", re.MULTILINE)


def shared_names_of_rules(root):
    """Rules are template arguments, and GCC gives their instances external linkage even where the rules are in anonymous
    namespaces, so that the linker takes rules of the same name in two files of a format for one."""
    known, files, wrong = formats(root), {}, {}
    for path, text in sources(root):
        if (format := home(path, known)) and path.endswith(".cpp"):
            for name in set(OWN_RULE.findall(text)):
                files.setdefault((format, name), []).append(path)
    for (format, name), paths in files.items():
        for path in paths[1:]:
            wrong.setdefault(path, []).append(f"{path}: {name} is a rule of {paths[0]}, too")
    return wrong


class Tree(unittest.TestCase):
    def none(self, wrong):
        lines = [line for path in sorted(wrong) for line in wrong[path]]
        self.assertFalse(lines, "\n" + "\n".join(lines))

    def test_includes(self):
        self.none(forbidden_includes(SOURCE))

    def test_the_core_names_no_format(self):
        self.none(names_of_formats(SOURCE))

    def test_names_of_rules(self):
        self.none(shared_names_of_rules(SOURCE))


class Rules(unittest.TestCase):
    """Tests of the test itself: what it must detect, and what it must accept."""

    KNOWN = {"hep001", "arrow", "hdf5"}
    FORBIDDEN = [
        ("validator/formats/hep001/rules/nrows.cpp", "validator/formats/hdf5/walk.h", "another one"),
        ("validator/formats/hep001/own/values.cpp", "validator/formats/hdf5/rules.h", "another one"),
        ("validator/formats/hep001/own/values.cpp", "validator/formats/arrow/format.h", "another one"),
        ("validator/formats/hdf5/walk.cpp", "validator/formats/hep001/own/context.h", "another one"),
        ("validator/judge.cpp", "validator/formats/hep001/model/table.h", "hep001's own directory"),
        ("validator/isolate/worker.cpp", "validator/formats/arrow/format.h", "arrow's own directory"),
        ("cli/validate.cpp", "validator/formats/hep001/engine.h", "hep001's own directory"),
        ("cli/index.cpp", "validator/formats/arrow/format.h", "arrow's own directory"),
        ("validator/formats/arrow/a.cpp", "validator/formats/hep001/model/table.h", "another one"),
        ("validator/formats/hep001/engine.cpp", "reports/json.h", "lies below reports/"),
        ("validator/finding.cpp", "conformance/corpus.h", "lies below conformance/"),
        ("reports/html.cpp", "validator/formats/hep001/strips.h", "hep001's own directory"),
        ("reports/html.cpp", "conformance/corpus.h", "lies below conformance/"),
        ("conformance/corpus.cpp", "validator/formats/hep001/engine.h", "hep001's own directory"),
        ("conformance/suite/hep001/reader.cpp", "validator/formats/arrow/format.h", "another one"),
        ("conformance/suite/arrow/reader.cpp", "validator/formats/hep001/a.h", "another one"),
        ("conformance/suite/arrow/reader.cpp", "conformance/suite/hep001/compare.h", "another one"),
        ("conformance/suite/suites.cpp", "conformance/suite/hep001/reader.h", "hep001's own directory"),
        ("cli/suite.cpp", "conformance/suite/hep001/reader.h", "hep001's own directory"),
        ("reports/suite_report.cpp", "conformance/suite/engine/session.h", "lies below conformance/"),
        ("conformance/corpus.cpp", "conformance/suite/engine/session.h", "lies below conformance/suite/"),
        ("conformance/suite/engine/program.cpp", "validator/formats/arrow/a.h", "arrow's own directory"),
        ("validator/judge.cpp", "cli/validate.h", "lies below cli/"),
        ("conformance/corpus.cpp", "cli/validate.h", "lies below cli/"),
        ("reports/golden_reports_test.cpp", "conformance/corpus.h", "lies below conformance/"),
        ("validator/report.h", "validator/probe.h", "validator/report. lies below validator/"),
        ("validator/catalogue/clause.h", "validator/format.h", "lies below validator/"),
        ("validator/judge.cpp", "validator/isolate/worker.h", "lies below validator/isolate/"),
        ("validator/isolate/worker.cpp", "validator/formats/formats.h", "lies below validator/formats/"),
        ("validator/trace/log.cpp", "validator/crash/replay.h", "lies below validator/crash/"),
        ("validator/formats/hdf5/trace/check.cpp", "validator/crash/replay.h", "lies below validator/crash/"),
        ("cli/trace_replay.cpp", "validator/formats/hep001/libhdf5/read_content.h", "hep001's own directory"),
        ("fuzz/targets/file.cpp", "validator/formats/hep001/engine.h", "hep001's own directory"),
        ("fuzz/targets/file.cpp", "fuzz/hep001/grammar/model.h", "hep001's own directory"),
        ("fuzz/mutators/arrow.cpp", "validator/formats/hep001/libhdf5/checksum.h", "another one"),
        ("fuzz/arrow/targets/rules.cpp", "fuzz/hep001/grammar/model.h", "another one"),
    ]
    ALLOWED = [
        ("validator/formats/hep001/own/values.cpp", "validator/formats/hdf5/chunk_index.h"),
        ("validator/formats/formats.cpp", "validator/formats/arrow/format.h"),
        ("validator/formats/hep001/rules/nrows.cpp", "validator/formats/hep001/rules/rule.h"),
        ("validator/formats/hep001/rules/nrows.cpp", "validator/probe.h"),
        ("validator/formats/hep001/exchange/plan.cpp", "validator/exchange/table.h"),
        ("validator/isolate/examine.cpp", "validator/examine_file.h"),
        ("validator/judge.cpp", "validator/report.h"),
        ("validator/report.cpp", "validator/finding.h"),
        ("validator/crash/replay.cpp", "validator/formats/hdf5/trace/check.h"),
        ("validator/crash/replay.cpp", "validator/formats/hep001/libhdf5/read_content.h"),
        ("cli/trace_replay.cpp", "validator/crash/replay.h"),
        ("cli/index.cpp", "validator/formats/hep001/index_file.h"),
        ("cli/validate.cpp", "reports/formats.h"),
        ("conformance/suite/hep001/reader.cpp", "validator/formats/hep001/model/table.h"),
        ("conformance/suite/hep001/suite.cpp", "conformance/suite/suites.h"),
        ("conformance/suite/hep001/reader.cpp", "conformance/suite/engine/reader_judge.h"),
        ("fuzz/hep001/targets/replies.cpp", "conformance/suite/hep001/replies.h"),
        ("cli/suite.cpp", "conformance/suite/suites.h"),
        ("conformance/suite/arrow/reader.cpp", "validator/formats/arrow/format.h"),
        ("fuzz/hep001/targets/rules.cpp", "validator/formats/hep001/model/table.h"),
        ("fuzz/mutators/hep001.cpp", "validator/formats/hep001/libhdf5/checksum.h"),
        ("fuzz/targets/file.cpp", "fuzz/mutators/mutator.h"),
    ]

    def test_forbidden(self):
        for path, included, words in self.FORBIDDEN:
            with self.subTest(path, included=included):
                self.assertIn(words, broken_rule(path, included, self.KNOWN) or "")

    def test_allowed(self):
        for path, included in self.ALLOWED:
            with self.subTest(path, included=included):
                self.assertIsNone(broken_rule(path, included, self.KNOWN))

    def test_tree_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            (root / "validator/formats/hep001").mkdir(parents=True)
            (root / "validator/formats/hep001/table.h").touch()
            (root / "validator/judge.cpp").write_text(
                '#include <vector>\n  #  include "formats/hep001/table.h"\nint hep001;\n')
            self.assertEqual(forbidden_includes(root), {"validator/judge.cpp": [
                "validator/judge.cpp:2: includes validator/formats/hep001/table.h: "
                "only hep001's own directory may include its headers"]})
            self.assertEqual(names_of_formats(root)["validator/judge.cpp"][-1],
                             "validator/judge.cpp:3: the core names no format, and here is hep001")

    def test_rules_of_one_name(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve()
            for format, file in (("arrow", "list.cpp"), ("arrow", "list_view.cpp"), ("hdf5", "list.cpp")):
                (root / "validator/formats" / format).mkdir(parents=True, exist_ok=True)
                (root / "validator/formats" / format / file).write_text(
                    'constexpr Rule<Offsets> kSize("id", size);\nconstexpr int kMost = 1;\n')
            (wrong,) = shared_names_of_rules(root).values()
            self.assertRegex(wrong[0], "^validator/formats/arrow/list.*: kSize is a rule of validator/formats/arrow/list")

    def test_tree_is_this_project(self):
        self.assertIn("hep001", formats(SOURCE))
        self.assertGreater(sum(1 for _ in sources(SOURCE)), 100)


if __name__ == "__main__":
    unittest.main()
