"""Finds and runs the program."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import IO, Any, Optional, Union, cast

PACKAGE = pathlib.Path(__file__).resolve().parent
# Exit statuses of the program that go with a report.
REPORTED = (0, 1, 3)
USAGE = 2


class HepcheckError(RuntimeError):
    """The program could not be run, or did not write a report; the message is what it printed."""


class UsageError(HepcheckError, ValueError):
    """An option or its value is not accepted."""


def program() -> str:
    """The path of the program: the value of HEPCHECK, the one in this package, or the one on PATH."""
    named = os.environ.get("HEPCHECK")
    if named:
        return named
    own = PACKAGE / "bin" / "hepcheck"
    if own.is_file():
        return str(own)
    found = shutil.which("hepcheck")
    if not found:
        raise HepcheckError("the program hepcheck is neither in this package nor on PATH; "
                            "the environment variable HEPCHECK can name it")
    return found


def run(arguments: Sequence[str], stdin: Optional[Union[bytes, IO[bytes]]] = None) -> tuple[int, bytes]:
    """The exit status and the standard output of the program."""
    command = [program(), *arguments]
    given: dict[str, Any] = ({"input": stdin} if isinstance(stdin, bytes)
                             else {"stdin": stdin if stdin is not None else subprocess.DEVNULL})
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **given)
    except OSError as error:
        raise HepcheckError(f"cannot start {command[0]}: {error.strerror}") from error
    if done.returncode in REPORTED and (done.stdout or done.returncode == 0):
        return done.returncode, done.stdout
    words = done.stderr.decode("utf-8", "backslashreplace").strip() or f"exit status {done.returncode}"
    raise (UsageError if done.returncode == USAGE else HepcheckError)(words)


def schema(name: str = "report") -> dict[str, Any]:
    """The JSON schema of a kind of document: report, findings, ndjson, baseline, chunks, layout, ..."""
    folders = [PACKAGE / "schema", PACKAGE.parents[3] / "reports" / "schema"]
    for folder in folders:
        path = folder / f"{name}.schema.json"
        if path.is_file():
            return cast("dict[str, Any]", json.loads(path.read_text(encoding="utf-8")))
    known = sorted(path.name.partition(".")[0] for folder in folders for path in folder.glob("*.schema.json"))
    raise ValueError(f"there is no schema {name!r}; there are {', '.join(dict.fromkeys(known))}")


def main() -> None:
    """Replaces this process by the program."""
    path = program()
    os.execv(path, [path, *sys.argv[1:]])
