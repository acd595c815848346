"""List columns (HEP001 of 2026-07-09, section 9): rows as Python lists, None for a null one.

A level is a group with OFFSETS, optionally MASK, and VALUES, which is a leaf dataset, another level or,
for strings, a group with OFFSETS, optionally MASK, and CHARS."""

import h5py
import numpy
from h5py import h5a, h5d, h5g, h5o, h5p, h5s, h5t

import hdf5
import notation
from conversation import Unsupported
from notation import Encoder, make_type

LIST, STRINGS = "LIST_COLUMN", "STRING_VALUES"
CHUNK = 16


def grow(dataset, extent):
    if dataset.shape[0] < extent:
        dataset.set_extent((extent, *dataset.shape[1:]))


def member(group, name):
    return h5o.open(group, name) if name in group else None


def read_offsets(group, first, count):
    """The boundaries of entries [first, first + count)."""
    if count == 0:
        return [0]
    return [int(end) for end in h5py.Dataset(member(group, b"OFFSETS"))[first:first + count + 1]]


def read_present(group, first, count):
    """Which entries are not null."""
    mask = member(group, b"MASK")
    if mask is None:
        return [True] * count
    stored, free = hdf5.read_rows(mask, first, count)
    size, base = mask.get_type().get_size(), mask.get_type().get_super()
    try:
        return [notation.integer(base, stored.raw[i * size:(i + 1) * size]) == "1"
                for i in range(count)]
    finally:
        free()


class Lists:
    """Reads and writes the levels of a list column. `leaf` converts a leaf dataset to a column;
    `attributes` writes (name, text) attributes to a group."""

    def __init__(self, class_of, kind_of, leaf):
        self.class_of, self.kind_of, self.leaf = class_of, kind_of, leaf

    # Reading

    def describe(self, item):
        if isinstance(item, h5d.DatasetID):
            return notation.describe_type(item.get_type())
        if self.class_of(item) == STRINGS:
            return {"class": "text"}
        if self.kind_of(item) != "OFFSETS" or member(item, b"VALUES") is None:
            return {"class": "list"}
        return {"class": "list", "base": self.describe(member(item, b"VALUES"))}

    def read(self, item, first, count):
        """Entries [first, first + count) of a level, or elements of a leaf."""
        if isinstance(item, h5d.DatasetID):
            return self.leaf(item).values(first, count)
        if self.class_of(item) == STRINGS:
            return self.read_texts(item, first, count)
        if self.kind_of(item) != "OFFSETS":
            raise Unsupported(f"a list column of KIND {self.kind_of(item)}")
        offsets = read_offsets(item, first, count)
        elements = self.read(member(item, b"VALUES"), offsets[0], offsets[-1] - offsets[0])
        return self.cut(item, first, offsets, elements)

    def read_texts(self, item, first, count):
        offsets = read_offsets(item, first, count)
        data = h5py.Dataset(member(item, b"CHARS"))[offsets[0]:offsets[-1]].tobytes()
        return [None if text is None else notation.text(text)
                for text in self.cut(item, first, offsets, data)]

    @staticmethod
    def cut(item, first, offsets, elements):
        start, count = offsets[0], len(offsets) - 1
        present = read_present(item, first, count)
        return [elements[offsets[i] - start:offsets[i + 1] - start] if present[i] else None
                for i in range(count)]

    # Writing

    def create(self, parent, name, kind, fill_of, label):
        """Creates an empty level. `label` writes the attributes that identify a group."""
        if kind["class"] not in ("list", "text"):
            return self.create_leaf(parent, name, kind, fill_of(kind))
        texts = kind["class"] == "text"
        group = h5g.create(parent, name)
        label(group, STRINGS if texts else LIST)
        offsets = new_dataset(group, b"OFFSETS", h5t.STD_U64LE, 1)
        offsets.write(h5s.ALL, h5s.ALL, numpy.zeros(1, "u8"), h5t.STD_U64LE)
        new_dataset(group, b"MASK", make_type(notation.BOOLEAN), 0)
        if texts:
            new_dataset(group, b"CHARS", h5t.STD_U8LE, 0)
        else:
            self.create(group, b"VALUES", kind["base"], fill_of, label)
        return group

    @staticmethod
    def create_leaf(parent, name, kind, fill):
        plist, tid = None, make_type(kind)
        if fill is not None:
            plist = h5p.create(h5p.DATASET_CREATE)
            hdf5.set_fill_value(plist, tid, Encoder().element(tid, fill))
        return new_dataset(parent, name, tid, 0, plist)

    def append(self, item, kind, before, values):
        """Appends values after the first `before` entries: the innermost elements first, OFFSETS
        last, so that those entries are complete at all times."""
        if kind["class"] not in ("list", "text"):
            leaf = self.leaf(item)
            fill, tid, encoder = leaf.fill(), item.get_type(), Encoder()
            grow(item, before + len(values))
            return hdf5.write_rows(item, before, len(values), encoder.elements(
                tid, [fill if value is None else value for value in values]))
        end = read_offsets(item, before - 1, 1)[1] if before else 0
        entries = [b"" if value is None else value for value in values]
        if kind["class"] == "text":
            entries = [entry if value is None else value.encode() if isinstance(value, str)
                       else notation.unraw(value) for entry, value in zip(entries, values)]
            self.put(member(item, b"CHARS"), end, numpy.frombuffer(b"".join(entries), "u1"))
        else:
            self.append(member(item, b"VALUES"), kind["base"], end,
                        [element for entry in entries for element in entry])
        present = [value is not None for value in values]
        self.put(member(item, b"MASK"), before, numpy.array(present, "i1"),
                 make_type(notation.BOOLEAN))
        ends = end + numpy.cumsum([len(entry) for entry in entries], dtype="u8")
        self.put(member(item, b"OFFSETS"), before + 1, ends.astype("u8"))

    @staticmethod
    def put(dataset, first, values, memory_type=None):
        grow(dataset, first + len(values))
        if len(values):
            space, memory = dataset.get_space(), h5s.create_simple((len(values),))
            space.select_hyperslab((first,), (len(values),))
            dataset.write(memory, space, values, memory_type)

    def reclaim(self, item, kind, entries):
        """Removes everything after the first entries, level by level."""
        if kind["class"] not in ("list", "text"):
            return item.set_extent((entries,))
        end = read_offsets(item, entries - 1, 1)[1] if entries else 0
        if kind["class"] == "text":
            member(item, b"CHARS").set_extent((end,))
        else:
            self.reclaim(member(item, b"VALUES"), kind["base"], end)
        if (mask := member(item, b"MASK")) is not None:
            mask.set_extent((entries,))
        return member(item, b"OFFSETS").set_extent((entries + 1,))


def new_dataset(group, name, tid, extent, plist=None, width=None):
    """An extensible chunked dataset of rank 1, or of rank 2 if it has a width."""
    plist = h5p.create(h5p.DATASET_CREATE) if plist is None else plist
    shape = (extent,) if width is None else (extent, width)
    plist.set_chunk((CHUNK,) if width is None else (CHUNK, max(width, 1)))
    return h5d.create(group, name, tid, h5s.create_simple(shape, (h5s.UNLIMITED,) * len(shape)), plist)
