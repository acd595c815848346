"""Chunk indexes that are arrays: fixed and extensible ones.

`elements`: {number: (block, size, mask)} of the elements that have a chunk.
"""

from dataclasses import dataclass

from .blocks import Block, Checksum, Computed, Struct


@dataclass
class FixedArray:
    page_bits: int = 2


@dataclass
class ExtensibleArray:
    max_bits: int = 8
    index_elements: int = 2
    min_elements: int = 2
    min_pointers: int = 2
    page_bits: int = 3

    # The values that the library chooses.
    @staticmethod
    def usual():
        return ExtensibleArray(32, 4, 16, 4, 10)


class Elements:
    """Writes the elements, filtered or not."""

    def __init__(self, elements, w, size_width):
        self.elements, self.w, self.size_width = elements, w, size_width
        self.client = int(size_width is not None)
        self.size = w.offset + (size_width + 4 if self.client else 0)

    def __contains__(self, number):
        return number in self.elements

    def any(self, begin, end):
        return any(begin <= number < end for number in self.elements)

    def into(self, struct, begin, end):
        """The elements `begin` to `end` as fields, numbered from 0."""
        for number in range(begin, end):
            block, size, mask = self.elements.get(number, (None, 0, 0))
            part = Struct(("address", block, self.w.offset))
            if self.client:
                part.add("size", size, self.size_width).add("mask", mask, 4)
            struct.add(f"element {number - begin}", part)

    def page(self, begin, end):
        """A page with its checksum; all zero if no element of it has a chunk."""
        if not self.any(begin, end):
            return bytes((end - begin) * self.size + 4)
        made = Struct()
        self.into(made, begin, end)
        return made.add("checksum", Checksum())


def bitmap(bits, size):
    made = bytearray(size)
    for number, bit in enumerate(bits):
        made[number // 8] |= bit << 7 - number % 8
    return bytes(made)


def write_fixed_array(array, elements, size_width, count, owner, w, image):
    """If `elements` is None, there is no data block. Returns the header."""
    header = image.add(Block("FAHD", owner))
    each = Elements(elements or {}, w, size_width)
    block = None
    if elements is not None:
        block = image.add(Block("FADB", owner))
        block.add("signature", b"FADB").add("version", 0, 1).add("client", each.client, 1)
        block.add("header", header, w.offset)
        length = 1 << array.page_bits
        if count > length:
            starts = range(0, count, length)
            pages = [each.page(at, min(at + length, count)) for at in starts]
            block.add("bitmap", bitmap([isinstance(page, Struct) for page in pages],
                                       -(-len(pages) // 8)))
            block.add("checksum", Checksum())
            for number, page in enumerate(pages):
                block.add(f"page {number}", page)
        else:
            each.into(block, 0, count)
            block.add("checksum", Checksum())
    header.add("signature", b"FAHD").add("version", 0, 1).add("client", each.client, 1)
    header.add("element size", each.size, 1).add("page bits", array.page_bits, 1)
    header.add("count", count, w.length).add("block", block, w.offset)
    header.add("checksum", Checksum())
    return header


def write_extensible_array(array, elements, size_width, owner, w, image):
    """If `elements` is None, there is no index block. Returns the header."""
    return _Extensible(array, elements, size_width, owner, w, image).header


class _Extensible:
    def __init__(self, array, elements, size_width, owner, w, image):
        self.array, self.owner, self.w, self.image = array, owner, w, image
        self.each = Elements(elements or {}, w, size_width)
        self.offset_width = -(-array.max_bits // 8)
        self.header = image.add(Block("EAHD", owner))
        self.super_blocks, self.data_blocks, self.realized = [], [], 0
        index = self._index_block() if elements is not None else None
        self._header(index)

    def _header(self, index):
        a, header, width = self.array, self.header, self.w.length
        supers, datas = self.super_blocks, self.data_blocks
        header.add("signature", b"EAHD").add("version", 0, 1).add("client", self.each.client, 1)
        header.add("element size", self.each.size, 1).add("max bits", a.max_bits, 1)
        header.add("index elements", a.index_elements, 1)
        header.add("min elements", a.min_elements, 1).add("min pointers", a.min_pointers, 1)
        header.add("page bits", a.page_bits, 1)
        header.add("super blocks", len(supers), width)
        header.add("super block bytes", Computed(lambda: sum(b.size() for b in supers)), width)
        header.add("data blocks", len(datas), width)
        header.add("data block bytes", Computed(lambda: sum(b.size() for b in datas)), width)
        header.add("maximum index", max(self.each.elements, default=-1) + 1, width)
        header.add("realized", self.realized, width)
        header.add("index block", index, self.w.offset).add("checksum", Checksum())

    def _begin(self, kind):
        block = self.image.add(Block(kind, self.owner))
        block.add("signature", kind.encode()).add("version", 0, 1)
        return block.add("client", self.each.client, 1).add("header", self.header, self.w.offset)

    def _index_block(self):
        a = self.array
        block = self._begin("EAIB")
        self.each.into(block, 0, a.index_elements)
        self.realized += a.index_elements
        small = a.min_elements.bit_length() - 1
        in_index = 2 * (a.min_pointers.bit_length() - 1)
        pointers, number = [], 0
        for level in range(in_index):
            for k in range(1 << level // 2):
                # The library gives these blocks a special offset: their position among
                # the pointers of the index block, in elements, after the start of the level.
                stated = self._start(level) + number * self._length(level)
                pointers.append(self._data_block(level, k, stated))
                number += 1
        for number, pointer in enumerate(pointers):
            block.add(f"data block {number}", pointer, self.w.offset)
        for level in range(in_index, 1 + a.max_bits - small):
            block.add(f"super block {level - in_index}", self._super_block(level), self.w.offset)
        return block.add("checksum", Checksum())

    def _start(self, level):
        return self.array.min_elements * ((1 << level) - 1)

    def _length(self, level):
        """The number of elements of a data block."""
        return self.array.min_elements << (level + 1) // 2

    def _range(self, level, k):
        begin = self.array.index_elements + self._start(level) + k * self._length(level)
        return begin, begin + self._length(level)

    def _super_block(self, level):
        count = 1 << level // 2
        if not self.each.any(self._range(level, 0)[0], self._range(level, count - 1)[1]):
            return None
        block = self._begin("EASB")
        self.super_blocks.append(block)
        block.add("offset", self._start(level), self.offset_width)
        if self._paged(level):
            pages = self._length(level) >> self.array.page_bits
            block.add("bitmap", bitmap(
                [self.each.any(*page) for k in range(count) for page in self._pages(level, k)],
                count * -(-pages // 8)))
        for k in range(count):
            pointer = self._data_block(level, k, self._start(level) + k * self._length(level))
            block.add(f"data block {k}", pointer, self.w.offset)
        return block.add("checksum", Checksum())

    def _paged(self, level):
        return self._length(level) > 1 << self.array.page_bits

    def _pages(self, level, k):
        begin, end = self._range(level, k)
        step = 1 << self.array.page_bits
        return [(at, at + step) for at in range(begin, end, step)]

    def _data_block(self, level, k, offset):
        begin, end = self._range(level, k)
        if not self.each.any(begin, end):
            return None
        block = self._begin("EADB")
        self.data_blocks.append(block)
        self.realized += end - begin
        block.add("offset", offset, self.offset_width)
        if not self._paged(level):
            self.each.into(block, begin, end)
            return block.add("checksum", Checksum())
        block.add("checksum", Checksum())
        for number, page in enumerate(self._pages(level, k)):
            block.add(f"page {number}", self.each.page(*page))
        return block
