"""Object headers of both versions, with any number of blocks."""

import collections
from dataclasses import dataclass, field

from .blocks import Block, Checksum, Computed, Struct
from .messages import NUMBERS


@dataclass
class Header:
    """Options for writing the header of an object. `split`: the numbers of messages after which a continuation
    block starts; `gap`: bytes left at the end of each block (version 2)."""

    version: int = 2
    times: tuple = None          # four numbers
    phase: tuple = None          # maximum compact, minimum dense attributes
    ordered: bool = False        # messages have their creation order
    indexed: bool = False        # and attributes an index of it
    size_width: int = None       # of the field that holds the size of the first block
    count: int = 1               # of references
    split: tuple = ()
    gap: int = 0
    extra: list = field(default_factory=list)  # messages after those of the object


def write_header(header, first, messages, w, image):
    """Fills the `first` block of a header; adds its continuations to the image."""
    encoded = [(message, _message(header, message, w)) for message in messages + header.extra]
    parts, begin = [], 0
    for end in [*header.split, len(encoded)]:
        parts.append(encoded[begin:end])
        begin = end
    blocks = [first] + [image.add(Block("OCHK", first.owner)) for _ in parts[1:]]
    bodies, numbers = [], collections.Counter()

    def unused(name):
        """The name of a message: "attribute", then "attribute 1", "attribute 2"."""
        number = numbers[name]
        numbers[name] += 1
        return f"{name} {number}" if number else name

    for number, part in enumerate(parts):
        body = Struct()
        for message, fields in part:
            body.add(unused(message.name), fields)
        bodies.append(body)
        if number:
            bodies[number - 1].add(unused("continuation"), _continuation(header, blocks[number], w))
    if header.version == 1:
        _prefix1(first, header, bodies)
    else:
        _prefix2(first, header, bodies[0])
    for block, body in zip(blocks, bodies):
        if block is not first and header.version == 2:
            block.add("signature", b"OCHK")
        block.extend(body)
        if header.version == 2:
            if header.gap:
                block.add("gap", bytes(header.gap))
            block.add("checksum", Checksum())


def _message(header, message, w):
    body = message.encoded(w)
    made = Struct()
    if header.version == 1:
        padding = bytes(-body.size() % 8)
        made.add("message type", NUMBERS[message.name], 2)
        made.add("message size", Computed(lambda: made.size() - 8), 2)
        made.add("message flags", message.flags, 1).add("message reserved", 0, 3)
        made.extend(body)
        if padding:
            made.add("message padding", padding)
        return made
    made.add("message type", NUMBERS[message.name], 1)
    before = 4 + 2 * header.ordered
    made.add("message size", Computed(lambda: made.size() - before), 2)
    made.add("message flags", message.flags, 1)
    if header.ordered:
        made.add("message order", message.order, 2)
    return made.extend(body)


def _continuation(header, block, w):
    made = Struct()
    if header.version == 1:
        made.add("message type", 16, 2).add("message size", w.offset + w.length, 2)
        made.add("message flags", 0, 1).add("message reserved", 0, 3)
        # The sizes of version 1 are multiples of 8.
        if (w.offset + w.length) % 8:
            made["message size"] = -(-(w.offset + w.length) // 8) * 8
    else:
        made.add("message type", 16, 1).add("message size", w.offset + w.length, 2)
        made.add("message flags", 0, 1)
        if header.ordered:
            made.add("message order", 0, 2)
    made.add("address", block, w.offset).add("length", Computed(block.size), w.length)
    if header.version == 1 and (w.offset + w.length) % 8:
        made.add("message padding", bytes(-(w.offset + w.length) % 8))
    return made


def _prefix1(block, header, bodies):
    block.add("version", 1, 1).add("reserved", 0, 1)
    block.add("messages", Computed(lambda: sum(len(body.fields) for body in bodies)), 2)
    block.add("references", header.count, 4)
    block.add("size", Computed(lambda: block.size() - 16), 4).add("padding", 0, 4)


def _prefix2(block, header, body):
    size = body.size() + header.gap
    width = header.size_width or (1 if size < 200 else 2)
    flags = (width.bit_length() - 1 | 4 * header.ordered | 8 * header.indexed | 16 * bool(header.phase)
             | 32 * bool(header.times))
    block.add("signature", b"OHDR").add("version", 2, 1).add("flags", flags, 1)
    for word, each in zip(("access", "modification", "change", "birth"), header.times or ()):
        block.add(f"{word} time", each, 4)
    if header.phase:
        block.add("maximum compact", header.phase[0], 2)
        block.add("minimum dense", header.phase[1], 2)
    before = block.size() + width
    block.add("size", Computed(lambda: block.size() - before - 4), width)
