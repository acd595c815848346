"""Tests every report format against its own standard, with third-party validators."""

import base64
import hashlib
import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

import jsonschema
import rdflib

from report_testing import BAD, FIXTURES, GOOD, HEPCHECK, HOSTILE, SCHEMAS, SHARED, SOURCE, Reports, run

EARL = rdflib.Namespace("http://www.w3.org/ns/earl#")


def validator(name):
    schema = json.loads((SCHEMAS / name).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(
        schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)


def findings(document):
    return [(file, table, clause, finding) for file in document["files"]
            for table in file["tables"] for clause in table["clauses"]
            for finding in clause["findings"]]


class Json(Reports):
    def test_the_document(self):
        # libhdf5 dies of one of them.
        document = self.document("--reader", "libhdf5", *self.inputs())
        validator("report.schema.json").validate(document)
        self.assertGreater(len(findings(document)), 20)
        self.assertTrue(any(f["error"] for f in document["files"]))
        self.assertTrue(any("stopped" in f for f in document["files"]))

    def test_columns_in_clusters(self):
        folder = SOURCE / "fixtures/rntuple/valid"
        document = self.document(folder / "7.2.3/rntuple-cluster-group-entry-span--one-group.root",
                                 folder / "8.3.8/rntuple-map-optional-dense--mask.root")
        validator("report.schema.json").validate(document)
        columns, (mask, *_) = (file["tables"][0]["shape"]["columns"] for file in document["files"])
        self.assertEqual([[cell["elements"] for cell in column["levels"]] for column in columns],
                         [[3, 2, 1], [3, 2, 1], [3, 3, 1]])
        self.assertEqual([cell["path"] for cell in columns[0]["levels"]], ["cluster 0", "cluster 1", "cluster 2"])
        self.assertEqual((mask["nulls"], mask["levels"][0]["nulls"]), (1, 1))

    def test_the_schema_rejects(self):
        document = self.document(BAD)
        clause = next(c for c in document["files"][0]["tables"][0]["clauses"]
                      if c["verdict"] == "fail")
        clause["findings"][0]["object"] += "\x1b"
        self.assertFalse(validator("report.schema.json").is_valid(document))
        del clause["findings"][0]
        self.assertFalse(validator("report.schema.json").is_valid(document))

    def test_lines(self):
        inputs = self.inputs()
        lines = self.report("ndjson", *inputs).splitlines()
        check = validator("ndjson.schema.json")
        for line in lines:
            check.validate(json.loads(line))
        document = self.document(*inputs)
        tables = [dict({"spec": document["spec"]}, **t, hepcheck=document["hepcheck"], file=f["path"])
                  for f in document["files"] for t in f["tables"]]
        self.assertEqual([json.loads(l) for l in lines if '"clauses"' in l], tables)
        self.assertEqual(len(lines) - len(tables),
                         sum(bool(f["error"] or f["unreadable"] or not f["tables"])
                             for f in document["files"]))


def make_tables(path, count):
    """Creates empty tables, each of which violates some clauses."""
    import h5py
    import numpy as np
    with h5py.File(path, "w") as file:
        for i in range(count):
            group = file.create_group(f"t{i}")
            group.attrs.create("CLASS", np.bytes_("COLUMN_TABLE"))
            group.attrs.create("VERSION", np.bytes_("1.0"))
            group.attrs.create("NROWS", np.uint64(0))


# The peak of a child process includes the size of the process that started it, so this one is small.
MEASURE = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss, file=sys.stderr)
"""


def run_measured(command, stdout):
    """The exit status, and the peak memory in KiB of any process of the run."""
    measured = subprocess.run([sys.executable, "-c", MEASURE, *map(str, command)], stdout=stdout,
                              stderr=subprocess.PIPE, text=True, check=True)
    status, peak = measured.stderr.split()[-2:]
    return int(status), int(peak)


class ManyTables(Reports):
    """The memory use of a report does not grow with the number of tables."""

    @unittest.skipIf(b"__asan_init" in HEPCHECK.read_bytes(), "a sanitizer uses additional memory")
    def test_memory(self):
        path = self.folder / "many.h5"
        make_tables(path, 1000)
        for name in Injection.FORMATS:
            with self.subTest(name), open(self.folder / "report", "w+b") as report:
                status, peak = run_measured([HEPCHECK, "validate", "--no-config", "--format", name,
                                             path], stdout=report)
                self.assertEqual(status, 1)
                self.assertLess(peak, 100 << 10)
                if name == "ndjson":
                    report.seek(0)
                    self.assertEqual(sum(1 for _ in report), 1000)


class FindingsAlone(Reports):
    def test_all_findings_and_nothing_else(self):
        inputs = self.inputs()
        text = self.report("json-findings", *inputs)
        short = json.loads(text)
        validator("findings.schema.json").validate(short)
        document = self.document(*inputs)
        self.assertEqual(
            [(file["path"], table["path"], finding) for file in short["files"]
             for table in file["tables"] for finding in table.get("findings", [])],
            [(file["path"], table["path"], {"clause": clause["id"], **finding})
             for file, table, clause, finding in findings(document)])
        self.assertEqual(
            [sorted(i for each in table.get("not_checked", []) for i in each["clauses"])
             for file in short["files"] for table in file["tables"]],
            [sorted(c["id"] for c in table["clauses"] if c["verdict"] == "not-checked")
             for file in document["files"] for table in file["tables"]])
        named = {f["clause"] for file in short["files"] for table in file["tables"]
                 for f in table.get("findings", [])}
        self.assertLessEqual(named, set(short["clauses"]))
        self.assertLess(20 * len(text), len(self.report("json", *inputs)))


def full_sarif_schema():
    """The complete schema of the standard, which must not be redistributed; its path on this machine, if any.
    The file that SARIF_SCHEMA names must exist."""
    if named := os.environ.get("SARIF_SCHEMA"):
        return pathlib.Path(named)
    there = SHARED / "spec/sarif-schema-2.1.0.json"
    return there if there.exists() else None


class Sarif(Reports):
    @unittest.skipUnless(full_sarif_schema(), "SARIF_SCHEMA does not name the schema of SARIF 2.1.0")
    def test_the_full_schema(self):
        schema = json.loads(full_sarif_schema().read_text())
        check = jsonschema.Draft7Validator(schema, format_checker=jsonschema.Draft7Validator.FORMAT_CHECKER)
        for arguments in (self.inputs(), [GOOD], ["--stamp", BAD], ["--skip", "nrows-uint64", BAD],
                          ["--spec", "hdf5", "--spec", "auto", GOOD],
                          *(["--spec", name, FIXTURES.parent / name] for name in ("hdf5", "arrow"))):
            check.validate(json.loads(self.report("sarif", *arguments)))

    def test_requirements_of_services(self):
        run_ = json.loads(self.report("sarif", *self.inputs()))["runs"][0]
        self.assertEqual({r["kind"] for r in run_["results"]}, {"fail"})
        prints = [(r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
                   r["partialFingerprints"]["primaryLocationLineHash"]) for r in run_["results"]]
        self.assertEqual(len(set(prints)), len(prints))
        for rule in run_["tool"]["driver"]["rules"]:
            self.assertRegex(rule["shortDescription"]["text"], "^(Must|Should) hold: ")
            self.assertLessEqual(len(rule["fullDescription"]["text"]), 1024)
        for result in run_["results"]:
            self.assertTrue(result["message"]["text"].startswith("found "), result["message"])
        output = [n["message"]["text"] for n in run_["invocations"][0]["toolExecutionNotifications"]]
        self.assertTrue(any("not checked" in text for text in output))

    def test_the_log(self):
        inputs = self.inputs()
        log = json.loads(self.report("sarif", *inputs))
        validator("sarif-subset.schema.json").validate(log)
        (run_,) = log["runs"]
        document = self.document(*inputs)
        expected = findings(document)
        failed = [r for r in run_["results"] if r["kind"] == "fail"]
        self.assertEqual([r["ruleId"] for r in failed], [c["id"] for _, _, c, _ in expected])
        levels = {"info": "note", "warning": "warning", "error": "error"}
        self.assertEqual([r["level"] for r in failed],
                         [levels[f["severity"]] for *_, f in expected])
        rules = run_["tool"]["driver"]["rules"]
        self.assertEqual(len({r["id"] for r in rules}), len(rules))
        for result in run_["results"]:
            self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
            where = result["locations"][0]["physicalLocation"]["artifactLocation"]
            self.assertEqual(run_["artifacts"][where["index"]]["location"]["uri"], where["uri"])
        for result, (*_, finding) in zip(failed, expected):
            (where,) = result["locations"][0]["logicalLocations"]
            whole = finding["object"] + ("@" + finding["attribute"]
                                         if "attribute" in finding else "")
            self.assertEqual(where["fullyQualifiedName"], whole)
        self.assertFalse(run_["invocations"][0]["executionSuccessful"])

    def test_fingerprints_are_stable_and_unique(self):
        def prints(*arguments):
            return [r["partialFingerprints"]["primaryLocationLineHash"] for r in
                    json.loads(self.report("sarif", *arguments))["runs"][0]["results"]
                    if r["kind"] == "fail"]
        hostile = prints(self.hostile())
        self.assertEqual(len(set(hostile)), len(hostile))
        self.assertEqual(hostile, prints(self.hostile()))
        self.assertEqual(prints(GOOD, self.hostile()), hostile)
        self.assertNotEqual(prints(BAD), hostile[:1])


class Junit(Reports):
    def root(self, name, *inputs):
        text = self.report(name, *inputs)
        path = self.folder / "junit.xml"
        path.write_text(text)
        checked = subprocess.run(["xmllint", "--noout", "--nonet", "--schema",
                                  SCHEMAS / "junit.xsd", path], capture_output=True)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        root = ElementTree.fromstring(text)
        for scope in [root, *root]:
            for element, attribute in (("testcase", "tests"), ("failure", "failures"),
                                       ("error", "errors"), ("skipped", "skipped")):
                if attribute in scope.attrib:
                    self.assertEqual(len(list(scope.iter(element))), int(scope.get(attribute)))
        return root

    def test_one_suite_per_file_and_one_case_per_table(self):
        inputs = self.inputs()
        root = self.root("junit", *inputs)
        files = self.document(*inputs)["files"]
        self.assertEqual([s.get("file") for s in root], [f["path"] for f in files])
        for suite, file in zip(root, files):
            cases = [c for c in suite.iter("testcase") if c.get("name") not in ("readable", "judged")]
            self.assertEqual([c.get("name") for c in cases], [t["path"] for t in file["tables"]])
            self.assertEqual({c.get("file") for c in suite.iter("testcase")}, {file["path"]})
            for case, table in zip(cases, file["tables"]):
                self.check_case(case, table)

    def check_case(self, case, table):
        broken = [c for c in table["clauses"]
                  if c["verdict"] == "fail" and c["severity"] == "error"]
        failure = case.find("failure")
        self.assertEqual(failure is not None, table["verdict"] == "fail")
        if broken:
            first = next(f for f in broken[0]["findings"] if f["severity"] == "error")
            self.assertTrue(failure.get("message").startswith(
                f"{broken[0]['id']}: found {first['observed']}; expected {first['expected']}"))
            self.assertIn("must hold: ", failure.text)
            if "more in the other report formats" not in failure.text:
                for clause in broken:
                    self.assertIn(clause["id"] + "\n", failure.text)

    def test_one_case_per_clause(self):
        inputs = self.inputs()
        root = self.root("junit-clauses", *inputs)
        for file in self.document(*inputs)["files"]:
            for table in file["tables"]:
                (suite,) = [s for s in root if s.get("name") == f"{file['path']}:{table['path']}"]
                broken = [c["id"] for c in table["clauses"]
                          if c["verdict"] == "fail" and c["severity"] == "error"]
                self.assertEqual([c.get("name") for c in suite if c.find("failure") is not None],
                                 broken)
                for failure in suite.iter("failure"):
                    self.assertTrue(failure.get("message").startswith("found "))

    def test_every_skip_has_a_reason(self):
        root = self.root("junit-clauses", GOOD)
        skipped = list(root.iter("skipped"))
        self.assertGreater(len(skipped), 50)
        self.assertTrue(all(s.get("message") for s in skipped))

    def test_the_time_of_the_run(self):
        (suite,) = self.root("junit", GOOD)
        self.assertEqual(suite.get("timestamp"), "2025-12-31T23:59:59")

    def test_limits_of_services(self):
        """The limits of GitLab: 30 MB per file and 250,000 XML objects, which may include attributes and texts.
        Tested with 2,000 tables, as many as the corpus has, which is more than any gate reports."""
        text = self.report("junit", SOURCE / "fixtures/hep001/invalid")
        root = ElementTree.fromstring(text)
        tables = sum(c.get("name") not in ("readable", "judged") for c in root.iter("testcase"))
        self.assertGreater(tables, 600)
        objects = sum(1 + len(element.attrib) + bool(element.text and element.text.strip())
                      for element in root.iter())
        self.assertLess(objects * 2000 / tables, 250_000)
        self.assertLess(len(text.encode()) * 2000 / tables, 30_000_000)


class Services(Reports):
    """What GitHub and GitLab show next to the files of a change."""

    COMMAND = re.compile(r"::(error|warning|notice) ((?:file=[^:,\n]*,)?title=[^:,\n]*)::([^\n]*)")

    def test_annotations(self):
        inputs = self.inputs()
        lines = self.report("github", *inputs).splitlines()
        for line in lines:
            self.assertIsNotNone(self.COMMAND.fullmatch(line), line)
            self.assertIsNone(re.search("%(?!0A|25|3A|2C)", line), line)
        self.assertEqual(lines[0].split("::")[1], "notice title=hepcheck")
        document = self.document(*inputs)
        broken = [c for f in document["files"] for t in f["tables"] for c in t["clauses"]
                  if c["verdict"] == "fail"]
        self.assertEqual(sum("hold: " in line for line in lines), len(broken))
        order = [line.split(" ")[0][2:] for line in lines if "hold: " in line]
        self.assertEqual(order, sorted(order, key=["error", "warning", "notice"].index))

    def test_name_is_not_a_command(self):
        path = self.folder / "a,b%0A::set-env name=x::y.h5"
        path.write_bytes(BAD.read_bytes())
        lines = self.report("github", path, self.hostile()).splitlines()
        self.assertFalse([line for line in lines if not self.COMMAND.fullmatch(line)])
        self.assertTrue(any("/a%2Cb%250A%3A%3Aset-env name=x%3A%3Ay.h5,title=" in line for line in lines))
        self.assertFalse([line for line in lines if "%0A::" in line])

    def test_code_quality(self):
        inputs = self.inputs()
        issues = json.loads(self.report("gitlab", *inputs))
        validator("gitlab.schema.json").validate(issues)
        self.assertEqual(len({i["fingerprint"] for i in issues}), len(issues))
        expected = findings(self.document(*inputs))
        named = {clause["id"] for _, _, clause, _ in expected}
        self.assertEqual([(i["check_name"], i["location"]["path"]) for i in issues
                          if i["check_name"] in named],
                         [(c["id"], f["path"]) for f, _, c, _ in expected])
        self.assertEqual(json.loads(self.report("gitlab", GOOD)), [])
        self.assertEqual(issues, json.loads(self.report("gitlab", *inputs)))


class Markdown(Reports):
    def render(self, text):
        page = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink",
                               "-e", "strikethrough"], input=text.encode(), capture_output=True,
                              check=True).stdout.decode()
        found = {"tags": [], "text": [], "links": 0}

        class Parser(html.parser.HTMLParser):
            open_code = 0

            def handle_starttag(self, tag, attributes):
                found["tags"].append(tag)
                self.open_code += tag == "code"

            def handle_endtag(self, tag):
                self.open_code -= tag == "code"

            def handle_data(self, data):
                if not self.open_code:
                    found["text"].append(data)

        Parser().feed(page)
        return page, found

    def test_only_intended_markup(self):
        text = self.report("markdown", *self.inputs())
        page, found = self.render(text)
        self.assertLessEqual(set(found["tags"]), {
            "h2", "p", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "code",
            "ul", "li", "strong"})
        outside = "".join(found["text"])  # text outside code spans is written by hepcheck
        for word in ("script", "someone", "e.example", "img", "gotcha", "::", "alert", "\\"):
            self.assertNotIn(word, outside)
        rows = [row for row in re.findall("<tr>.*?</tr>", page, re.S) if "<td" in row]
        self.assertEqual(len(rows),
                         sum(len(f["tables"]) for f in self.document(*self.inputs())["files"]))
        for row in rows:
            self.assertEqual(len(re.findall("<td", row)), 8, row)

    def test_summary_first_details_folded(self):
        text = self.report("markdown", GOOD, BAD)
        self.assertTrue(text.startswith("## :x: HEP001: 1 of 2 tables not conformant\n"), text)
        self.assertLess(text.index("NOT CONFORMANT"), text.index("<details>"))
        self.assertIn("`nrows-uint64`", text[text.index("<details>"):])
        self.assertNotIn("<details>", self.report("markdown", GOOD))

    def test_size_limit_of_comments(self):
        path = self.folder / "many.h5"
        make_tables(path, 1500)
        # Of the corpus a third: all of it takes 8 s of CPU.
        part = sorted((FIXTURES / "invalid").rglob("*.h5"))[::3]
        self.assertGreater(len(part), 300)
        for inputs in (part, [path], self.inputs()):
            text = self.report("markdown", *inputs)
            self.assertLess(len(text), 65_536)
            self.render(text)
        self.assertIn("more failing tables are not in this table", self.report("markdown", path))

    def test_failing_tables_come_first(self):
        good = self.folder / "good"
        good.mkdir()
        for i in range(250):
            (good / f"{i}.h5").symlink_to(GOOD)
        bad = self.folder / "zzz.h5"
        bad.write_bytes(BAD.read_bytes())
        text = self.report("markdown", good, bad)
        first = text.index("zzz.h5")
        self.assertLess(first, text.index("<details><summary>250 tables conformant"))
        self.assertIn("must hold: ", text)

    def test_files_without_a_table_are_counted_and_named(self):
        import h5py
        folder = self.folder / "none"
        folder.mkdir()
        for i in range(30):
            h5py.File(folder / f"{i}.h5", "w").close()
        text = self.report("markdown", "--spec", "hep001", folder)
        self.assertIn("30 places cannot be examined", text)
        self.assertIn("--allow-no-tables", text)
        for name in ("text", "json", "json-findings", "ndjson", "sarif", "junit", "junit-clauses",
                     "github", "markdown", "html", "earl"):
            text = self.report(name, "--allow-no-tables", GOOD, folder)
            self.assertIn("/29.h5", text, name)
        page = self.report("html", "--allow-no-tables", GOOD, folder)
        self.assertIn("30 files not judged: no table group", page)


class Earl(Reports):
    OUTCOMES = {"pass": {"passed"}, "fail": {"failed", "cantTell"},
                "not-applicable": {"inapplicable"}, "not-checked": {"untested"}}
    CLASSES = {"Assertion", "Assertor", "Software", "TestSubject", "TestRequirement", "TestResult"}
    PROPERTIES = {"assertedBy", "subject", "test", "mode", "result", "outcome", "info"}

    def test_the_graph(self):
        inputs = self.inputs()[:12]  # some of each kind; rdflib takes 0.1 s for each
        graph = rdflib.Graph().parse(data=self.report("earl", *inputs), format="json-ld",
                                     publicID="http://base.example/")
        document = self.document(*inputs)
        clauses = [(c["id"], c["verdict"]) for f in document["files"] for t in f["tables"]
                   for c in t["clauses"]]
        assertions = list(graph.subjects(rdflib.RDF.type, EARL.Assertion))
        self.assertEqual(len(assertions), len(clauses))
        seen = []
        for assertion in assertions:
            # EARL 1.0: exactly one assertor, subject, test and result, each of its class.
            for name, kinds in (("assertedBy", {EARL.Assertor}), ("subject", {EARL.TestSubject}),
                                ("test", {EARL.TestRequirement}), ("result", {EARL.TestResult})):
                (value,) = graph.objects(assertion, EARL[name])
                self.assertLessEqual(kinds, set(graph.objects(value, rdflib.RDF.type)))
            self.assertEqual(graph.value(assertion, EARL.mode), EARL.automatic)
            (outcome,) = graph.objects(graph.value(assertion, EARL.result), EARL.outcome)
            title = graph.value(graph.value(assertion, EARL.test), rdflib.DCTERMS.title)
            seen.append((str(title), str(outcome).removeprefix(str(EARL))))
        self.assertEqual(sorted(i for i, _ in seen), sorted(i for i, _ in clauses))
        expected = {outcome for _, verdict in clauses for outcome in self.OUTCOMES[verdict]}
        self.assertLessEqual({o for _, o in seen}, expected)
        for verdict, outcomes in self.OUTCOMES.items():
            self.assertEqual(sum(o in outcomes for _, o in seen),
                             sum(v == verdict for _, v in clauses), verdict)

    def test_only_terms_of_the_vocabulary(self):
        graph = rdflib.Graph().parse(data=self.report("earl", BAD), format="json-ld",
                                     publicID="http://base.example/")
        used = {str(p).removeprefix(str(EARL)) for p in graph.predicates() if p in EARL}
        self.assertLessEqual(used, self.PROPERTIES)
        kinds = {str(o).removeprefix(str(EARL)) for o in graph.objects(None, rdflib.RDF.type)}
        self.assertLessEqual(kinds, self.CLASSES)
        self.assertGreaterEqual(kinds, {"Assertion", "TestSubject"})


class Badge(Reports):
    def test_endpoint(self):
        for path, message, colour in ((GOOD, "conformant", "brightgreen"),
                                      (BAD, "not conformant", "red"),
                                      (self.folder / "x.h5", "not fully checked", "lightgrey")):
            badge = json.loads(self.report("badge", path))
            validator("badge.schema.json").validate(badge)
            self.assertEqual((badge["message"], badge["color"]), (message, colour))
        self.assertEqual(json.loads(self.report("badge", GOOD, BAD))["message"],
                         "1 of 2 tables not conformant")

    def test_picture(self):
        for path, message in ((GOOD, "HEP001: conformant"), (BAD, "HEP001: not conformant")):
            root = ElementTree.fromstring(self.report("badge-svg", path))
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            self.assertEqual(root.get("aria-label"), message)
            self.assertEqual({e.tag.split("}")[1] for e in root.iter()},
                             {"svg", "title", "rect", "path", "g", "text"})


class Page(html.parser.HTMLParser):
    """An HTML page: its elements, and the contents of those whose text matters."""
    VOID = {"meta", "link", "br", "img", "input", "path"}

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.texts, self.trouble = [], [], {}, []
        self.feed(text)
        self.close()
        self.trouble += [f"{tag} is not closed" for tag in self.open]

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.trouble.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, text):
        for tag in self.open:
            self.texts.setdefault(tag, []).append(text)

    def data(self):
        (text,) = [t for t in self.texts["script"] if t.startswith("{")]
        return json.loads(text)


class Html(Reports):
    def page(self, *inputs):
        page = Page(self.report("html", *inputs))
        self.assertEqual(page.trouble, [])
        return page

    def test_well_formed(self):
        for inputs in ([GOOD], [BAD], self.inputs(), [self.folder / "missing.h5"]):
            page = self.page(*inputs)
            ids = [a["id"] for _, a in page.elements if "id" in a]
            self.assertEqual(len(ids), len(set(ids)))
            for _, attributes in page.elements:
                named = attributes.get("aria-labelledby")
                self.assertTrue(named is None or named in ids + ["table-name", "clauses-name"], named)

    def test_page_contains_the_report(self):
        inputs = self.inputs()
        data = self.page(*inputs).data()
        for file in data["report"]["files"]:
            for table in file["tables"]:
                table["clauses"] = [data["results"][i] for i in table["clauses"]]
        document = self.document(*inputs)
        self.assertEqual(data["report"], document)
        known = {c["id"] for c in data["clauses"]}
        self.assertLessEqual({c["id"] for f in document["files"] for t in f["tables"]
                              for c in t["clauses"]}, known)

    def test_stored_report_gives_the_same_page(self):
        stored = self.folder / "report.json"
        stored.write_text(self.report("json", *self.inputs()))
        result = run("report", "render", "--format", "html", stored)
        self.assertEqual(result.stdout.decode(), self.report("html", *self.inputs()))

    def test_verdict_and_broken_clauses_without_scripts(self):
        for inputs, words in (([GOOD], "Conformant"), ([BAD], "Not conformant"),
                              ([GOOD, BAD], "1 of 2 tables not conformant"),
                              ([self.folder / "missing.h5"], "Not fully checked")):
            self.assertEqual("".join(self.page(*inputs).texts["h1"]), words)
        inputs = self.inputs()
        page, document = self.page(*inputs), self.document(*inputs)
        mended = {a["id"].removeprefix("fix-") for tag, a in page.elements
                  if tag == "li" and a.get("id", "").startswith("fix-")}
        self.assertEqual(mended, {c["id"] for _, _, c, _ in findings(document)})
        text = "".join(page.texts["li"])
        for finding in (f for *_, f in findings(self.document(BAD))):
            for part in ("object", "observed", "expected", "fix"):
                self.assertIn(finding[part], text)

    def test_baseline_entries(self):
        document = self.document(BAD)
        (failed,) = [c for c in document["files"][0]["tables"][0]["clauses"]
                     if c["verdict"] == "fail"]
        failed["findings"][0]["known"] = True
        table = document["files"][0]["tables"][0]
        table["verdict"] = "pass"
        for each in (document, table):
            each.update(claim="accepted", accepted={"known": 1})
        document["baseline"] = {"gone": [{"file": "<i>.h5", "table": "/t", "clause": failed["id"],
                                          "object": "/gone"}]}
        stored = self.folder / "report.json"
        stored.write_text(json.dumps(document))
        page = Page(run("report", "render", "--format", "html", stored).stdout.decode())
        self.assertEqual(page.trouble, [])
        ids = {a.get("id") for _, a in page.elements}
        self.assertIn("known-" + failed["id"], ids)
        self.assertNotIn("fix-" + failed["id"], ids)
        self.assertEqual("".join(page.texts["h1"]), "Accepted: 1 known violation")
        self.assertIn("<i>.h5:/gone: " + failed["id"], "".join(page.texts["code"]))

    def test_only_its_own_style_and_script(self):
        text = self.report("html", BAD)
        page = Page(text)
        (policy,) = [a["content"] for _, a in page.elements
                     if a.get("http-equiv") == "Content-Security-Policy"]
        for tag in ("style", "script"):
            own = re.search(f"<{tag}>(.*?)</{tag}>", text, re.S).group(1)
            digest = base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()
            self.assertIn(f"{tag}-src 'sha256-{digest}'", policy)
            self.assertEqual(re.findall(f"{tag}-src ([^;]*)", policy), [f"'sha256-{digest}'"])
        self.assertIn("default-src 'none'", policy)
        for tag, attributes in page.elements:
            self.assertNotIn("src", attributes)
            self.assertNotIn("style", attributes)
            if tag == "link":
                self.assertEqual(attributes["href"], "data:,")
        self.assertNotRegex("".join(page.texts["style"]), r"url\(|@import")

    def test_names_are_inert(self):
        page = self.page(self.hostile(), *self.inputs())
        self.assertLessEqual({tag for tag, _ in page.elements}, {
            "html", "head", "meta", "title", "link", "style", "body", "header", "main", "footer",
            "section", "div", "span", "p", "h1", "h2", "h3", "ol", "li", "dl", "dt", "dd", "b",
            "code", "a", "details", "summary", "table", "thead", "tbody", "tr", "th", "td", "svg",
            "path", "noscript", "script", "ul"})
        self.assertEqual(sum(tag == "script" for tag, _ in page.elements), 2)
        for _, attributes in page.elements:
            self.assertFalse([name for name in attributes if name.startswith("on")])
            self.assertRegex(attributes.get("href", "#"), r"^(#|data:,$|https://github.com/HDFAlliance/)")
        self.assertIn("/t\\xFF\\n::error::gotcha/_\"'", "".join(page.texts["code"]))


class Pictures(Reports):
    """The places where indexes differ, as far as the name of a fixture tells them."""

    def column(self, fixture, name="x"):
        (file,) = self.document(SOURCE / "fixtures/hep001/invalid" / fixture)["files"]
        (column,) = [c for t in file["tables"] for c in t["shape"]["columns"] if c["name"] == name]
        return column

    def test_chunk(self):
        (index,) = self.column("10.4/minmax-min-value--other-chunk.h5")["maps"]
        self.assertEqual((index["kind"], index["compared"], index["unit"]),
                         ("CHUNK_MINMAX", True, "chunk"))
        self.assertEqual(index["differences"], [[0, 1]])

    def test_order_violations(self):
        column = self.column("10.5/sorted-integer-order--descending.h5")
        (index,) = column["maps"]
        self.assertEqual((index["kind"], index["unit"]), ("SORTED_ROWS", "element"))
        self.assertGreater(len(index["differences"]), 2)

    def test_contents_that_could_not_be_compared(self):
        (index,) = self.column("10.5/sorted-unsigned--int64.h5")["maps"]
        self.assertFalse(index["compared"])
        self.assertIn("sorted-unsigned", index["reason"])

    def test_missing_rows(self):
        import h5py
        for file in self.document(FIXTURES / "valid/10.4")["files"]:
            for table in file["tables"]:
                for column in table["shape"]["columns"]:
                    if "missing" not in column or column["datatype"] != "int32":
                        continue
                    with h5py.File(file["path"]) as stored:
                        dataset = stored[table["path"]][column["name"]]
                        values = dataset[:table["shape"]["nrows"]]
                        step = column["missing"]["rows_per_cell"]
                        self.assertEqual(column["missing"]["rows"], [
                            int((values[i:i + step] == dataset.fillvalue).sum())
                            for i in range(0, len(values), step)])
                        self.counted = True
        self.assertTrue(self.counted)

    def test_nulls_of_batches(self):
        several = 0
        for file in self.document(SOURCE / "fixtures/arrow/valid/2.4", "--spec", "arrow")["files"]:
            for stream in file["tables"]:
                for field in stream["shape"]["fields"]:
                    if not field["slots"]:
                        self.assertNotIn("missing", field)
                        continue
                    cells, step = field["missing"]["rows"], field["missing"]["rows_per_cell"]
                    self.assertEqual(sum(cells), field["nulls"])
                    self.assertEqual(len(cells), -(-field["slots"] // step))
                    several += field["nulls"] > 1
        self.assertGreater(several, 1)


class Injection(Reports):
    FORMATS = ["text", "json", "json-findings", "ndjson", "sarif", "junit", "junit-clauses",
               "github", "gitlab", "markdown", "html", "earl", "badge", "badge-svg"]

    def test_every_format_is_tested(self):
        offered = run("validate", "--help").stdout.decode()
        output = re.search(r"FORMAT=FILE; may be\s+repeated:(.*?)\[text\]", offered, re.S).group(1)
        self.assertEqual(sorted(re.findall(r"[a-z-]+", output)), sorted(self.FORMATS))

    def test_no_control_codes_and_no_commands(self):
        inputs = self.inputs()
        for name in self.FORMATS:
            text = self.report(name, *inputs)
            with self.subTest(format=name):
                self.assertIsNone(re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ufeff]",
                                            text))
                for line in text.splitlines():
                    # Services.test_annotations checks each of these.
                    self.assertEqual(line.strip().startswith("::"), name == "github", line)
                    self.assertNotIn("##[", line)
                    self.assertNotIn("##vso", line)

    def test_no_markup(self):
        for name in ("junit", "markdown", "badge-svg"):
            text = self.report(name, self.hostile())
            for markup in ("<script", "<img", "<i>", "<b>"):
                outside_code = re.sub(r"`[^`]*`", "", text) if name == "markdown" else text
                self.assertNotIn(markup, outside_code, name)

    def test_invalid_utf8_is_shown_without_loss(self):
        document = self.document(self.hostile())
        (table,) = document["files"][0]["tables"]
        self.assertEqual(table["path"], "/t\\xFF\\n::error::gotcha")
        names = {c["name"] for c in table["shape"]["columns"]}
        for name in HOSTILE:
            name = ("_" + name.replace("/", "")).replace("\x1b", "\\x1B")
            name = name.replace("\u202e", "\\u{202E}").replace("\x9b", "\\u{009B}")
            name = name.replace("##", "#\\x23")
            self.assertTrue(any(f["object"].endswith(name) for *_, f in findings(document))
                            or name in names, name)


if __name__ == "__main__":
    unittest.main()
