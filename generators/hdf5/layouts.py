"""Layout messages of all versions and classes, and the storage that they refer to."""

import itertools
import math
from dataclasses import dataclass

from . import btree1, btree2
from .arrays import ExtensibleArray, FixedArray, write_extensible_array, write_fixed_array
from .blocks import Block, Struct
from .datatypes import enough


class Compact:
    pass


@dataclass
class Contiguous:
    allocated: bool = True


class Virtual:
    pass


class Single:
    pass


class Implicit:
    pass


@dataclass
class ChunkTree:
    """A B-tree of version 1. `fanout`: children of a node; `slack`: the byte that fills unused space; `levels`:
    the least level of the root."""

    fanout: int = None
    slack: int = 0
    levels: int = 0


CLASSES = {Compact: 0, Contiguous: 1, Virtual: 3}
INDEXES = {Single: 1, Implicit: 2, FixedArray: 3, ExtensibleArray: 4, btree2.Tree: 5}


def layout(dataset, file, image):
    """The body of the message. Adds raw data and index to the image."""
    write = (_old if dataset.layout_version < 3 else _chunked if dataset.chunk else _plain)
    return write(dataset, file, image)


def _values(dataset):
    if dataset.shape is None:
        return b""
    return b"".join(map(dataset.value, itertools.product(*map(range, dataset.shape))))


def _raw(dataset, image, content, kind):
    return image.add(Block(kind, dataset.path, ("bytes", content)))


def _contiguous(dataset, image):
    values = _values(dataset)
    stored = dataset.storage.allocated and values
    return _raw(dataset, image, values, "data") if stored else None


def _plain(dataset, file, image):
    w = file.w
    number = CLASSES[type(dataset.storage)]
    made = Struct(("version", dataset.layout_version, 1), ("class", number, 1))
    if number == 0:
        values = _values(dataset)
        return made.add("size", len(values), 2).add("data", values)
    if number == 1:
        count = 0 if dataset.shape is None else math.prod(dataset.shape)
        made.add("address", _contiguous(dataset, image), w.offset)
        return made.add("size", count * dataset.element_size, w.length)
    return made.add("heap", None, w.offset).add("index", 0, 4)


def _old(dataset, file, image):
    w = file.w
    number = 2 if dataset.chunk else CLASSES[type(dataset.storage)]
    sizes = [*dataset.chunk, dataset.element_size] if dataset.chunk else dataset.shape
    made = Struct(("version", dataset.layout_version, 1), ("dimensionality", len(sizes), 1),
                  ("class", number, 1), ("reserved", 0, 1), ("reserved too", 0, 4))
    if number == 1:
        made.add("address", _contiguous(dataset, image), w.offset)
    elif number == 2:
        made.add("address", _index(dataset, file, image), w.offset)
    for i, size in enumerate(sizes):
        made.add(f"size {i}", size, 4)
    if number == 0:
        values = _values(dataset)
        made.add("data size", len(values), 4).add("data", values)
    return made


def _chunked(dataset, file, image):
    w, storage = file.w, dataset.storage
    sizes = [*dataset.chunk, dataset.element_size]
    made = Struct(("version", dataset.layout_version, 1), ("class", 2, 1))
    if dataset.layout_version == 3:
        made.add("dimensionality", len(sizes), 1)
        made.add("address", _index(dataset, file, image), w.offset)
        for i, size in enumerate(sizes):
            made.add(f"size {i}", size, 4)
        return made
    width = dataset.dimension_width or enough(max(sizes))
    single = isinstance(storage, Single)
    made.add("flags", dataset.edge_unfiltered | 2 * (single and bool(dataset.filters)), 1)
    made.add("dimensionality", len(sizes), 1).add("dimension width", width, 1)
    for i, size in enumerate(sizes):
        made.add(f"size {i}", size, width)
    made.add("index type", INDEXES[type(storage)], 1)
    if single:
        return made.extend(_single(dataset, image, w))
    if isinstance(storage, FixedArray):
        made.add("page bits", storage.page_bits, 1)
    elif isinstance(storage, ExtensibleArray):
        for word in ("max_bits", "index_elements", "min_pointers", "min_elements", "page_bits"):
            made.add(word.replace("_", " "), getattr(storage, word), 1)
    elif isinstance(storage, btree2.Tree):
        made.add("node size", storage.node_size, 4)
        made.add("split", storage.split, 1).add("merge", storage.merge, 1)
    return made.add("address", _index(dataset, file, image), w.offset)


def _single(dataset, image, w):
    block, mask = None, 0
    for place, chunk in dataset.chunks().items():
        block, mask = _raw(dataset, image, dataset.stored(place, chunk), "chunk"), chunk.mask
    made = Struct()
    if dataset.filters:
        made.add("chunk size", block.size() if block else 0, w.length).add("mask", mask, 4)
    return made.add("address", block, w.offset)


def size_width(dataset, w):
    """The width of the stored size in elements of filtered chunks."""
    if not dataset.filters:
        return None
    if dataset.layout_version >= 5:
        return w.length
    return min(8, 1 + (dataset.chunk_bytes.bit_length() - 1 + 8) // 8)


def _index(dataset, file, image):
    """The address of the index. The chunks are written before it."""
    w, storage, owner = file.w, dataset.storage, dataset.path
    if dataset.unused == "index":
        return None
    if isinstance(storage, Implicit):
        places = itertools.product(*map(range, dataset.greatest_grid()))
        return _raw(dataset, image, b"".join(map(dataset.chunk_values, places)), "chunks")
    elements = {}
    for place, chunk in dataset.chunks().items():
        block = _raw(dataset, image, dataset.stored(place, chunk), "chunk")
        elements[place] = (block, block.size(), chunk.mask)
    width = size_width(dataset, w)
    if isinstance(storage, ChunkTree):
        return _chunk_tree(dataset, file, image, elements)
    if isinstance(storage, btree2.Tree):
        kind = btree2.FILTERED_CHUNKS if dataset.filters else btree2.CHUNKS
        size = w.offset + 8 * len(dataset.shape) + (width + 4 if dataset.filters else 0)
        records = btree2.chunk_records(elements, w, width, bool(dataset.filters))
        return btree2.write_tree(storage, kind, records, size, owner, w, image)
    numbered = None
    if not dataset.unused:
        numbered = {dataset.number(place): each for place, each in elements.items()}
        if dataset.renumbered:
            numbered = {dataset.renumbered(*place): each for place, each in elements.items()}
    if isinstance(storage, FixedArray):
        count = math.prod(dataset.greatest_grid())
        return write_fixed_array(storage, numbered, width, count, owner, w, image)
    return write_extensible_array(storage, numbered, width, owner, w, image)


def _chunk_tree(dataset, file, image, elements):
    leaves = [(btree1.chunk_key([at * each for at, each in zip(place, dataset.chunk)], size, mask),
               block) for place, (block, size, mask) in sorted(elements.items())]
    greatest = max(elements, default=(0,) * len(dataset.chunk))
    last = btree1.chunk_key([(at + 1) * each for at, each in zip(greatest, dataset.chunk)])
    return btree1.write_tree(btree1.CHUNKS, leaves, last, file.k_chunk, dataset.path, file.w, image,
                             dataset.storage.fanout, dataset.storage.slack, dataset.storage.levels)
