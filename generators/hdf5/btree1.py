"""Version 1 B-trees: of chunks, and of the symbol table nodes of old groups."""

from .blocks import Block, Struct

GROUPS, CHUNKS = 0, 1


def write_tree(kind, leaves, last, k, owner, w, image, fanout=None, slack=0, levels=0):
    """`leaves`: [(key, child)] in order, `last` is the key after them. `fanout`: children per
    node, at most 2K; `slack`: the byte that fills the unused space of a node; `levels`: the level of the root at
    least, above which nodes have one child each. Returns the root."""
    level, entries = 0, leaves
    fanout = fanout or 2 * k
    while True:
        parts = [entries[at:at + fanout] for at in range(0, len(entries), fanout)] or [[]]
        nodes = []
        for number, part in enumerate(parts):
            behind = parts[number + 1][0][0] if number + 1 < len(parts) else last
            nodes.append(_node(kind, level, part, behind, k, owner, w, image, slack))
        for number, node in enumerate(nodes):
            node["left"] = nodes[number - 1] if number else None
            node["right"] = nodes[number + 1] if number + 1 < len(nodes) else None
        if len(nodes) == 1 and level >= levels:
            return nodes[0]
        entries = [(part[0][0], node) for part, node in zip(parts, nodes)]
        level += 1


def _node(kind, level, entries, behind, k, owner, w, image, slack):
    node = image.add(Block("TREE", owner))
    node.add("signature", b"TREE").add("type", kind, 1).add("level", level, 1)
    node.add("used", len(entries), 2)
    node.add("left", None, w.offset).add("right", None, w.offset)
    for number, (key, child) in enumerate(entries):
        node.add(f"key {number}", _copy(key)).add(f"child {number}", child, w.offset)
    node.add(f"key {len(entries)}", _copy(behind))
    key_size = node.place(f"key {len(entries)}")[1]
    unused = (2 * k - len(entries)) * (key_size + w.offset)
    if unused:
        node.add("behind", bytes([slack]) * unused)
    return node


def _copy(key):
    """A key may occur in several nodes; each occurrence can be changed separately."""
    return Struct(*((name, *([value] if width is None else [value, width]))
                    for name, (value, width) in key.fields.items()))


def chunk_key(offsets, size=0, mask=0):
    """`offsets` in elements, without the offset inside the element."""
    made = Struct(("size", size, 4), ("mask", mask, 4))
    for i, each in enumerate([*offsets, 0]):
        made.add(f"offset {i}", each, 8)
    return made


def name_key(offset, w):
    return Struct(("name", offset, w.length))
