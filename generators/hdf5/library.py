"""Files written by the HDF5 library, at each of its version bounds."""

import ctypes
import functools
import re
import tempfile

import h5py
import numpy as np

BOUNDS = {"earliest": (h5py.h5f.LIBVER_EARLIEST, h5py.h5f.LIBVER_LATEST),
          "v108": (h5py.h5f.LIBVER_V18,) * 2, "v110": (h5py.h5f.LIBVER_V110,) * 2,
          "latest": (h5py.h5f.LIBVER_LATEST,) * 2}


@functools.cache
def _loaded():
    with open("/proc/self/maps") as maps:
        return ctypes.CDLL(next(line.split()[-1] for line in maps
                                if re.search(r"libhdf5(_serial)?[-0-9a-f]*\.so", line)))


def call(name, *arguments):
    """A function of the library that h5py does not pass on. `arguments`: ids of h5py, numbers, and pointers."""
    result = getattr(_loaded(), name)(*(
        ctypes.c_int64(each.id) if hasattr(each, "id") else
        each if isinstance(each, ctypes.c_void_p) else ctypes.c_uint(each) for each in arguments))
    assert result >= 0, name


class Library:
    """The base of a recipe: `fill` receives the open file. `creation` changes the properties of the file."""

    path = "/"

    def __init__(self, bound, creation=lambda properties: None):
        self.bound, self.creation, self.fill = bound, creation, lambda file: None

    def bytes(self):
        return self.written()

    def written(self):
        """As the library writes them."""
        access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
        access.set_libver_bounds(*BOUNDS[self.bound])
        creation = _without_times(h5py.h5p.FILE_CREATE)
        self.creation(creation)
        # An image taken by H5Fget_file_image has the checksum of other status flags.
        with tempfile.NamedTemporaryFile() as made:
            created = h5py.h5f.create(made.name.encode(), fcpl=creation, fapl=access)
            with h5py.File(created) as file:
                self.fill(file)
            return made.read()


def _without_times(kind):
    properties = h5py.h5p.create(kind)
    properties.set_obj_track_times(False)
    return properties


def szipped(content, precision, chunk, coding, pixels):
    """A chunk of integers of four bytes as the library stores it with szip, and the client values."""
    properties = _without_times(h5py.h5p.DATASET_CREATE)
    properties.set_chunk(chunk)
    properties.set_szip(coding, pixels)
    type = h5py.h5t.STD_I32LE.copy()
    type.set_precision(precision)
    with h5py.File("szipped", "w", driver="core", backing_store=False) as file:
        dataset = h5py.h5d.create(file.id, b"d", type, h5py.h5s.create_simple(chunk), properties)
        values = np.frombuffer(content, "V4").reshape(chunk)
        dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, values, type)
        file.flush()
        stored = dataset.read_direct_chunk((0,) * len(chunk))[1]
        return stored, dataset.get_create_plist().get_filter(0)[2]


def indexes(file, filters=False):
    """A dataset for each index that the library chooses, depending on shape and maximum shape."""
    options = {"compression": "gzip", "shuffle": True, "fletcher32": True} if filters else {}
    for name, shape, maximum, chunks in (
            ("fixed", (10,), (40,), (4,)), ("extensible", (10,), (None,), (4,)),
            ("second", (4, 6), (8, None), (2, 3)), ("tree", (4, 6), (None, None), (2, 3)),
            ("single", (10,), (10,), (10,))):
        dataset = file.create_dataset(name, shape, "i2", maxshape=maximum, chunks=chunks, **options)
        dataset[...] = np.arange(1, dataset.size + 1).reshape(shape)
    if filters:
        return
    _implicit(file)
    file.create_dataset("contiguous", data=np.arange(5, dtype="i2"))
    _compact(file)


def _create(file, name, properties, maximum):
    space = h5py.h5s.create_simple((4, 6), maximum)
    dataset = h5py.Dataset(h5py.h5d.create(file.id, name, h5py.h5t.STD_I16LE, space, properties))
    dataset[...] = np.arange(24).reshape(4, 6)


def _implicit(file):
    properties = _without_times(h5py.h5p.DATASET_CREATE)
    properties.set_chunk((2, 3))
    properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    _create(file, b"implicit", properties, (8, 6))


def _compact(file):
    properties = _without_times(h5py.h5p.DATASET_CREATE)
    properties.set_layout(h5py.h5d.COMPACT)
    _create(file, b"compact", properties, (4, 6))


def _group(parent, name):
    properties = _without_times(h5py.h5p.GROUP_CREATE)
    return h5py.Group(h5py.h5g.create(parent.id, name, gcpl=properties))


def pages(file):
    """A fixed array of two pages, of which only the second is in use."""
    file.create_dataset("d", (1030,), "i1", maxshape=(1040,), chunks=(1,))[1025:1029] = [1, 2, 3, 4]


def external(file):
    """An old group cannot contain an external link, so the library converts it to a new group."""
    file["external"] = h5py.ExternalLink("other.h5", "/x")


def groups(file):
    """Nested groups, with more links and attributes than fit in a header."""
    inner = file
    for name in (b"a", b"b", b"c"):
        inner = _group(inner, name)
    many = _group(file, b"many")
    for number in range(20):
        many[f"n{number}"] = h5py.SoftLink("/a")
        many.attrs[f"a{number}"] = np.int8(number)
    file["soft"] = h5py.SoftLink("/a/b")
    file["hard"] = file["a"]
    file.attrs["text"] = np.bytes_("some text")


def filtered_heaps(file):
    """Groups with more links than fit in a header, in heaps with filters."""
    for name, checksum in ((b"deflated", False), (b"with a checksum", True)):
        properties = _without_times(h5py.h5p.GROUP_CREATE)
        call("H5Pset_deflate", properties, 9)
        if checksum:
            call("H5Pset_fletcher32", properties)
        group = h5py.Group(h5py.h5g.create(file.id, name, gcpl=properties))
        for number in range(150):
            group[f"a soft link with the number {number}"] = h5py.SoftLink("/")
        for number in range(0, 150, 7):
            del group[f"a soft link with the number {number}"]


def huge_objects(file):
    """Attributes and links that are too long for the blocks of a heap, also in heaps with filters."""
    inner = _group(file, b"attributes")
    for number in range(12):
        size = 5000 if number in (1, 4, 8) else 3
        inner.attrs.create(f"a{number}", np.full(size, number, "i1"))
    for name, filtered in ((b"links", False), (b"deflated", True)):
        properties = _without_times(h5py.h5p.GROUP_CREATE)
        if filtered:
            call("H5Pset_deflate", properties, 9)
        group = h5py.Group(h5py.h5g.create(file.id, name, gcpl=properties))
        for number in range(12):
            group[f"n{number}"] = h5py.SoftLink("/" * (5000 if number in (1, 4, 8) else 1))


def share_messages(properties):
    """Indexes of shared messages: dataspaces and datatypes, fill values and filters, and attributes."""
    call("H5Pset_shared_mesg_nindexes", properties, 3)
    for number, types in enumerate((0x000a, 0x0820, 0x1000)):
        call("H5Pset_shared_mesg_index", properties, number, types, 10)


def shared_messages(file):
    """Datasets that share some of their messages; the dataspace of the last one is not that of another."""
    for number in range(4):
        properties = _without_times(h5py.h5p.DATASET_CREATE)
        properties.set_chunk((4, 6))
        properties.set_deflate(9)
        _create(file, b"d%d" % number, properties, (4, 6 + number // 3))
        file[f"d{number}"].attrs["units"] = np.bytes_("metres and seconds")


def shared_fill_values(file, number):
    """Datasets with the same fill value of 8 bytes."""
    for each in range(number):
        properties = _without_times(h5py.h5p.DATASET_CREATE)
        properties.set_fill_value(np.array(7, "i8"))
        h5py.h5d.create(file.id, b"d%d" % each, h5py.h5t.STD_I64LE, h5py.h5s.create_simple((4,)), properties)


def table(file):
    """A table whose CLASS is a variable-length string, stored after another in the heap."""
    file.attrs["AUTHOR"] = "somebody"
    file.attrs["CLASS"] = "COLUMN_TABLE"
    for name in ("a", "b"):
        file.create_dataset(name, data=np.arange(3, dtype="i2"), maxshape=(None,), chunks=(4,))
    file.create_dataset("c", data=np.arange(3, dtype="i2"))


def shrunk_to_nothing(file):
    """Two datasets of one chunk each. The first was shrunk to nothing: the library frees its
    chunk, which the second gets, and leaves the address in the header."""
    for name, size in ((b"a", 0), (b"b", 4)):
        properties = _without_times(h5py.h5p.DATASET_CREATE)
        properties.set_chunk((4, 6))
        properties.set_alloc_time(h5py.h5d.ALLOC_TIME_LATE)
        _create(file, name, properties, (4, 6))
        file[name].resize((size, 6))


def _virtual(file, name, here, *mappings):
    """`mappings`: file, dataset, the source dataspace, and the part of `here`."""
    properties = _without_times(h5py.h5p.DATASET_CREATE)
    for file_name, dataset, source, part in mappings:
        properties.set_virtual(part, file_name, dataset, source)
    h5py.h5d.create(file.id, name, h5py.h5t.STD_I32LE, here, properties)


def _part(shape, start, count, maximum=None, block=None):
    space = h5py.h5s.create_simple(shape, maximum or shape)
    space.select_hyperslab(start, count, block=block, stride=block)
    return space


def virtual_parts(file):
    """Four columns from four sources of this file, and a dataset over all of another file."""
    for number in range(4):
        file.create_dataset(f"s{number}", data=np.arange(8, dtype="i4"))
    _virtual(file, b"columns", h5py.h5s.create_simple((6, 4)),
             *((b".", f"s{number}".encode(), _part((8,), (1,), (6,)), _part((6, 4), (0, number), (6, 1)))
               for number in range(4)))
    whole = h5py.h5s.create_simple((6,))
    _virtual(file, b"elsewhere", whole, (b"src.h5", b"x", whole, whole))


def virtual_series(file):
    """A dataset over a source that grows, and one over a file for each ten elements."""
    file.create_dataset("s", (4,), "i4", maxshape=(None,), chunks=(4,))
    endless = h5py.h5s.UNLIMITED
    for name, file_name, block, source in (
            (b"grows", b".", 1, _part((10,), (0,), (endless,), (endless,), (1,))),
            (b"files", b"f-%b.h5", 10, h5py.h5s.create_simple((10,)))):
        here = _part((20,), (0,), (endless,), (endless,), (block,))
        _virtual(file, name, here, (file_name, b"s", source, here))
