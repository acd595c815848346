"""Fractal heaps, which store dense links, dense attributes and shared messages."""

from dataclasses import dataclass

from . import btree2, messages
from .blocks import Block, Checksum, Computed, FilteredBlock, Struct
from .datatypes import enough
from .free_space import write_manager
from .messages import SHUFFLE
from .pipeline import encoded

MANAGED, HUGE, TINY = 0x00, 0x10, 0x20


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
    filters: list = None     # of direct blocks and huge objects
    filters_version: int = 2
    mask: int = 0            # filters that were skipped for all of them
    # Whether its free space is recorded; a function returns other sections than those that it is passed.
    manager: object = False
    # The objects with these numbers are huge or tiny; all longer than a managed one may be are huge.
    huge: tuple = ()
    tiny: tuple = ()


class _Writer:
    """Objects are stored consecutively in direct blocks; a block exists if it contains something. Huge
    objects are stored by themselves, tiny ones in their ids."""

    def __init__(self, heap, owner, w, image):
        self.heap, self.owner, self.w, self.image = heap, owner, w, image
        self.offset_width = -(-heap.bits // 8)
        self.prefix = 5 + w.offset + self.offset_width + 4 * heap.checksummed
        self.header = image.add(Block("FRHP", owner))
        self.direct_rows = (heap.max_direct // heap.start).bit_length() - 1 + 2
        self.inner = []  # offset and rows of the indirect blocks

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
        """Offsets of the objects in the heap, and {begin: (size, [object and offset])}. `objects`: those that
        are managed, by number."""
        at, offsets, blocks = self.prefix, {}, {}
        for number, content in objects.items():
            at += (self.heap.holes or {}).get(number, 0)
            size = content.size()
            while True:
                begin, length = self.block_at(at)
                at = max(at, begin + self.prefix)
                if at + size <= begin + length:
                    break
                at = begin + length + self.prefix
            offsets[number] = at
            blocks.setdefault(begin, (length, []))[1].append((content, at))
            at += size
        return offsets, blocks

    def direct(self, begin, size, contents):
        block = self._block("FHDB", self.owner)
        block.add("signature", b"FHDB").add("version", 0, 1)
        block.add("header", self.header, self.w.offset).add("offset", begin, self.offset_width)
        if self.heap.checksummed:
            block.add("checksum", Checksum(whole=True))
        free = 0
        for content, at in contents:
            gap = at - begin - block.plain_size()
            if gap:
                block.add(f"gap {free}", bytes(gap))
                free += 1
            block.add(f"object {self.number[at]}", content)
        if block.plain_size() < size:
            block.add("free", bytes(size - block.plain_size()))
        return block

    def _block(self, kind, owner):
        """Of a direct block or a huge object."""
        heap = self.heap
        if not heap.filters:
            return self.image.add(Block(kind, owner))
        each = next((filter.values[0] for filter in heap.filters if filter.number == SHUFFLE), 1)
        return self.image.add(FilteredBlock(
            kind, owner, lambda content: encoded(content, heap.filters, heap.mask, each)))

    def stored(self, block):
        """The fields of a direct block in a heap with filters."""
        return ((Computed(block.size), self.w.length), (self.heap.mask, 4)) if block else (
            (0, self.w.length), (0, 4))

    def indirect(self, begin, rows, blocks):
        self.inner.append((begin, rows))
        block = self.image.add(Block("FHIB", self.owner))
        block.add("signature", b"FHIB").add("version", 0, 1)
        block.add("header", self.header, self.w.offset).add("offset", begin, self.offset_width)
        for row in range(rows):
            size = self.row_size(row)
            for column in range(self.heap.width):
                at = begin + self.row_begin(row) + column * size
                name = f"child {row * self.heap.width + column}"
                child = self._child(at, size, row, blocks)
                block.add(name, child, self.w.offset)
                if self.heap.filters and row < self.direct_rows:
                    for word, field in zip(("size", "mask"), self.stored(child)):
                        block.add(f"{name} {word}", *field)
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
        kinds = [TINY if number in heap.tiny else
                 HUGE if number in heap.huge or content.size() > heap.max_managed else MANAGED
                 for number, content in enumerate(objects)]
        of = {kind: {i: content for i, content in enumerate(objects) if kinds[i] == kind}
              for kind in (MANAGED, HUGE, TINY)}
        offsets, blocks = self.place(of[MANAGED])
        self.number = {at: number for number, at in offsets.items()}
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
        used = sum(content.size() for content in of[MANAGED].values())
        tree, huge_ids = self.huge(of[HUGE])
        payload = self.payload(rows) if heap.manager else allocated - self.prefix * len(blocks)
        manager = self.manager(blocks) if heap.manager else None
        pipeline = messages.filters(w, heap.filters, heap.filters_version) if heap.filters else None
        header = self.header
        header.add("signature", b"FRHP").add("version", 0, 1).add("id length", heap.id_length, 2)
        header.add("filter length", pipeline.size() if pipeline else 0, 2)
        header.add("flags", 2 * heap.checksummed, 1)
        header.add("max managed", heap.max_managed, 4)
        header.add("next huge", 0 if self.direct_ids else len(huge_ids), w.length)
        header.add("huge tree", tree, w.offset)
        header.add("free", payload - used, w.length)
        header.add("free space manager", manager, w.offset)
        sizes = {kind: sum(content.size() for content in each.values()) for kind, each in of.items()}
        for word, number in (("managed", managed), ("allocated", allocated), ("iterator", end),
                             ("objects", len(of[MANAGED])), ("huge bytes", sizes[HUGE]),
                             ("huge objects", len(huge_ids)), ("tiny bytes", sizes[TINY]),
                             ("tiny objects", len(of[TINY]))):
            header.add(word, number, w.length)
        header.add("width", heap.width, 2).add("start", heap.start, w.length)
        header.add("max direct", heap.max_direct, w.length).add("bits", heap.bits, 2)
        header.add("start rows", heap.start_rows, 2).add("root", root, w.offset)
        header.add("rows", rows, 2)
        if pipeline:
            for word, field in zip(("root size", "root mask"), self.stored(None if rows else root)):
                header.add(word, *field)
            header.add("filters", pipeline)
        header.add("checksum", Checksum())
        return header, [self.id(kinds[i], content, offsets.get(i), huge_ids.get(i))
                        for i, content in enumerate(objects)]

    # Huge objects --------------------------------------------------------------------------------

    @property
    def direct_ids(self):
        """Whether the id of a huge object says where it is."""
        w = self.w
        return self.heap.id_length > w.offset + w.length + (4 + w.length if self.heap.filters else 0)

    def huge(self, objects):
        """The header of the tree, and the field of each id by the number of the object."""
        heap, w, records, ids = self.heap, self.w, [], {}
        for number, content in objects.items():
            block = self._block("huge", self.owner).add("object", content)
            where = [("address", block, w.offset), ("length", Computed(block.size), w.length)]
            if heap.filters:
                where += [("mask", heap.mask, 4), ("memory", content.size(), w.length)]
            key = ("key", len(records) + 1, min(heap.id_length - 1, 8))
            ids[number] = where if self.direct_ids else [key]
            records.append(Struct(*where) if self.direct_ids else
                           Struct(*where, ("id", len(records) + 1, w.length)))
        if not records:
            return None, {}
        kind = 1 + bool(heap.filters) + 2 * self.direct_ids
        return btree2.write_tree(btree2.Tree(node_size=512), kind, records, records[0].size(),
                                 f"{self.owner} huge", w, self.image), ids

    # Free space ----------------------------------------------------------------------------------

    def payload(self, rows):
        """Of all direct blocks that these rows may have."""
        heap, made = self.heap, 0
        for row in range(rows):
            size = self.row_size(row)
            below = size.bit_length() - (heap.start * heap.width).bit_length() + 1
            made += heap.width * (size - self.prefix if row < self.direct_rows else self.payload(below))
        return made if rows else heap.start - self.prefix

    def row_section(self, block, row, column, number, offset=None, size=None, kind=1):
        """Of empty places of the indirect block with the offset `block`."""
        if offset is None:
            offset = block + self.row_begin(row) + column * self.row_size(row)
        return (offset, self.row_size(row) - self.prefix if size is None else size, kind,
                Struct(("block", block, self.offset_width), ("row", row, 2), ("column", column, 2),
                       ("number", number, 2)))

    def manager(self, blocks):
        """Single sections for the gaps of all blocks, row sections for empty places of direct blocks."""
        heap, sections, unstored, further = self.heap, [], 0, 0
        for begin, (length, contents) in sorted(blocks.items()):
            at = begin + self.prefix
            for content, offset in contents + [(None, begin + length)]:
                if at < offset:
                    sections.append((at, offset - at, 0))
                at = offset + (content.size() if content else 0)
        for begin, rows in self.inner:
            for first, last in self.empty(begin, rows, blocks):
                row, column = divmod(first, heap.width)
                sections.append(self.row_section(begin, row, column, last - first + 1))
                rest = range(row + 1, last // heap.width + 1)
                unstored += len(rest)
                further += sum(self.row_size(each) - self.prefix for each in rest)
        if callable(heap.manager):
            sections = heap.manager(self, sections)
        return write_manager(f"{self.owner} heap", sections, self.w, self.image, client=0, bits=heap.bits,
                             most=heap.max_direct, classes=4, unstored=unstored, further=further)

    def empty(self, begin, rows, blocks):
        """[(first, last)] of adjacent empty places of direct blocks in an indirect one."""
        runs = []
        for row in range(min(rows, self.direct_rows)):
            for column in range(self.heap.width):
                place = row * self.heap.width + column
                if begin + self.row_begin(row) + column * self.row_size(row) in blocks:
                    continue
                if runs and runs[-1][1] == place - 1:
                    runs[-1] = (runs[-1][0], place)
                else:
                    runs.append((place, place))
        return runs

    # Ids -----------------------------------------------------------------------------------------

    def id(self, kind, content, offset, huge):
        """The fields of a heap id."""
        heap = self.heap
        if kind == HUGE:
            made = Struct(("kind", HUGE, 1), *huge)
        elif kind == TINY and heap.id_length <= 18:
            made = Struct(("kind", TINY | content.size() - 1, 1), ("object", content))
        elif kind == TINY:
            length = content.size() - 1
            made = Struct(("kind", TINY | length >> 8, 1), ("length", length & 255, 1), ("object", content))
        else:
            length = min(-(-(heap.max_direct.bit_length() - 1) // 8), enough(heap.max_managed))
            made = Struct(("kind", MANAGED, 1), ("offset", offset, self.offset_width),
                          ("length", content.size(), length))
        if made.size() < heap.id_length:
            made.add("rest", bytes(heap.id_length - made.size()))
        return made


def write_heap(heap, objects, owner, w, image):
    """`objects`: Structs. Returns the header block and the id of each object, a Struct."""
    return _Writer(heap, owner, w, image).write(objects)
