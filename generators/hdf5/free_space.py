"""Free-space managers: a header and a list of sections."""

from .blocks import Block, Checksum, Computed, Struct
from .datatypes import enough

MOST = (1 << 63) - 1


def write_manager(owner, sections, w, image, client=1, bits=63, most=MOST, classes=3, spare=0,
                  unstored=0, further=0):
    """`sections`: [(offset, size, type)], or with a Struct of further bytes at the end. `unstored`: the number of
    sections that are not listed, `further`: their size. Returns the header."""
    header = image.add(Block("FSHD", owner))
    sets = {}
    for section in sections:
        sets.setdefault(section[1], []).append(section)
    total = sum(section[1] for section in sections) + further
    header.add("signature", b"FSHD").add("version", 0, 1).add("client", client, 1)
    header.add("total", total, w.length).add("sections", len(sections) + unstored, w.length)
    header.add("stored", len(sections), w.length).add("unstored", unstored, w.length)
    header.add("classes", classes, 2).add("shrink", 80, 2).add("expand", 120, 2)
    header.add("bits", bits, 2).add("most", most, w.length)
    block = image.add(Block("FSSE", owner)) if sections else None
    header.add("list", block, w.offset)
    used = Computed(block.size) if sections else 0
    header.add("used", used, w.length).add("allocated", used, w.length)
    header.add("checksum", Checksum())
    if not sections:
        return header
    block.add("signature", b"FSSE").add("version", 0, 1).add("header", header, w.offset)
    for number, (size, members) in enumerate(sorted(sets.items())):
        made = Struct(("count", len(members), enough(len(sections))), ("size", size, enough(most)))
        for i, (offset, _, kind, *more) in enumerate(sorted(members, key=lambda each: each[0])):
            made.add(f"offset {i}", offset, (bits + 7) // 8).add(f"type {i}", kind, 1)
            if more:
                made.add(f"places {i}", more[0])
        block.add(f"set {number}", made)
    if spare:
        block.add("spare", bytes(spare))
    block.add("checksum", Checksum())
    return header
