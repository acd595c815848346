"""An example of `hepcheck explain`: the differences between a broken stream or file and the valid one.
See generators/explain.py. No code repairs a stream: its writer has to be fixed.
"""

import re

from .arrays import Views
from .flatbuffers import STRUCTS
from .ipc import CONTINUATION, File, Message
from .tables import FIELDS, HEADERS, TYPES, Table

MOST = 30   # maximum number of lines per side
ROUND = 1   # number of context lines
MEMBERS = {"FieldNode": ["length", "null_count"], "Buffer": ["offset", "length"],
           "Block": ["offset", "metaDataLength", "", "bodyLength"]}
TAGS = {"header_type": HEADERS, "type_type": TYPES}


def _hex(content):
    if len(content) > 64:
        return f"{content[:24].hex(' ', 4)} ... ({len(content)} bytes)"
    return content.hex(" ", 4) or "nothing"


def _text(value):
    """A string; bytes that are not UTF-8 in hexadecimal."""
    content = value.encode() if isinstance(value, str) else bytes(value)
    return f'"{value}"' if isinstance(value, str) and value.isprintable() else _hex(content)


def _scalar(name, value):
    value = int(value)
    if name in TAGS:
        names = TAGS[name]
        return f"{value}, {names[value]}" if 0 <= value < len(names) else str(value)
    return str(value) if abs(value) < 1 << 40 else f"{value:#x}"


def _struct(kind, values):
    return ", ".join(f"{name} {_scalar(name, value)}"
                     for name, value in zip(MEMBERS[kind], values) if name)


def _table(table, path):
    """(path, text) of all fields of a table and its descendants."""
    for name, kind, _ in FIELDS[table.kind]:
        value, at = table.values.get(name), f"{path}.{name}".lstrip(".")
        if value is None:
            continue
        if isinstance(value, Table):
            yield at, value.kind
            yield from _table(value, at)
        elif kind == "string":
            yield at, _text(value)
        elif kind.startswith("struct "):
            yield at, _struct(kind.split()[1], value)
        elif not kind.startswith("["):
            yield at, _scalar(name, value)
        elif not value:
            yield at, "no elements"
        else:
            yield from _vector(kind[1:-1], value, at)
    for number, value in table.unknown.items():
        yield f"{path}.field {number}".lstrip("."), str(value)


def _vector(kind, values, at):
    if len(values) > MOST:
        yield at, f"{len(values)} elements"
        return
    for i, value in enumerate(values):
        if isinstance(value, Table):
            yield from _table(value, f"{at}[{i}]")
        else:
            yield f"{at}[{i}]", _struct(kind, value) if kind in STRUCTS else str(int(value))


def _places(owner, metadata, names):
    """(path, text) of some positions of a flatbuffer, and of misaligned objects."""
    words = {":table": "offset to its vtable", ":vtable": "length of its vtable",
             ":size": "object size", ":count": "count", ":end": "byte after it"}
    for name in names:
        at, width = owner.places.get(name, (0, 0))
        path, _, what = name.partition(":")
        what = words.get(f":{what}", f"vtable's {what}" if what.startswith("entry") else
                         "root offset" if name == ":root" else "offset")
        stored = int.from_bytes(metadata[at:at + width], "little")
        yield f"{path or 'root'} ({what})", f"{stored:#x}" if width else "absent"
    for name, by in owner.skews.items():
        yield f"{name or 'root'} (place)", f"{by} off its alignment"


def _message(message, stream, names):
    prefix, metadata, body = message.encoded(stream)
    yield "continuation", _hex(prefix[:-4]) or "none"
    yield "metadata size", f"{int.from_bytes(prefix[-4:], 'little', signed=True)}"
    if message.content is not None or message.further or message.pad:
        yield "metadata", _hex(metadata)
    yield from _table(message.shown, "")
    yield from _places(message, metadata, names)
    if message.batch is None:
        if body:
            yield "body", _hex(body)
        return
    yield "body", f"{len(body)} bytes" + (f", {message.cut} missing" if message.cut else "")
    for i, buffer in enumerate(message.batch.buffers()):
        content = message.batch._stored(buffer, stream.order)
        plain = content == buffer.bytes(stream.order) if isinstance(buffer, Views) else False
        yield from _views(i, content, stream.order) if plain else _rows(f"bytes of buffer {i}", content)


def _rows(label, content):
    """A long buffer is a table of offsets and bytes, so that the bytes that differ are shown."""
    if len(content) <= 64:
        yield label, _hex(content)
        return
    for at in range(0, len(content), 16):
        yield f"{label} +{at:#06x}", content[at:at + 16].hex(" ", 4)


def _views(number, content, order):
    """A buffer of views is a table of offsets and fields."""
    for at in range(0, len(content), 16):
        view = content[at:at + 16]
        length, index, offset = (int.from_bytes(view[i:i + 4], order, signed=True) for i in (0, 8, 12))
        if len(view) < 16:
            text = view.hex(" ", 4)
        elif length <= 12:
            text = f"length {length}, inside {view[4:].hex(' ', 4)}"
        else:
            text = f"length {length}, prefix {view[4:8].hex()}, data buffer {index}, offset {offset}"
        yield f"view {at // 16} of buffer {number} +{at:#06x}", text


def _corrupted(stream):
    """{number of a message, or "footer": names of the positions that were overwritten}"""
    owners = {i: each for i, each in enumerate(stream.messages) if isinstance(each, Message)}
    if isinstance(stream, File):
        owners["footer"] = stream
    return {key: [name for name, _ in owner.pokes] for key, owner in owners.items()}


def _parts(stream, corrupted):
    """[(heading, [(path, text)])]: the messages, the end marker, and the footer."""
    whole = stream.bytes()
    parts = []
    if isinstance(stream, File):
        parts.append(("start of the file",
                      [("bytes", _hex(stream.magic + stream.padding)),
                       ("gap", f"{len(stream.gap)} zero bytes" if stream.gap else "none")]))
    for i, message in enumerate(stream.messages):
        if isinstance(message, Message):
            parts.append((f"message {i} @ {message.at}",
                          list(_message(message, stream, corrupted.get(i, ())))))
        else:
            parts.append(("end marker" if message[:4] == CONTINUATION else "bytes",
                          [("bytes", _hex(message))]))
    parts.append(("end of the stream", [("marker", _hex(stream._marker())),
                                        ("after it", _hex(stream.behind)),
                                        ("cut off", f"{stream.cut} bytes")]))
    if isinstance(stream, File):
        footer = stream._footer()
        lines = [*_table(stream.shown, ""), *_places(stream, footer, corrupted.get("footer", ()))]
        size = footer if stream.footer_size is None else stream.footer_size
        size = len(footer) if isinstance(size, bytes) and size is footer else size
        lines += [("size", _hex(size) if isinstance(size, bytes) else str(size)),
                  ("magic", _hex(stream.last_magic))]
        parts.append(("footer", lines))
    parts.append(("input", [("size", f"{len(whole)} bytes")]))
    return parts


def _key(heading):
    """The heading without the position, so that corresponding parts are compared."""
    return re.sub(r" @ \d+$", "", heading)


def _excerpt(heading, lines, marked):
    near = {i for i, (path, _) in enumerate(lines) for j in range(i - ROUND, i + ROUND + 1)
            if 0 <= j < len(lines) and lines[j][0] in marked}
    width = max((len(lines[i][0]) for i in near), default=0)
    made, last = [heading], -1
    for i in sorted(near):
        if i > last + 1:
            made.append("  ...")
        made.append(f"  {lines[i][0]:{width}}  {lines[i][1]}")
        last = i
    return made + (["  ..."] if last + 1 < len(lines) else [])


def chosen():
    """{clause: the path of its example fixture}, if the simplest one is one of several boundary cases."""
    return {clause: f"invalid/{path}" for clause, path in (
        ("arrow-null-count-exact", "2.3/arrow-null-count-exact--nulls-of-the-child.arrows"),
        ("arrow-validity-padding-zero", "2.4/arrow-validity-padding-zero--bits-of-the-neighbours.arrows"),
        ("arrow-binary-offsets-ascending", "2.6/arrow-binary-offsets-ascending--in-the-high-word.arrows"),
        ("arrow-binary-offsets-in-data", "2.6/arrow-binary-offsets-in-data--large-far-past.arrow"),
        ("arrow-dictionary-index-in-range", "2.12/arrow-dictionary-index-in-range--far-out.arrow"),
        ("arrow-utf8-values-valid", "Schema.fbs/arrow-utf8-values-valid--in-a-dictionary.arrows"),
        ("arrow-time-value-range", "Schema.fbs/arrow-time-value-range--before-the-day.arrows"),
        ("arrow-field-not-nullable-no-nulls", "4.2/arrow-field-not-nullable-no-nulls--one-null.arrows"))}


def _nearest(bad, others):
    """Of the valid files, the one with the fewest lines that the broken one does not have."""
    lines = {line for _, lines in _parts(bad, {}) for line in lines}
    return min(others, key=lambda other: sum(line not in lines for _, some in _parts(other, {}) for line in some))


def example(recipe, others):
    broken, start = recipe.mutated(), recipe.base()
    corrupted = _corrupted(broken)
    # A recipe may start from the broken stream.
    if start.bytes() == broken.bytes() and others:
        start = _nearest(broken, [other.mutated() for other in others])
    good, bad = _parts(start, corrupted), _parts(broken, corrupted)
    known = [{_key(heading): (heading, lines) for heading, lines in side} for side in (good, bad)]
    shown = [], []
    keys = [*known[0], *(key for key in known[1] if key not in known[0])]
    changed = [key for key in keys if known[0].get(key, (0, 0))[1] != known[1].get(key, (0, 0))[1]]
    for key in changed:
        if key == "input" and len(changed) > 1:
            continue
        for lines, side in zip(shown, known):
            if key not in side:
                continue
            heading, fields = side[key]
            other = dict((known[1] if side is known[0] else known[0]).get(key, (0, []))[1])
            marked = {path for path, text in fields if other.get(path) != text}
            marked |= {path for path in other if path not in dict(fields)} & dict(fields).keys()
            lines += _excerpt(heading, fields, marked) if marked else [heading]
    good, bad = (lines[:MOST] + (["..."] if len(lines) > MOST else []) if lines else ["nothing"]
                 for lines in shown)
    return {"good": "\n".join(good) + "\n", "bad": "\n".join(bad) + "\n",
            "lines": len(good) + len(bad) if changed else 2 * MOST + 4}
