"""The output of h5dump for two files, reduced to the differences."""

import re
import subprocess
from dataclasses import dataclass, field

MOST_LINES = 40
_OBJECTS = ("ATTRIBUTE", "GROUP", "DATASET", "DATATYPE \"", "SOFTLINK", "EXTERNAL_LINK",
            "USERDEFINED_LINK")


@dataclass
class Block:
    """A line of the dump, and the contents of its braces."""

    head: str
    parts: list = field(default_factory=list)
    braces: bool = False
    end: str = "}"  # a member of a compound has its name there

    @property
    def is_object(self):
        return self.head.startswith(_OBJECTS)

    def lines(self, indent=0):
        space = "   " * indent
        if not self.braces:
            return [space + self.head]
        return [space + self.head + " {", *(line for part in self.parts
                                            for line in part.lines(indent + 1)),
                space + self.end]


def dump(path, *options):
    """The dump of the root group."""
    text = subprocess.run(["h5dump", *options, str(path)], capture_output=True).stdout
    lines = text.decode("utf-8", "backslashreplace").replace(f"{path}", "").splitlines()
    root = Block("", braces=True)
    stack, value = [root], None
    for line in map(str.strip, lines):
        if value is not None or (line.startswith("(") and line.endswith("{")):
            # A compound value, over several lines.
            value = (value or "") + line + ("" if line.endswith(("{", "}")) else " ")
            if value.count("{") == value.count("}"):
                stack[-1].parts.append(Block(value.strip()))
                value = None
        elif line.endswith("{"):
            stack[-1].parts.append(Block(line[:-1].strip(), braces=True))
            stack.append(stack[-1].parts[-1])
        elif line.startswith("}"):
            stack.pop().end = line
        else:
            stack[-1].parts.append(Block(line))
    file = root.parts[0]
    group = next(part for part in file.parts if part.head.startswith('GROUP "/"'))
    _shorten(group)
    return group


def _shorten(block):
    """h5dump also shows the data of the target of a reference; only its path is kept."""
    for part in block.parts:
        if part.head == "DATA":
            for target in part.parts:
                if target.braces or target.head.startswith(("DATASET", "GROUP")):
                    target.parts, target.braces = [], False
            part.parts = [t for t in part.parts if t.head != "DATA"]
        _shorten(part)


def paths(block, above=""):
    """Of all groups and datasets below."""
    for part in block.parts:
        if part.head.startswith(("GROUP", "DATASET")):
            path = f"{above}/" + part.head.split(" ", 1)[1].strip('"')
            yield path
            yield from paths(part, path)


def excerpts(good, bad):
    """The lines of both files that differ, each with its enclosing blocks."""
    return tuple([line for part in side for line in part.lines()]
                 for side in _differing([good], [bad]))


def _differing(good, bad):
    """Compares two lists of blocks: keeps what only one of them has."""
    mine, theirs = [], []
    left = list(bad)
    for block in good:
        twin = next((other for other in left if other.head == block.head), None)
        if twin is None:
            mine.append(_cut(block))
            continue
        left.remove(twin)
        if block == twin:
            continue
        if _whole(block) or _whole(twin):
            mine.append(block)
            theirs.append(twin)
            continue
        inner = _differing(block.parts, twin.parts)
        for side, parts in ((mine, inner[0]), (theirs, inner[1])):
            side.append(Block(block.head, parts or [Block("...")], True))
    return mine, theirs + [_cut(block) for block in left]


def _whole(block):
    """Attributes, and everything except objects, are shown completely."""
    return not block.head.startswith(("GROUP", "DATASET"))


def _cut(block):
    """A group or dataset that only one side has; a large one without its descendants."""
    if _whole(block) or len(block.lines()) <= MOST_LINES - 10:
        return block
    return Block(block.head, [p for p in block.parts if not p.is_object] or [Block("...")], True)


def shown(lines):
    text = [re.sub(r"\s+$", "", line) for line in lines]
    if len(text) > MOST_LINES:
        text = text[:MOST_LINES] + ["..."]
    return "\n".join(text) + "\n"
