"""Version 2 B-trees: of chunks (types 10 and 11), of names of links (5) and attributes (8)."""

from dataclasses import dataclass

from .blocks import Block, Checksum, Struct
from .datatypes import enough

LINKS, ATTRIBUTES, CHUNKS, FILTERED_CHUNKS = 5, 8, 10, 11


@dataclass
class Tree:
    node_size: int = 128
    split: int = 100
    merge: int = 40
    # The tree as nested lists: a leaf is a number of records, an inner node is [child, child, ...] with a
    # record between each two: [3, 2] has 6 records. None: nodes as full as possible.
    shape: object = None
    empty: bool = False  # a tree without records


class _Writer:
    def __init__(self, tree, kind, record_size, owner, w, image):
        self.tree, self.kind, self.owner, self.w, self.image = tree, kind, owner, w, image
        self.record_size = record_size
        self.capacity = [(tree.node_size - 10) // record_size]
        self.below = [self.capacity[0]]  # number of records in a full tree of that depth
        self.count_width = enough(self.capacity[0])

    def total_width(self, depth):
        return enough(self._below(depth - 1)) if depth > 1 else 0

    def _below(self, depth):
        while len(self.below) <= depth:
            at = len(self.below)
            pointer = self.w.offset + self.count_width + self.total_width(at)
            self.capacity.append((self.tree.node_size - 10 - pointer)
                                 // (self.record_size + pointer))
            self.below.append((self.capacity[at] + 1) * self.below[at - 1] + self.capacity[at])
        return self.below[depth]

    def full_shape(self, count, depth):
        if depth == 0:
            return count
        room = self._below(depth - 1)
        separators = max(1, -(-(count - room) // (room + 1)))
        rest = count - separators
        shares = [rest // (separators + 1) + (i < rest % (separators + 1))
                  for i in range(separators + 1)]
        return [self.full_shape(share, depth - 1) for share in shares]

    def write(self, records):
        header = self.image.add(Block("BTHD", self.owner))
        shape = self.tree.shape
        if shape is None:
            depth = next(d for d in range(40) if len(records) <= self._below(d))
            shape = self.full_shape(len(records), depth)
        depth = _depth(shape)
        root = used = None
        if records:
            root, used, _ = self._node(iter(records), shape, depth)
        header.add("signature", b"BTHD").add("version", 0, 1).add("type", self.kind, 1)
        header.add("node size", self.tree.node_size, 4).add("record size", self.record_size, 2)
        header.add("depth", depth, 2).add("split", self.tree.split, 1)
        header.add("merge", self.tree.merge, 1).add("root", root, self.w.offset)
        header.add("root records", used or 0, 2).add("total", len(records), self.w.length)
        header.add("checksum", Checksum())
        return header

    def _node(self, records, shape, depth):
        """The block, its own records, and those of the whole subtree."""
        node = self.image.add(Block("BTIN" if depth else "BTLF", self.owner))
        node.add("signature", node.kind.encode()).add("version", 0, 1).add("type", self.kind, 1)
        if depth == 0:
            for i in range(shape):
                node.add(f"record {i}", next(records))
            own = total = shape
        else:
            children, between, total = [], [], len(shape) - 1
            for i, child in enumerate(shape):
                children.append(self._node(records, child, depth - 1))
                total += children[-1][2]
                if i < len(shape) - 1:
                    between.append(next(records))
            own = len(between)
            for i, record in enumerate(between):
                node.add(f"record {i}", record)
            for i, (child, used, below) in enumerate(children):
                node.add(f"child {i}", child, self.w.offset)
                node.add(f"child {i} records", used, self.count_width)
                if depth > 1:
                    node.add(f"child {i} total", below, self.total_width(depth))
        node.add("checksum", Checksum())
        assert node.size() <= self.tree.node_size, "a node is too full"
        if node.size() < self.tree.node_size:
            node.add("behind", bytes(self.tree.node_size - node.size()))
        return node, own, total


def _depth(shape):
    return 0 if isinstance(shape, int) else 1 + _depth(shape[0])


def write_tree(tree, kind, records, record_size, owner, w, image):
    """Adds header and nodes to the image; returns the header. `records` in their order."""
    return _Writer(tree, kind, record_size, owner, w, image).write(records)


def chunk_records(chunks, w, size_width, filtered):
    """The records for {scaled offsets: (block, size, mask)}."""
    made = []
    for place, (block, size, mask) in sorted(chunks.items()):
        record = Struct(("address", block, w.offset))
        if filtered:
            record.add("size", size, size_width).add("mask", mask, 4)
        for i, each in enumerate(place):
            record.add(f"offset {i}", each, 8)
        made.append(record)
    return made
