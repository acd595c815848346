"""An example of `hepcheck explain`: the differences between a broken file and the valid one, field by field. See
generators/explain.py. No code repairs a schema: its writer has to be fixed.
"""

import difflib

from .schema import Array, Link

MOST = 30  # maximum number of lines per side
HEADER = (("version", 0, 4), ("persisted size", 4, 8), ("tile size", 12, 8), ("datatype", 20, 1),
          ("cell size", 21, 8), ("encryption", 29, 1), ("pipeline size", 30, 4))


def _hex(content):
    if not content:
        return "nothing"
    return content.hex(" ", 4) if len(content) <= 40 else f"{content[:16].hex(' ', 4)} ... ({len(content)} bytes)"


def _value(content):
    """A number, a text, or bytes."""
    if len(content) in (1, 2, 4, 8):
        number = int.from_bytes(content, "little")
        return f"{_hex(content)}  ({number})"
    if content and all(32 <= byte < 127 for byte in content):
        text = content.decode()
        return f'"{text}"' if len(text) <= 60 else f'"{text[:40]}..." ({len(text)} bytes)'
    return _hex(content)


def _file(file, prefix=""):
    stored = file.bytes()
    for name, at, size in HEADER:
        if at + size <= len(stored):
            yield f"{prefix}tile.{name}", _value(stored[at:at + size])
    size = int.from_bytes(stored[30:34], "little")
    if size <= len(stored) - 34:
        yield f"{prefix}tile.pipeline", _hex(stored[34:34 + size])
        yield f"{prefix}tile.payload", _hex(stored[34 + size:])
    yield f"{prefix}file", f"{len(stored)} bytes"
    for name, content in file.named_fields():
        yield prefix + name, _value(content)


def _lines(subject):
    if not isinstance(subject, Array):
        return list(_file(subject))
    made = []
    for path, member in sorted(subject.members.items()):
        kind = "directory" if member is None else f"link to {member.target}" if isinstance(member, Link) \
            else f"{len(member if isinstance(member, bytes) else member.bytes())} bytes"
        made.append((path, kind))
        if not isinstance(member, (bytes, Link, type(None))):
            made += [(f"  {name}", text) for name, text in _file(member)]
    return made


def _shown(lines, changed):
    made, last = [], -1
    for i in sorted({j for i in changed for j in (i - 1, i, i + 1) if 0 <= j < len(lines)}):
        if i > last + 1:
            made.append("...")
        made.append(f"{lines[i][0]}: {lines[i][1]}")
        last = i
    if last + 1 < len(lines):
        made.append("...")
    return made[:MOST] + (["..."] if len(made) > MOST else [])


def _content_changed(lines, differing):
    """Sizes and compressed bytes follow from other changes; they are shown if there are none."""
    derived = ("tile.persisted size", "tile.tile size", "tile.payload", "file")
    told = [i for i in differing if not lines[i][0].strip().endswith(derived)]
    return told or differing


def _compared(good, bad):
    """(lines of the good file, lines of the bad one)"""
    matcher = difflib.SequenceMatcher(None, good, bad, autojunk=False)
    in_good, in_bad = [], []
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            in_good += range(a, b)
            in_bad += range(c, d)
    return (_shown(good, _content_changed(good, in_good)) if in_good else ["nothing"],
            _shown(bad, _content_changed(bad, in_bad)) if in_bad else ["nothing"])


def example(recipe, others):
    broken = recipe.mutated()
    bad = _lines(broken)
    goods = [recipe.base()]
    if goods[0].bytes() == broken.bytes():  # it is no mutation: the most similar valid file is shown
        goods = [other.mutated() for other in others]
        goods = [each for each in goods if type(each) is type(broken)]
    compared = [_compared(_lines(good), bad) for good in goods]
    if not compared:
        return None
    good_text, bad_text = min(compared, key=lambda pair: len(pair[0]) + len(pair[1]))
    return {"good": "\n".join(good_text) + "\n", "bad": "\n".join(bad_text) + "\n",
            "lines": len(good_text) + len(bad_text)}
