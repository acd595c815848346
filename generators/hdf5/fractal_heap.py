"""Fractal heaps, which store dense links and attributes; without filters."""

from dataclasses import dataclass

from .blocks import Block, Checksum, Struct
from .datatypes import enough


@dataclass
class Heap:
    id_length: int = 7
    checksummed: bool = True
    max_managed: int = 256
    width: int = 2
    start: int = 256
    max_direct: int = 512
    bits: int = 32
    start_rows: int = 1
    # The number of heap bytes to skip before an object; whole blocks in the skipped range
    # do not exist. {object number: bytes}
    holes: dict = None


class _Writer:
    """Objects are stored consecutively in direct blocks; a block exists if it contains something."""

    def __init__(self, heap, owner, w, image):
        self.heap, self.owner, self.w, self.image = heap, owner, w, image
        self.offset_width = -(-heap.bits // 8)
        self.prefix = 5 + w.offset + self.offset_width + 4 * heap.checksummed
        self.header = image.add(Block("FRHP", owner))
        self.direct_rows = (heap.max_direct // heap.start).bit_length() - 1 + 2

    def row_size(self, row):
        return self.heap.start << max(0, row - 1)

    def row_begin(self, row):
        return 0 if row == 0 else self.heap.width * self.heap.start << row - 1

    def block_at(self, offset, begin=0, size=None):
        """Start and size of the direct block that contains an offset of the heap."""
        inner = offset - begin
        row = next(row for row in range(64) if inner < self.row_begin(row + 1))
        each = self.row_size(row)
        start = begin + self.row_begin(row) + (inner - self.row_begin(row)) // each * each
        if row < self.direct_rows:
            return start, each
        return self.block_at(offset, start, each)

    def place(self, objects):
        """Offsets of the objects in the heap, and {begin: (size, [object and offset])}."""
        at, offsets, blocks = self.prefix, [], {}
        for number, content in enumerate(objects):
            at += (self.heap.holes or {}).get(number, 0)
            size = content.size()
            while True:
                begin, length = self.block_at(at)
                at = max(at, begin + self.prefix)
                if at + size <= begin + length:
                    break
                at = begin + length + self.prefix
            offsets.append(at)
            blocks.setdefault(begin, (length, []))[1].append((content, at))
            at += size
        return offsets, blocks

    def direct(self, begin, size, contents):
        block = self.image.add(Block("FHDB", self.owner))
        block.add("signature", b"FHDB").add("version", 0, 1)
        block.add("header", self.header, self.w.offset).add("offset", begin, self.offset_width)
        if self.heap.checksummed:
            block.add("checksum", Checksum(whole=True))
        free = 0
        for content, at in contents:
            gap = at - begin - block.size()
            if gap:
                block.add(f"gap {free}", bytes(gap))
                free += 1
            block.add(f"object {self.number[at]}", content)
        if block.size() < size:
            block.add("free", bytes(size - block.size()))
        return block

    def indirect(self, begin, rows, blocks):
        block = self.image.add(Block("FHIB", self.owner))
        block.add("signature", b"FHIB").add("version", 0, 1)
        block.add("header", self.header, self.w.offset).add("offset", begin, self.offset_width)
        for row in range(rows):
            size = self.row_size(row)
            for column in range(self.heap.width):
                at = begin + self.row_begin(row) + column * size
                block.add(f"child {row * self.heap.width + column}",
                          self._child(at, size, row, blocks), self.w.offset)
        return block.add("checksum", Checksum())

    def _child(self, at, size, row, blocks):
        if row < self.direct_rows:
            return self.direct(at, *blocks[at]) if at in blocks else None
        if not any(at <= begin < at + size for begin in blocks):
            return None
        rows = size.bit_length() - (self.heap.start * self.heap.width).bit_length() + 1
        return self.indirect(at, rows, blocks)

    def write(self, objects):
        heap, w = self.heap, self.w
        offsets, blocks = self.place(objects)
        self.number = {at: number for number, at in enumerate(offsets)}
        rows, root = 0, None
        if list(blocks) == [0]:
            root = self.direct(0, *blocks[0])
            end = heap.start
        elif blocks:
            end = max(begin + length for begin, (length, _) in blocks.items())
            rows = next(row for row in range(1, 64) if end <= self.row_begin(row))
            root = self.indirect(0, rows, blocks)
        else:
            end = 0
        managed = self.row_begin(rows) if rows else end
        allocated = sum(length for length, _ in blocks.values())
        used = sum(content.size() for content in objects)
        header = self.header
        header.add("signature", b"FRHP").add("version", 0, 1).add("id length", heap.id_length, 2)
        header.add("filter length", 0, 2).add("flags", 2 * heap.checksummed, 1)
        header.add("max managed", heap.max_managed, 4)
        header.add("next huge", 0, w.length).add("huge tree", None, w.offset)
        header.add("free", allocated - used - self.prefix * len(blocks), w.length)
        header.add("free space manager", None, w.offset)
        for word, number in (("managed", managed), ("allocated", allocated), ("iterator", end),
                             ("objects", len(objects)), ("huge bytes", 0), ("huge objects", 0),
                             ("tiny bytes", 0), ("tiny objects", 0)):
            header.add(word, number, w.length)
        header.add("width", heap.width, 2).add("start", heap.start, w.length)
        header.add("max direct", heap.max_direct, w.length).add("bits", heap.bits, 2)
        header.add("start rows", heap.start_rows, 2).add("root", root, w.offset)
        header.add("rows", rows, 2).add("checksum", Checksum())
        return header, [self._id(at, content) for at, content in zip(offsets, objects)]

    def _id(self, at, content):
        """The fields of the heap id of a managed object."""
        heap = self.heap
        length = min(-(-(heap.max_direct.bit_length() - 1) // 8), enough(heap.max_managed))
        made = Struct(("kind", 0, 1), ("offset", at, self.offset_width),
                      ("length", content.size(), length))
        if made.size() < heap.id_length:
            made.add("rest", bytes(heap.id_length - made.size()))
        return made


def write_heap(heap, objects, owner, w, image):
    """`objects`: Structs. Returns the header block and the id of each object, a Struct."""
    return _Writer(heap, owner, w, image).write(objects)
