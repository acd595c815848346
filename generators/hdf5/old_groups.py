"""Groups with a symbol table: the local heap, symbol table nodes, and their tree."""

from dataclasses import dataclass

from . import btree1
from .blocks import Block, Computed, Struct

NOTHING, GROUP, SOFT = 0, 1, 2


@dataclass
class SymbolTable:
    per_node: int = None     # entries in a symbol node: as many as fit
    fanout: int = None       # nodes below a tree node, likewise
    free: int = 0            # bytes of a free block at the end of the heap
    free_blocks: int = 0     # so many, each of the least size
    slack: int = 0           # the byte that fills unused space


@dataclass
class Entry:
    """The target of a name. `scratch`: the cached addresses of a group (tree, heap)."""

    name: bytes
    header: object = None
    kind: int = NOTHING
    tree: object = None
    heap: object = None
    soft: bytes = None       # the value of a soft link


def symbol_entry(entry, name_offset, value_offset, w):
    made = Struct(("name", name_offset, w.length), ("header", entry.header, w.offset),
                  ("cache type", entry.kind, 4), ("reserved", 0, 4))
    if entry.kind == GROUP:
        made.add("tree", entry.tree, w.offset).add("heap", entry.heap, w.offset)
        left = 16 - 2 * w.offset
    elif entry.kind == SOFT:
        made.add("value", value_offset, 4)
        left = 12
    else:
        left = 16
    if left:
        made.add("scratch", bytes(left))
    return made


class _Names:
    """The data segment of a local heap."""

    def __init__(self):
        self.bytes = bytearray(8)  # the empty name, at 0

    def add(self, name):
        at = len(self.bytes)
        self.bytes += name + bytes(8 - len(name) % 8)
        return at


def write_symbol_table(table, entries, owner, k, w, image):
    """`k`: leaf and internal. Returns tree and heap."""
    leaf, internal = k
    names = _Names()
    heap = image.add(Block("HEAP", owner))
    segment = image.add(Block("names", owner))
    entries = sorted(entries, key=lambda entry: entry.name)
    offsets = [names.add(entry.name) for entry in entries]
    values = [names.add(entry.soft) if entry.soft is not None else None for entry in entries]
    per_node = table.per_node or 2 * leaf
    leaves, largest = [], 0
    for begin in range(0, len(entries), per_node):
        node = image.add(Block("SNOD", owner))
        part = range(begin, min(begin + per_node, len(entries)))
        node.add("signature", b"SNOD").add("version", 1, 1).add("reserved", 0, 1)
        node.add("count", len(part), 2)
        for number, i in enumerate(part):
            node.add(f"entry {number}", symbol_entry(entries[i], offsets[i], values[i], w))
        size = w.length + w.offset + 24
        if 2 * leaf > len(part):
            node.add("behind", bytes([table.slack]) * (size * (2 * leaf - len(part))))
        # The key to the right of a node is its greatest name; the first is the empty one.
        leaves.append((btree1.name_key(largest, w), node))
        largest = offsets[part[-1]]
    tree = btree1.write_tree(btree1.GROUPS, leaves, btree1.name_key(largest, w), internal, owner, w,
                             image, table.fanout, table.slack)
    segment.add("bytes", bytes(names.bytes))
    least = 2 * w.length
    free = [least] * table.free_blocks + [table.free] * (table.free > 0)
    for number, size in enumerate(free):
        last = number + 1 == len(free)
        suffix = "" if last else f" {number}"
        segment.add(f"next free{suffix}", 1 if last else len(names.bytes) + (number + 1) * least, w.length)
        segment.add(f"free size{suffix}", size, w.length)
        segment.add(f"free bytes{suffix}", bytes(size - least))
    heap.add("signature", b"HEAP").add("version", 0, 1).add("reserved", 0, 3)
    heap.add("size", Computed(segment.size), w.length)
    heap.add("free list", len(names.bytes) if free else 1, w.length)
    heap.add("segment", segment, w.offset)
    return tree, heap
