"""The syntax tree of a C++ source, as printed by clang."""

import hashlib
import json
import os
import pathlib
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field

CLANG = "clang++-19"
# Options that only g++ supports, or that make clang write files.
DROPPED = {"-c", "-MD", "-Werror"}
DROPPED_WITH_VALUE = {"-o", "-MF", "-MT", "-MQ"}


@dataclass
class Node:
    """A node: `begin` and `end` are byte offsets in `file`; None inside a macro."""
    kind: str
    file: str | None
    begin: int | None
    end: int | None
    line: int | None
    data: dict
    inner: list["Node"] = field(default_factory=list)

    @property
    def type(self) -> str:
        return self.data.get("type", {}).get("qualType", "")


def clang_arguments(command: str) -> list[str]:
    """The arguments of a compile command that determine the syntax tree."""
    arguments, skip = [], False
    for argument in shlex.split(command)[1:]:
        if skip:
            skip = False
        elif argument in DROPPED_WITH_VALUE:
            skip = True
        elif argument not in DROPPED and not argument.startswith("-fconcepts"):
            arguments.append(argument)
    return arguments


def documents(text: str) -> Iterator[dict]:
    """The JSON values of a concatenation."""
    decoder, at = json.JSONDecoder(), 0
    while (at := skip_space(text, at)) < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value


def skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


class Reader:
    """Resolves locations: clang prints a file or a line only if it differs from the previous one."""

    def __init__(self, wanted):
        self.wanted = wanted  # whether the nodes of a file are needed, by its path
        self.file = self.line = None

    def place(self, location: dict) -> tuple[str | None, int | None, int | None, int]:
        """File, line, offset and length of the token; the offset is None inside a macro."""
        if "spellingLoc" in location:
            self.place(location["spellingLoc"])
            file, line, _, _ = self.place(location["expansionLoc"])
            return file, line, None, 0
        self.file = location.get("file", self.file)
        self.line = location.get("line", self.line)
        return self.file, self.line, location.get("offset"), location.get("tokLen", 0)

    def node(self, data: dict) -> Node | None:
        """The node and its descendants in wanted files."""
        if "kind" not in data:
            return None
        if "loc" in data:
            self.place(data["loc"])
        file, line, begin, _ = self.place(data.get("range", {}).get("begin", {}))
        end_file, _, end, length = self.place(data.get("range", {}).get("end", {}))
        if end is None or end_file != file:
            begin = end = None
        else:
            end += length
        inner = [node for child in data.pop("inner", ()) if (node := self.node(child))]
        if not (inner or (file and self.wanted(file))):
            return None
        return Node(data["kind"], file, begin, end, line, data, inner)


def declarations(command: str, folder: str, wanted) -> list[Node]:
    """The declarations of the namespace hepcheck in the wanted files of a source."""
    run = subprocess.run([CLANG, "-fsyntax-only", "-w", "-Xclang", "-ast-dump=json", "-Xclang",
                          "-ast-dump-filter=hepcheck", *clang_arguments(command)],
                         cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode:
        raise RuntimeError(run.stderr[-2000:])
    reader = Reader(wanted)
    return [node for value in documents(run.stdout) if (node := reader.node(value))]


def cached(key: str, folder: pathlib.Path, make):
    """The result of make() for a key, cached as JSON."""
    path = folder / (hashlib.sha256(key.encode()).hexdigest()[:24] + ".json")
    if path.exists():
        return json.loads(path.read_text())
    value = make()
    folder.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps(value))
    partial.rename(path)
    return value
