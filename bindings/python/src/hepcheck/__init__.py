"""Validates columnar data files clause by clause: HEP001 tables, HDF5 containers, Arrow IPC.

    import hepcheck
    report = hepcheck.validate("events.h5")
    report.claim                        # "conformant", "accepted", "not conformant" or "not decided"
    for found in report.findings():     # one for each place where a clause does not hold
        print(found)

No file is read in this process: the program `hepcheck` examines each file in a sandbox."""

from ._program import HepcheckError, UsageError, program, schema
from ._validate import NotConformant, assert_conformant, validate, validate_many
from .report import (Claim, ClauseResult, FileReport, Finding, Found, Report, Severity, Subject,
                     Verdict)

__all__ = [
    "Claim", "ClauseResult", "FileReport", "Finding", "Found", "HepcheckError", "NotConformant", "Report",
    "Severity", "Subject", "UsageError", "Verdict", "assert_conformant", "program", "schema", "validate",
    "validate_many",
]
