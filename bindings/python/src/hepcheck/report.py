"""A report as typed objects. `raw` of each object is its part of the JSON document, with every key."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Optional

from . import _program

Claim = Literal["conformant", "accepted", "not conformant", "not decided"]
Verdict = Literal["pass", "fail", "not-applicable", "not-checked"]
Severity = Literal["none", "info", "warning", "error"]
Document = Mapping[str, Any]
SHOWN = 20  # findings in a notebook


@dataclass(frozen=True)
class Finding:
    """A place where a clause does not hold. Texts of the file are escaped as in JSON reports."""

    severity: Severity
    object: str
    attribute: str
    where: str
    observed: str
    expected: str
    fix: str
    witness: str  # a query that loses or invents rows because of it; empty if there is none
    more: int  # further places of the same kind that are not listed
    known: bool  # listed in the baseline
    raw: Document = field(repr=False, compare=False)

    @classmethod
    def of(cls, raw: Document) -> Finding:
        return cls(raw["severity"], raw["object"], raw.get("attribute", ""), raw.get("where", ""), raw["observed"],
                   raw["expected"], raw["fix"], raw.get("witness", ""), raw.get("more", 0), raw.get("known", False),
                   raw)

    @property
    def place(self) -> str:
        return self.object + (f"@{self.attribute}" if self.attribute else "") + (f" {self.where}" if self.where else "")


@dataclass(frozen=True)
class ClauseResult:
    """The result of one clause for one subject."""

    id: str
    section: str
    level: str  # MUST, MUST NOT, SHOULD, SHOULD NOT, MAY
    verdict: Verdict
    severity: Severity
    reason: Optional[str]  # why it was not checked or does not apply
    examined: int  # places
    findings: tuple[Finding, ...]
    raw: Document = field(repr=False, compare=False)

    @classmethod
    def of(cls, raw: Document) -> ClauseResult:
        return cls(raw["id"], raw["section"], raw["level"], raw["verdict"], raw["severity"], raw["reason"],
                   raw["examined"], tuple(map(Finding.of, raw["findings"])), raw)


@dataclass(frozen=True)
class Subject:
    """What was judged as a unit: a table, a container, a stream, a directory."""

    path: str
    kind: str
    spec: str
    claim: Claim
    reason: Optional[str]
    notes: tuple[str, ...]
    clauses: tuple[ClauseResult, ...]
    raw: Document = field(repr=False, compare=False)

    @classmethod
    def of(cls, raw: Document, spec: str) -> Subject:
        return cls(raw["path"], raw.get("kind", "table"), raw.get("spec", spec), raw["claim"], raw["reason"],
                   tuple(raw["notes"]), tuple(map(ClauseResult.of, raw["clauses"])), raw)

    def clause(self, id: str) -> ClauseResult:
        for each in self.clauses:
            if each.id == id:
                return each
        raise KeyError(id)


@dataclass(frozen=True)
class FileReport:
    path: str
    error: Optional[str]  # why it could not be examined
    unreadable: tuple[tuple[str, str], ...]  # objects that could not be read, with the reasons
    subjects: tuple[Subject, ...]
    raw: Document = field(repr=False, compare=False)

    @classmethod
    def of(cls, raw: Document, spec: str) -> FileReport:
        return cls(raw["path"], raw["error"], tuple((each["object"], each["reason"]) for each in raw["unreadable"]),
                   tuple(Subject.of(each, spec) for each in raw["tables"]), raw)


@dataclass(frozen=True)
class Found:
    """A finding with the file, the subject and the clause that it belongs to."""

    file: FileReport
    subject: Subject
    clause: ClauseResult
    finding: Finding

    def __str__(self) -> str:
        it, clause = self.finding, self.clause
        lines = [f"{it.severity} {clause.id}  [{clause.section} {clause.level}]",
                 f"  at        {self.file.path}: {it.place}",
                 f"  found     {it.observed}",
                 f"  expected  {it.expected}"]
        lines += [f"  witness   {it.witness}"] if it.witness else []
        lines += [f"  fix       {it.fix}"] if it.fix else []
        return "\n".join(lines)


@dataclass(frozen=True)
class Report:
    """The report of a run. `json` is the document as the program wrote it, byte for byte."""

    version: str
    spec: str
    claim: Claim
    files: tuple[FileReport, ...]
    json: bytes = field(repr=False)
    raw: Document = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: bytes) -> Report:
        """Raises ValueError if `document` is not a JSON report."""
        try:
            raw = json.loads(document)
            files = tuple(FileReport.of(each, raw["spec"]) for each in raw["files"])
            return cls(raw["hepcheck"], raw["spec"], raw["claim"], files, document, raw)
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a hepcheck report: {error!r}") from error

    @property
    def subjects(self) -> tuple[Subject, ...]:
        return tuple(subject for file in self.files for subject in file.subjects)

    def findings(self, severity: Severity = "info") -> Iterator[Found]:
        """All findings of at least this severity."""
        order: tuple[Severity, ...] = ("none", "info", "warning", "error")
        least = order.index(severity)
        for file in self.files:
            for subject in file.subjects:
                for clause in subject.clauses:
                    for finding in clause.findings:
                        if order.index(finding.severity) >= least:
                            yield Found(file, subject, clause, finding)

    def render(self, format: str = "text") -> str:
        """The report in another format of the program: text, html, sarif, junit, markdown, ..."""
        import tempfile
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            file.write(self.json)
            file.flush()
            return _program.run(["report", "render", "--format", format, file.name])[1].decode()

    def __str__(self) -> str:
        return self.render().rstrip("\n")

    # --- Notebooks and tables ---

    def _repr_html_(self) -> str:
        def cell(text: object) -> str:
            return f"<td style='text-align:left'>{html.escape(str(text))}</td>"

        rows = [f"<tr>{cell(file.path + ':' + each.path)}{cell(each.spec)}{cell(each.claim)}"
                f"{cell(sum(len(clause.findings) for clause in each.clauses))}</tr>"
                for file in self.files for each in file.subjects]
        rows += [f"<tr>{cell(file.path)}{cell('')}{cell('not decided: ' + file.error)}{cell('')}</tr>"
                 for file in self.files if file.error]
        found = list(self.findings("warning"))
        shown = "".join(f"<pre>{html.escape(str(each))}</pre>" for each in found[:SHOWN])
        more = f"<p>and {len(found) - SHOWN} more findings</p>" if len(found) > SHOWN else ""
        return (f"<div><p><b>{html.escape(self.claim)}</b> (hepcheck {html.escape(self.version)})</p><table><tr>"
                f"<th>subject</th><th>specification</th><th>result</th><th>findings</th></tr>{''.join(rows)}</table>"
                f"{shown}{more}</div>")

    def records(self) -> list[dict[str, Any]]:
        """One dictionary for each finding."""
        return [{"file": found.file.path, "subject": found.subject.path, "spec": found.subject.spec,
                 "clause": found.clause.id, "section": found.clause.section, "level": found.clause.level,
                 **{name: getattr(found.finding, name)
                    for name in ("severity", "object", "attribute", "where", "observed", "expected", "fix",
                                 "witness", "more", "known")}}
                for found in self.findings()]

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with one row for each finding."""
        import pandas
        return pandas.DataFrame(self.records(), columns=list(COLUMNS))

    def to_arrow(self) -> Any:
        """A pyarrow.Table with one row for each finding."""
        import pyarrow
        types = {"more": pyarrow.int64(), "known": pyarrow.bool_()}
        return pyarrow.Table.from_pylist(self.records(), pyarrow.schema(
            [(name, types.get(name, pyarrow.string())) for name in COLUMNS]))


COLUMNS = ("file", "subject", "spec", "clause", "section", "level", "severity", "object", "attribute", "where",
           "observed", "expected", "fix", "witness", "more", "known")
