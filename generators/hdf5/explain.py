"""An example of `hepcheck explain`: the fields in which a broken file differs from the valid one.
See generators/explain.py. No code repairs a container: it has to be restored from a valid copy.
"""

from .blocks import At, Block, Checksum, Computed, FilteredBlock
from .library import Library

MOST = 30     # lines of either side
ROUND = 1     # fields shown on either side of one that differs


class Shown:
    """A field: the text to show, and the value to compare."""

    def __init__(self, path, text, means=None):
        self.path, self.text, self.means = path, text, means or text


def _bytes(content):
    if content and all(32 <= byte < 127 for byte in content.rstrip(b"\0")) \
            and content.rstrip(b"\0"):
        text = content.rstrip(b"\0").decode()
        return f'"{text}"' + (f" and {len(content) - len(text)} NUL" if text != content.decode()
                              else "")
    if len(content) > 40:
        return f"{content[:12].hex(' ')} ... {content[-8:].hex(' ')} ({len(content)} bytes)"
    return content.hex(" ", 4) or "nothing"


def _number(value):
    return str(value) if value < 1 << 32 else hex(value)


def _names(blocks):
    """"EADB /d", or "EADB /d 1" if there are several."""
    plain = [f"{block.kind} {block.owner}".strip() for block in blocks]
    return {id(block): name + (f" {plain[:i].count(name)}" if plain.count(name) > 1 else "")
            for i, (block, name) in enumerate(zip(blocks, plain))}


def _field(block, path, value, width, stored, names):
    if isinstance(value, Checksum):
        return Shown(path, "wrong" if block.corrupted else "right")
    if any(path == corrupted for corrupted, _ in block.corrupted):
        return Shown(path, _bytes(stored))
    if isinstance(value, Computed):
        return Shown(path, _number(int.from_bytes(stored, "little")), "computed")
    if path.rsplit(".")[-1] == "checksum":
        return Shown(path, "wrong")
    if value is None:
        return Shown(path, "undefined")
    if isinstance(value, (At, Block)):
        to, further = (value.block, value.further) if isinstance(value, At) else (value, 0)
        name = names[id(to)] + (f" + {further}" if further else "")
        return Shown(path, f"{int.from_bytes(stored, 'little')}, {name}", name)
    if width is None:
        return Shown(path, _bytes(stored), stored)
    return Shown(path, _number(int.from_bytes(stored, "little")))


def _fields(block, names):
    content = block.plain()

    def walk(struct, before, at):
        for name, (value, width) in struct.fields.items():
            path = before + name
            if width is None and not isinstance(value, bytes):
                yield from walk(value, f"{path}.", at)
                at += value.size()
                continue
            size = len(value) if width is None else width
            yield _field(block, path, value, width, content[at:at + size], names)
            at += size

    shown = list(walk(block, "", 0))
    if isinstance(block, FilteredBlock):
        stored = block.bytes()
        shown.append(Shown("stored", f"{_bytes(stored[:-4])}, then {_bytes(stored[-4:])}"))
    return shown


def _blocks(file):
    """{name: (block, its stored bytes)}, the names by the identity of blocks, and the size of the file."""
    content, base = file.bytes(), file.image.base
    names = _names(file.image.blocks)
    return {names[id(block)]: (block, content[base + block.address:base + block.address + block.size()])
            for block in file.image.blocks}, names, len(content)


def _excerpt(name, block, fields, marked):
    """The marked fields with their neighbours."""
    near = {i for i, field in enumerate(fields) for j in range(i - ROUND, i + ROUND + 1)
            if 0 <= j < len(fields) and fields[j].path in marked}
    width = max((len(fields[i].path) for i in near), default=0)
    lines, last = [f"{name} @ {block.address}"], -1
    for i in sorted(near):
        if i > last + 1:
            lines.append("  ...")
        lines.append(f"  {fields[i].path:{width}}  {fields[i].text}")
        last = i
    return lines + (["  ..."] if last + 1 < len(fields) else [])


def example(recipe, others):
    """None for a file written by the library: its fields have no names."""
    if recipe.is_base:
        return {"lines": 0}  # there is no valid file from which it differs in a few fields
    if isinstance(recipe.base(), Library):
        return None
    files = recipe.base(), recipe.mutated()
    (good, *of_good), (bad, *of_bad) = map(_blocks, files)
    shown = [], []
    for name in [*good, *(name for name in bad if name not in good)]:
        if name not in bad or name not in good:
            lines, block = (shown[0], good[name][0]) if name in good else (shown[1], bad[name][0])
            lines.append(f"{name} @ {block.address} ({block.size()} bytes)")
            continue
        if good[name][1] == bad[name][1]:
            continue
        sides = [(side[name][0], _fields(side[name][0], names)) for side, (names, _) in ((good, of_good), (bad, of_bad))]
        meanings = [{field.path: field.means for field in fields} for _, fields in sides]
        marked = {path for path in meanings[0].keys() | meanings[1].keys()
                  if meanings[0].get(path) != meanings[1].get(path)}
        if marked:
            for lines, side in zip(shown, sides):
                lines += _excerpt(name, *side, marked)
    if shown[0] == shown[1]:
        # If all fields are equal, the end of the file differs.
        shown = [[*lines, f"the file has {size} bytes"] for lines, (_, size) in zip(shown, (of_good, of_bad))]
    good, bad = (lines[:MOST] + (["..."] if len(lines) > MOST else []) for lines in shown)
    return {"good": "\n".join(good) + "\n", "bad": "\n".join(bad) + "\n",
            "lines": len(good) + len(bad)}

