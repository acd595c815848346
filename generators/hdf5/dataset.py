"""Datasets: shape, datatype, storage, chunks."""

import itertools
import math
from dataclasses import dataclass, field
from typing import Any

from . import messages
from .datatypes import I32, Datatype
from .layouts import Virtual, layout
from .messages import UNLIMITED, Message
from .objects import Node
from .pipeline import encoded


@dataclass
class Chunk:
    """`mask`: filters that were skipped. `content`: stored bytes that replace the correct ones."""

    mask: int = 0
    content: bytes = None


@dataclass
class Fill:
    version: int = 3
    allocation: int = 3
    when: int = 2
    value: bytes = None
    defined: bool = None

    def message(self):
        return Message("fill", lambda w: messages.fill(
            w, self.version, self.allocation, self.when, self.value, self.defined), flags=1)


@dataclass
class Dataset(Node):
    shape: tuple = (10,)
    maximum: tuple = None
    chunk: tuple = None
    storage: Any = None
    type: Any = field(default_factory=lambda: I32)   # a Datatype, or a NamedDatatype
    filters: list = field(default_factory=list)
    filters_version: int = 2
    space_version: int = 2
    layout_version: int = 4
    edge_unfiltered: bool = False
    fill: Fill = field(default_factory=Fill)
    # Scaled offsets of the chunks that exist, or {offsets: Chunk}; None: all chunks of the extent.
    written: Any = None
    # What is missing if no data was written: "index": the index; "blocks": everything below its header.
    unused: str = None
    dimension_width: int = None
    renumbered: Any = None    # maps the offsets of a chunk to a wrong number of its element

    # Derived values -----------------------------------------------------------------------------

    @property
    def element_type(self):
        return self.type if isinstance(self.type, Datatype) else self.type.type

    @property
    def element_size(self):
        return self.element_type.size

    @property
    def chunk_bytes(self):
        return math.prod(self.chunk) * self.element_size

    @property
    def limits(self):
        return self.maximum or self.shape

    def greatest_grid(self):
        """Number of chunks along each dimension; None if it is unlimited."""
        return [None if most is UNLIMITED else -(-most // each)
                for most, each in zip(self.limits, self.chunk)]

    def extent_grid(self):
        return [-(-size // each) for size, each in zip(self.shape, self.chunk)]

    def chunks(self):
        """{scaled offsets: Chunk}"""
        if self.unused:
            return {}
        if self.written is None:
            places = itertools.product(*map(range, self.extent_grid()))
            return {place: Chunk() for place in places}
        if isinstance(self.written, dict):
            return self.written
        return {tuple(place) if isinstance(place, (tuple, list)) else (place,): Chunk()
                for place in self.written}

    def number(self, place):
        """The number of a chunk in an array: row-major over the maximum grid, with the unlimited dimension
        first."""
        grid = list(zip(self.greatest_grid(), place))
        grid.sort(key=lambda pair: pair[0] is not None)
        number = grid[0][1]
        for count, each in grid[1:]:
            number = number * count + each
        return number

    def value(self, place):
        """The bytes of the element at these offsets. They differ between elements."""
        sizes = [max(size, 1) for size in self.shape]
        number = 1
        for i, each in enumerate(place):
            number += each * math.prod(sizes[i + 1:])
        made = self.element_type.element(number)
        return bytes(self.element_size) if made is None else made

    def fill_value(self):
        return self.fill.value if self.fill and self.fill.value else bytes(self.element_size)

    def chunk_values(self, place):
        """The decoded bytes of a chunk, with zeros outside the extent."""
        begin = [at * each for at, each in zip(place, self.chunk)]
        made = bytearray()
        for inner in itertools.product(*map(range, self.chunk)):
            at = tuple(a + b for a, b in zip(begin, inner))
            inside = all(a < size for a, size in zip(at, self.shape))
            made += self.value(at) if inside else bytes(self.element_size)
        return bytes(made)

    def stored(self, place, chunk):
        """The bytes of a chunk as stored in the file."""
        if chunk.content is not None:
            return chunk.content
        content = self.chunk_values(place)
        if self.edge_unfiltered and any((at + 1) * each > size for at, each, size in
                                        zip(place, self.chunk, self.shape)):
            return content
        return encoded(content, self.filters, chunk.mask, self.element_size)

    def expected(self):
        """All elements, row-major, as a reader should return them."""
        if math.prod(self.shape) == 0:
            return b""
        if isinstance(self.storage, Virtual) or self.unused \
                or getattr(self.storage, "allocated", True) is False:
            return self.fill_value() * math.prod(self.shape)
        if not self.chunk:
            return b"".join(map(self.value, itertools.product(*map(range, self.shape))))
        elements = [self.fill_value()] * math.prod(self.shape)
        for place in self.chunks():
            if len(place) != len(self.shape):
                continue  # no element is in it
            begin = [at * each for at, each in zip(place, self.chunk)]
            inside = [range(first, min(first + each, size))
                      for first, each, size in zip(begin, self.chunk, self.shape)]
            for at in itertools.product(*inside):
                number = 0
                for each, size in zip(at, self.shape):
                    number = number * size + each
                elements[number] = self.value(at)
        return b"".join(elements)

    # Messages and blocks -----------------------------------------------------------------------

    def body(self, file, image):
        w, made = file.w, []
        made.append(Message("dataspace", lambda w: messages.dataspace(
            w, self.shape, self.maximum, self.space_version)))
        made.append(file.type_message(self.type))
        if self.fill:
            made.append(self.fill.message())
        if self.filters:
            made.append(Message("filters", lambda w: messages.filters(
                w, self.filters, self.filters_version), flags=1))
        made.append(Message("layout", layout(self, file, image)))
        return made
