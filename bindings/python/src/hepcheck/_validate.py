"""validate, validate_many and assert_conformant."""

from __future__ import annotations

import concurrent.futures
import json
import os
import pathlib
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import IO, Any, Optional, Protocol, Union, cast

from . import _program
from .report import Report


class HDF5Object(Protocol):
    """An h5py.File or h5py.Group."""

    @property
    def name(self) -> Any: ...

    @property
    def file(self) -> Any: ...


Input = Union[str, "os.PathLike[str]", IO[bytes], HDF5Object]
# How many files a task examines: enough to make the start of a process cheap, few enough to spread well.
FILES_PER_TASK = 16
# How many bytes of names one command line gets: Linux allows two million for all arguments and the environment.
NAME_BYTES = 500_000
# Options of validate, by keyword: how they become arguments of the program.
FLAGS = {"strict", "allow_no_tables", "allow_unchecked", "allow_plugins", "no_isolation", "stamp"}
WORDS = {"only", "skip", "spec"}
VALUES = {"depth", "max_findings", "memory_limit", "jobs", "baseline", "config", "fail_on", "reader"}


class NotConformant(AssertionError):
    """Something is not conformant; the message is the text report."""

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message)
        self.report = report


def arguments_of(options: Mapping[str, Any]) -> list[str]:
    made: list[str] = []
    if options.get("config") is None:
        made.append("--no-config")
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False and name in FLAGS:
            continue
        if name in FLAGS:
            made.append(option)
        elif name in WORDS:
            for each in [value] if isinstance(value, str) else value:
                made += [option, str(each)]
        elif name in VALUES:
            made += [option, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
        elif name == "limits":
            for limit, number in value.items():
                made += ["--limit", f"{limit}={number}"]
        else:
            known = sorted(FLAGS | WORDS | VALUES | {"limits"})
            raise TypeError(f"there is no option {name!r}; there are {', '.join(known)}")
    return made


def _is_hdf5(value: object) -> bool:
    """Whether this is a file or a group of h5py, which is not imported for this."""
    h5py = sys.modules.get("h5py")
    return h5py is not None and isinstance(value, h5py.Group)


def named(path: Input) -> Optional[str]:
    """The argument that names an input; None if it can only be streamed."""
    if isinstance(path, (str, os.PathLike)):
        return os.fsdecode(path)
    given = cast(Any, path)
    name = getattr(given, "name", None)
    if _is_hdf5(path):
        given.file.flush()
        file = os.fsdecode(given.file.filename)
        if not os.path.isfile(file):
            raise ValueError(f"{file}: this h5py file has no file on disk; save it, or give its bytes")
        return file if name == "/" else f"{file}:{name}"
    try:
        if isinstance(name, str) and os.path.samestat(os.fstat(given.fileno()), os.stat(name)):
            if given.writable():
                given.flush()
            return name
    except (OSError, ValueError, AttributeError):
        pass  # a file without a name, or one in memory
    return None


def validate(path: Input, spec: Union[str, Sequence[str], None] = None, *,
             executor: Optional[concurrent.futures.Executor] = None, parts: int = 1, **options: Any) -> Report:
    """Validates a file, "FILE:/group", a directory, an h5py.File or h5py.Group, or an open binary file.

    `spec` pins the specification; without it, each file is judged by the format that recognises it. The other
    options are those of `hepcheck validate`: only, skip, depth, max_findings, memory_limit, limits (a mapping),
    jobs, baseline, config, strict, allow_no_tables, allow_unchecked, allow_plugins, reader, stamp. Settings files are
    used only if `config` names one. Raises UsageError for an option that is not accepted.

    With `parts` and an executor (see validate_many), the columns of the tables of one file are divided among as many
    tasks; the report equals that of one process. The workers need the file under the same path."""
    if isinstance(path, bytes):
        raise TypeError("a path is a str or a PathLike; wrap the bytes of a file into io.BytesIO")
    name = named(path)
    arguments = ["validate", "--format", "json", *arguments_of({"spec": spec, **options}), "--"]
    if name is not None:
        with tempfile.TemporaryDirectory() as folder:
            facts = _facts(name, executor, parts, arguments_of({"spec": spec, **_one_job(options)}), folder)
            return Report.of(_program.run([*arguments[:-1], *facts, "--", name])[1])
    # A file in memory, a pipe or an archive member.
    return Report.of(_program.run([*arguments, "-"], cast("IO[bytes]", path).read())[1])


def assert_conformant(path: Input, spec: Union[str, Sequence[str], None] = None, *, fail_on: str = "must",
                      **options: Any) -> Report:
    """Raises NotConformant, with the text report as its message, unless the exit status of the program is 0."""
    name = named(path)
    with tempfile.TemporaryDirectory() as folder:
        document = pathlib.Path(folder) / "report.json"
        arguments = ["validate", "--format", f"json={document}", "--format", "text",
                     *arguments_of({"spec": spec, "fail_on": fail_on, **options}), "--"]
        status, text = _program.run([*arguments, name if name is not None else "-"],
                                    None if name is not None else cast("IO[bytes]", path).read())
        report = Report.of(document.read_bytes())
    if status != 0:
        raise NotConformant(text.decode("utf-8", "backslashreplace").rstrip(), report)
    return report


# --- One large table -------------------------------------------------------------------------------


def read_share(arguments: Sequence[str], path: str, share: str) -> bytes:
    """Runs in a worker of an executor: what the program learns from this share of the columns."""
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "facts"
        _program.run(["facts", "--share", share, "--output", str(made), *arguments, "--", path])
        return made.read_bytes()


def _facts(path: str, executor: Optional[concurrent.futures.Executor], parts: int, arguments: Sequence[str],
           folder: str) -> list[str]:
    """Options with the facts of all shares, in files in `folder`; none if there are no such facts."""
    if executor is None or parts < 2:
        return []
    shares = [f"{number}/{parts}" for number in range(1, parts + 1)]
    pending = [_submitted(executor, read_share, arguments, path, share) for share in shares]
    made: list[str] = []
    for number, (share, future) in enumerate(zip(shares, pending)):
        try:
            facts = _result(executor, future, read_share, arguments, path, share)
        except _program.UsageError:
            raise
        except Exception:
            # Of another format, or unreadable, or twice without a worker: the program reads it all.
            return []
        file = pathlib.Path(folder) / f"{number:06}.facts"
        file.write_bytes(facts)
        made += ["--facts", str(file)]
    return made


# --- Many files ------------------------------------------------------------------------------------


def examine(arguments: Sequence[str], paths: Sequence[str]) -> bytes:
    """Runs in a worker of an executor: the JSON report on these files."""
    return _program.run([*arguments, "--", *paths])[1]


def _lost(arguments: Sequence[str], paths: Sequence[str], reason: BaseException) -> bytes:
    """A report that says that a worker died twice with these files."""
    # A report on files that do not exist has every key with the right value.
    document = json.loads(examine(arguments, ["/nonexistent/hepcheck"]))
    (entry,) = document["files"]
    words = f"the worker that examined it died twice: {type(reason).__name__}: {reason}"
    document["files"] = [{**entry, "path": path, "error": words} for path in sorted(paths)]
    return (json.dumps(document) + "\n").encode()


def merged(documents: Iterable[bytes]) -> Report:
    """One report of several, sorted by file, as `hepcheck report merge` makes it."""
    with tempfile.TemporaryDirectory() as folder:
        parts = []
        for number, document in enumerate(documents):
            parts.append(os.path.join(folder, f"{number:06}.json"))
            pathlib.Path(parts[-1]).write_bytes(document)
        return Report.of(_program.run(["report", "merge", "--format", "json", *parts])[1])


def validate_many(paths: Iterable[Input], spec: Union[str, Sequence[str], None] = None, *,
                  executor: Optional[concurrent.futures.Executor] = None,
                  files_per_task: int = FILES_PER_TASK, **options: Any) -> Report:
    """Validates files on any `concurrent.futures` executor: processes, dask.distributed's `get_executor()`,
    mpi4py.futures; without one, by one run of the program, which uses all cores of this machine.

    The report equals that of one run over all files, sorted by path. Tasks are handed out as workers become free.
    A task whose worker dies is repeated once, then its files are reported as not examined. The workers need
    this package and the files under the same paths. Directories are not expanded."""
    files = []
    for path in paths:
        name = named(path)
        if name is None:
            raise TypeError("validate_many needs files that have a path")
        files.append(name)
    files = sorted(dict.fromkeys(files))
    arguments = ["validate", "--format", "json", *arguments_of({"spec": spec, **options})]
    if executor is None or not files:
        return merged([examine(arguments, some) for some in _fitting(files)])
    step = max(1, files_per_task)
    tasks = [files[at:at + step] for at in range(0, len(files), step)]
    alone = ["validate", "--format", "json", *arguments_of({"spec": spec, **_one_job(options)})]
    pending = [_submitted(executor, examine, alone, task) for task in tasks]
    documents = []
    for task, future in zip(tasks, pending):
        try:
            documents.append(_result(executor, future, examine, alone, task))
        except _program.UsageError:
            raise
        except Exception as error:
            documents.append(_lost(arguments, task, error))
    return merged(documents)


def _fitting(files: Sequence[str]) -> list[list[str]]:
    """These names in lists that fit into a command line."""
    made: list[list[str]] = [[]]
    room = NAME_BYTES
    for each in files:
        size = len(os.fsencode(each)) + 1
        if made[-1] and size > room:
            made.append([])
            room = NAME_BYTES
        made[-1].append(each)
        room -= size
    return made


def _one_job(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options for one of several tasks: the executor knows how many run at a time."""
    return {"jobs": 1, **options}


def _submitted(executor: concurrent.futures.Executor, work: Callable[..., bytes],
               *given: Any) -> concurrent.futures.Future[bytes]:
    try:
        return executor.submit(work, *given)
    except concurrent.futures.BrokenExecutor as error:
        broken: concurrent.futures.Future[bytes] = concurrent.futures.Future()
        broken.set_exception(error)
        return broken


def _result(executor: concurrent.futures.Executor, future: concurrent.futures.Future[bytes],
            work: Callable[..., bytes], *given: Any) -> bytes:
    """The result of a task, which is repeated once if its worker dies."""
    try:
        return future.result()
    except _program.UsageError:
        raise
    except Exception:
        try:
            return _submitted(executor, work, *given).result()
        except concurrent.futures.BrokenExecutor:
            # No worker of this executor is left: this process does it.
            return work(*given)
