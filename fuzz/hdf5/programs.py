#!/usr/bin/env python3
"""Random programs of h5py operations. Each writes one HDF5 file, with random properties of the file and of what it
creates, and closes and reopens it in between. A program is determined by its seed and the version of the library.

    python3 fuzz/hdf5/programs.py FOLDER FIRST LAST    writes the files of these seeds
"""

import ctypes
import multiprocessing
import pathlib
import random
import sys

import h5py
import numpy as np
from h5py import h5a, h5d, h5f, h5g, h5o, h5p, h5s, h5t, h5z

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from generators.hdf5.library import call

BOUNDS = [getattr(h5f, f"LIBVER_{name}") for name in ("EARLIEST", "V18", "V110", "V112", "V114", "V200")
          if hasattr(h5f, f"LIBVER_{name}")]
# What libhdf5 and h5py raise if an operation is not possible: the program goes on.
# An IndexError is a choice from nothing, an AssertionError comes from call().
REFUSED = (OSError, RuntimeError, ValueError, LookupError, TypeError, AttributeError, NotImplementedError,
           AssertionError)
LETTERS = "abcxyzäß語-_. %"
PATIENCE = 60  # seconds for a program
MANY = 40  # names in one operation
# Shapes of dataspaces, sizes of 1 and 0 included; the largest dataset has some ten thousand bytes.
SIZES = (0, 1, 1, 2, 3, 5, 8, 17, 40)


class Program:
    def __init__(self, seed, path):
        self.random = random.Random(seed)
        self.path = pathlib.Path(path)
        self.values = np.random.default_rng(seed)
        self.log = []
        # In a file with shared messages the library destroys a dataset that is resized, and forgets one that is never
        # linked (fuzz/hdf5-findings.md).
        self.shares = False

    # --- Choices ----------------------------------------------------------------------------------

    def chance(self, share):
        return self.random.random() < share

    def bounds(self):
        low = self.random.randrange(len(BOUNDS))
        high = self.random.randrange(max(low, 1), len(BOUNDS))  # the library refuses the earliest as the upper bound
        return BOUNDS[low], BOUNDS[high]

    def name(self):
        length = self.random.choice((1, 2, 3, 3, 4, 5, 7, 8, 9, 10, 12, 16, 20, 30, 255))
        return "".join(self.random.choices(LETTERS, k=length)).strip(".") or "n"

    def shape(self, rank=None):
        rank = self.random.choice((0, 1, 1, 1, 2, 2, 3, 4)) if rank is None else rank
        return tuple(self.random.choice(SIZES if rank < 3 else SIZES[:6]) for _ in range(rank))

    def number(self):
        """A datatype of fixed size without members."""
        choice = self.random.randrange(9)
        if choice < 3:
            return h5t.py_create(np.dtype(self.random.choice("<>") + self.random.choice(
                ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"))))
        if choice == 3:
            return h5t.py_create(np.dtype(self.random.choice("<>") + self.random.choice(("f2", "f4", "f8"))))
        if choice == 4:
            return h5t.py_create(np.dtype("g"))
        if choice == 5:
            type = h5t.TypeOpaqueID.copy(h5t.create(h5t.OPAQUE, self.random.choice((1, 3, 8, 100))))
            type.set_tag(self.random.choice((b"", b"tag", b"12345678")))
            return type
        if choice == 6:
            type = self.random.choice((h5t.STD_B8LE, h5t.STD_B16BE, h5t.STD_B32LE, h5t.STD_B64BE)).copy()
            return type
        if choice == 7:
            type = self.random.choice((h5t.STD_I32LE, h5t.STD_U64BE, h5t.STD_I16LE)).copy()
            bits = type.get_size() * 8
            offset = self.random.randrange(bits)
            type.set_precision(self.random.randrange(1, bits - offset + 1))
            type.set_offset(offset)
            return type
        text = h5t.C_S1.copy()
        text.set_size(self.random.choice((1, 2, 7, 8, 255)))
        text.set_strpad(self.random.choice((h5t.STR_NULLTERM, h5t.STR_NULLPAD, h5t.STR_SPACEPAD)))
        text.set_cset(self.random.choice((h5t.CSET_ASCII, h5t.CSET_UTF8)))
        return text

    def datatype(self, depth=0):
        choice = self.random.randrange(14 if depth < 3 else 7)
        if choice < 7:
            return self.number()
        if choice == 7:
            base = self.random.choice((h5t.STD_I8LE, h5t.STD_U16BE, h5t.STD_I32LE)).copy()
            type = h5t.enum_create(base)
            for i in range(self.random.choice((1, 2, 3, 20))):
                type.enum_insert(f"{self.name()[:20]}{i}".encode(), i)
            return type
        if choice == 8:
            return h5t.array_create(self.datatype(depth + 1),
                                    tuple(self.random.choice((1, 2, 3)) for _ in range(self.random.choice((1, 2, 3)))))
        if choice in (9, 10):
            return self.compound(depth)
        if choice == 11:
            return h5t.vlen_create(self.datatype(depth + 1))
        if choice == 12:
            text = h5t.C_S1.copy()
            text.set_size(h5t.VARIABLE)
            text.set_cset(self.random.choice((h5t.CSET_ASCII, h5t.CSET_UTF8)))
            return text
        return self.random.choice((h5t.STD_REF_OBJ, h5t.STD_REF_DSETREG)).copy()

    def compound(self, depth):
        members = [self.datatype(depth + 1) for _ in range(self.random.choice((1, 2, 3, 10)))]
        gaps = [self.random.choice((0, 0, 0, 1, 5)) for _ in members]
        type = h5t.create(h5t.COMPOUND, sum(each.get_size() for each in members) + sum(gaps))
        at = 0
        for i, (each, gap) in enumerate(zip(members, gaps)):
            type.insert(f"{self.name()[:20]}{i}".encode(), at + gap, each)
            at += gap + each.get_size()
        return type

    def content(self, type, count):
        """Values of a datatype without references to the heap, as bytes, or None."""
        if type.detect_class(h5t.VLEN) or type.detect_class(h5t.REFERENCE) or _has_variable_text(type):
            return None
        size = type.get_size()
        if self.chance(0.3):
            return np.zeros(count, f"V{size}")
        return np.frombuffer(self.values.bytes(count * size), f"V{size}")

    # --- The file -------------------------------------------------------------------------------------

    def creation(self):
        self.shares = False
        properties = h5p.create(h5p.FILE_CREATE)
        properties.set_obj_track_times(self.chance(0.5))
        if self.chance(0.2):
            properties.set_userblock(self.random.choice((512, 1024, 4096)))
        if self.chance(0.2):
            properties.set_sizes(*self.random.choice(((4, 4), (4, 8), (8, 4), (8, 8))))
        if self.chance(0.3):
            properties.set_link_creation_order(self.random.choice((
                h5p.CRT_ORDER_TRACKED, h5p.CRT_ORDER_TRACKED | h5p.CRT_ORDER_INDEXED)))
        if self.chance(0.6):
            # The library cannot read the free space again that it stores in a file with lengths of 4 bytes
            # (fuzz/hdf5-findings.md).
            persist = self.chance(0.6) and properties.get_sizes()[1] == 8
            properties.set_file_space_strategy(self.random.choice((
                h5f.FSPACE_STRATEGY_FSM_AGGR, h5f.FSPACE_STRATEGY_PAGE, h5f.FSPACE_STRATEGY_AGGR,
                h5f.FSPACE_STRATEGY_NONE)), persist, self.random.choice((0, 1, 1, 10, 100)))
            if self.chance(0.5):
                properties.set_file_space_page_size(self.random.choice((512, 513, 1000, 4096, 65536)))
        if self.chance(0.2):
            call("H5Pset_sym_k", properties, self.random.choice((1, 2, 16, 40)), self.random.choice((1, 2, 4, 40)))
        if self.chance(0.2):
            call("H5Pset_istore_k", properties, self.random.choice((1, 2, 32, 200)))
        if self.chance(0.25):
            number = self.random.choice((1, 2, 5))
            call("H5Pset_shared_mesg_nindexes", properties, number)
            kinds = [0x02, 0x08, 0x20, 0x800, 0x1000]  # dataspaces, datatypes, fill values, filters, attributes
            self.random.shuffle(kinds)
            self.shares = True
            for i in range(number):
                call("H5Pset_shared_mesg_index", properties, i,
                     sum(kinds[i:] if i == number - 1 else kinds[i:i + 1]), self.random.choice((0, 10, 50)))
            call("H5Pset_shared_mesg_phase_change", properties,
                 *self.random.choice(((50, 40), (0, 0), (5, 3), (5, 6))))
        self.phases(properties)
        return properties

    def access(self):
        properties = h5p.create(h5p.FILE_ACCESS)
        properties.set_libver_bounds(*self.bounds())
        if self.chance(0.3):
            properties.set_alignment(self.random.choice((0, 1, 100)), self.random.choice((1, 3, 8, 512)))
        if self.chance(0.3):
            properties.set_meta_block_size(self.random.choice((0, 1, 100, 2048, 8192)))
        if self.chance(0.2):
            call("H5Pset_small_data_block_size", properties, self.random.choice((0, 1, 100, 8192)))
        return properties

    def phases(self, properties):
        """When links and attributes of an object move into a heap, and back."""
        if self.chance(0.4):
            most = self.random.choice((0, 1, 3, 8, 20))
            call("H5Pset_attr_phase_change", properties, most, self.random.randrange(most + 2))
        if self.chance(0.3):
            call("H5Pset_attr_creation_order", properties, self.random.choice((1, 3)))

    def run(self, steps=30, stop_after=None):
        """`stop_after` reduces a program to its first operations."""
        self.file = self.create_file()
        operations = (self.group, self.group, self.dataset, self.dataset, self.dataset, self.dataset, self.attribute,
                      self.attribute, self.many_attributes, self.many_links, self.links, self.remove, self.rename,
                      self.resize, self.resize, self.write, self.write, self.write_chunk, self.remove_attributes,
                      self.named_type, self.copy, self.comment, self.scale, self.virtual, self.references, self.texts,
                      self.anonymous, self.reopen, self.swmr, self.rename_attribute)
        try:
            for _ in range(self.random.randrange(1, steps))[:stop_after]:
                operation = self.random.choice(operations)
                try:
                    operation()
                    self.log.append(operation.__name__)
                except REFUSED as refusal:
                    self.log.append(f"{operation.__name__}: {str(refusal)[:100]}")
        finally:
            self.file.close()
        return self

    def create_file(self):
        """With the first properties that the library accepts."""
        while True:
            try:
                return h5f.create(str(self.path).encode(), h5f.ACC_TRUNC, fcpl=self.creation(), fapl=self.access())
            except REFUSED:
                pass

    def reopen(self):
        self.file.close()
        self.file = h5f.open(str(self.path).encode(), h5f.ACC_RDWR, fapl=self.access())

    def swmr(self):
        self.file.close()
        access = h5p.create(h5p.FILE_ACCESS)
        access.set_libver_bounds(h5f.LIBVER_LATEST, h5f.LIBVER_LATEST)
        path = str(self.path).encode()
        try:
            self.file = h5f.open(path, h5f.ACC_RDWR | h5f.ACC_SWMR_WRITE, fapl=access)
            for _ in range(5):
                self.random.choice((self.resize, self.write))()
        except REFUSED:
            pass
        finally:
            if self.file:
                self.file.close()
            self.file = h5f.open(path, h5f.ACC_RDWR, fapl=self.access())

    # --- Objects --------------------------------------------------------------------------------------

    def root(self):
        return h5py.File(self.file)

    def objects(self, kind=None):
        """The paths of objects, in the order of a visit, without links that lead nowhere."""
        found = []
        self.root().visititems(lambda name, item: found.append(item) if kind is None or isinstance(item, kind) else None)
        return found

    def any_object(self, kind=None):
        found = self.objects(kind)
        if kind in (None, h5py.Group):
            found.append(self.root()["/"])
        return self.random.choice(found)

    def place(self):
        """A group, and a name that may already be taken."""
        return self.any_object(h5py.Group), self.name()

    def group(self):
        parent, name = self.place()
        properties = h5p.create(h5p.GROUP_CREATE)
        properties.set_obj_track_times(self.chance(0.5))
        if self.chance(0.4):
            properties.set_link_creation_order(self.random.choice((1, 3)))
        if self.chance(0.4):
            most = self.random.choice((0, 1, 3, 8))
            call("H5Pset_link_phase_change", properties, most, self.random.randrange(most + 1))
        if self.chance(0.2):
            call("H5Pset_est_link_info", properties, self.random.choice((0, 1, 100)), self.random.choice((0, 8, 200)))
        if self.chance(0.2):
            call("H5Pset_local_heap_size_hint", properties, self.random.choice((0, 1, 50, 1000)))
        if self.chance(0.2):
            call("H5Pset_deflate", properties, 6)
        self.phases(properties)
        h5g.create(parent.id, name.encode(), gcpl=properties)

    def storage(self, type, shape):
        """Creation properties of a dataset, and its maximum shape."""
        properties = h5p.create(h5p.DATASET_CREATE)
        properties.set_obj_track_times(self.chance(0.5))
        self.phases(properties)
        maximum = tuple(self.random.choice((size, size, size + 5, h5s.UNLIMITED)) for size in shape)
        layout = self.random.choice((h5d.COMPACT, h5d.CONTIGUOUS, h5d.CHUNKED, h5d.CHUNKED, h5d.CHUNKED))
        if not shape or (layout != h5d.CHUNKED and self.chance(0.8)):
            maximum = shape
            properties.set_layout(h5d.CONTIGUOUS if layout == h5d.CHUNKED else layout)
            if layout == h5d.CONTIGUOUS and shape and self.chance(0.1):
                properties.set_external(f"{self.path.name}.bin", self.random.choice((0, 7)),
                                        self.random.choice((h5f.UNLIMITED, 1 << 20)))
        else:
            properties.set_chunk(tuple(self.random.choice([1, 2, 3, 10, size or 1, (size or 1) // 2 + 1])
                                       for size in shape))
            if self.chance(0.2):
                call("H5Pset_chunk_opts", properties, 2)  # edge chunks that are not filtered
            self.filters(properties, type)
        if self.chance(0.5):
            properties.set_alloc_time(self.random.choice((
                h5d.ALLOC_TIME_EARLY, h5d.ALLOC_TIME_LATE, h5d.ALLOC_TIME_INCR)))
        if self.chance(0.5):
            properties.set_fill_time(self.random.choice((h5d.FILL_TIME_NEVER, h5d.FILL_TIME_ALLOC, h5d.FILL_TIME_IFSET)))
        if self.chance(0.2):
            call("H5Pset_dset_no_attrs_hint", properties, 1)
        return properties, maximum

    def filters(self, properties, type):
        for number in range(self.random.choice((0, 0, 1, 1, 2, 3))):
            choice = self.random.randrange(7)
            if choice in (2, 3) and number > 0:
                continue  # n-bit and scale-offset of bytes that are no longer those of the datatype lose them
            if choice == 0:
                properties.set_shuffle()
            elif choice == 1:
                properties.set_fletcher32()
            elif choice == 2:
                call("H5Pset_nbit", properties)
            elif choice == 3:
                properties.set_scaleoffset(h5z.SO_INT if type.get_class() != h5t.FLOAT else h5z.SO_FLOAT_DSCALE,
                                           self.random.choice((0, 1, 5)))
            elif choice == 4:
                properties.set_szip(self.random.choice((4, 32)), self.random.choice((2, 8, 32)))
            else:
                properties.set_deflate(self.random.randrange(10))

    def create(self, parent, name):
        type = self.datatype()
        if self.chance(0.1) and (types := self.objects(h5py.Datatype)):
            type = self.random.choice(types).id
        shape = self.shape()
        properties, maximum = self.storage(type, shape)
        if self.chance(0.1):
            space = h5s.create(h5s.NULL)
            properties = h5p.create(h5p.DATASET_CREATE)
        else:
            space = h5s.create_simple(shape, maximum) if shape else h5s.create(h5s.SCALAR)
            value = self.content(type, 1)
            if value is not None and self.chance(0.4):
                _fill(properties, type, value)
        return h5py.Dataset(h5d.create(parent.id, name, type, space, properties))

    def dataset(self):
        parent, name = self.place()
        dataset = self.create(parent, name.encode())
        if self.chance(0.7):
            self.fill(dataset)

    def anonymous(self):
        dataset = self.create(self.root(), None)
        if self.shares or self.chance(0.5):
            self.root()[self.name()] = dataset

    def fill(self, dataset):
        type, count = dataset.id.get_type(), int(np.prod(dataset.shape or ()))
        if dataset.shape is None:
            return
        values = self.content(type, count)
        if values is not None:
            dataset.id.write(h5s.ALL, h5s.ALL, np.ascontiguousarray(values), type, dxpl=None)
        elif type.get_class() == h5t.STRING:
            dataset[...] = np.array([self.name() for _ in range(count)], object).reshape(dataset.shape)
        elif type.get_class() == h5t.VLEN:
            made = np.empty(count, object)
            base = type.get_super()
            for i in range(count):
                made[i] = self.values.integers(0, 100, self.random.choice((0, 1, 3, 30))).astype(base.dtype)
            dataset[...] = made.reshape(dataset.shape)

    def write(self):
        dataset = self.any_object(h5py.Dataset)
        if not dataset.shape:
            return self.fill(dataset)
        type = dataset.id.get_type()
        begin = tuple(self.random.randrange(max(size, 1)) for size in dataset.shape)
        count = tuple(self.random.randrange(size - at + 1) for size, at in zip(dataset.shape, begin))
        space = dataset.id.get_space()
        space.select_hyperslab(begin, count)
        values = self.content(type, int(np.prod(count)))
        if values is None:
            return self.fill(dataset)
        dataset.id.write(h5s.create_simple((len(values),)), space, np.ascontiguousarray(values), type)

    def write_chunk(self):
        dataset = self.random.choice([each for each in self.objects(h5py.Dataset) if each.chunks])
        offset = tuple(self.random.randrange(max(size, 1)) // chunk * chunk
                       for size, chunk in zip(dataset.shape, dataset.chunks))
        size = int(np.prod(dataset.chunks)) * dataset.id.get_type().get_size()
        filters = dataset.id.get_create_plist().get_nfilters()
        if self.content(dataset.id.get_type(), 1) is not None:
            dataset.id.write_direct_chunk(offset, self.values.bytes(size), (1 << filters) - 1)

    def resize(self):
        if self.shares:
            return
        dataset = self.random.choice([each for each in self.objects(h5py.Dataset) if each.chunks])
        dataset.resize(tuple(self.random.choice((size, size + 1, size * 2, size // 2, 0, most or 60))
                             for size, most in zip(dataset.shape, dataset.maxshape)))

    def virtual(self):
        source = self.random.choice([each for each in self.objects(h5py.Dataset) if each.shape])
        layout = h5py.VirtualLayout((self.random.choice((1, 2)) * source.shape[0], *source.shape[1:]), source.dtype,
                                    maxshape=(None, *source.shape[1:]) if self.chance(0.3) else None)
        file = self.random.choice((".", self.path.name, "elsewhere.h5", "series-%b.h5"))
        layout[:source.shape[0]] = h5py.VirtualSource(file, source.name, source.shape)
        parent, name = self.place()
        parent.create_virtual_dataset(name, layout)

    # --- Links, attributes, values --------------------------------------------------------------------

    def many_links(self):
        parent = self.any_object(h5py.Group)
        for i in range(self.random.randrange(MANY)):
            parent[f"{self.name()[:40]}{i}"] = self.random.choice((h5py.SoftLink("/" + self.name()), parent))

    def links(self):
        parent, name = self.place()
        parent[name] = self.random.choice((
            h5py.SoftLink(self.name()), h5py.ExternalLink("other.h5", "/" + self.name()), self.any_object()))

    def remove(self):
        parent = self.any_object(h5py.Group)
        names = list(parent)
        for name in self.random.sample(names, self.random.randrange(len(names) + 1)):
            del parent[name]

    def rename(self):
        parent, name = self.place()
        parent.move(self.random.choice([*parent, "nothing"]), name)

    def attribute(self, item=None, name=None):
        item = item or self.any_object()
        type = self.datatype()
        shape = self.shape()
        space = h5s.create(h5s.NULL) if self.chance(0.1) else h5s.create_simple(shape) if shape else h5s.create(h5s.SCALAR)
        made = h5a.create(item.id, (name or self.name()).encode(), type, space)
        values = self.content(type, int(np.prod(shape)))
        if values is not None and self.chance(0.9):
            made.write(np.ascontiguousarray(values).reshape(shape), type)

    def many_attributes(self):
        item = self.any_object()
        for i in range(self.random.randrange(MANY)):
            item.attrs[f"{self.name()[:20]}{i}"] = self.random.choice((
                i, "text", self.name(), np.arange(i), np.zeros(self.random.choice((1, 8200))), h5py.Empty("f4")))

    def remove_attributes(self):
        item = self.any_object()
        names = list(item.attrs)
        for name in self.random.sample(names, self.random.randrange(len(names) + 1)):
            del item.attrs[name]

    def rename_attribute(self):
        item = self.any_object()
        h5a.rename(item.id, self.random.choice([*item.attrs, "nothing"]).encode(), self.name().encode())

    def texts(self):
        item = self.any_object()
        item.attrs[self.name()] = np.array([self.name() for _ in range(self.random.randrange(30))], object)
        parent, name = self.place()
        dataset = parent.create_dataset(name, (5,), h5py.string_dtype(), maxshape=(None,))
        for _ in range(self.random.randrange(4)):
            dataset[self.random.randrange(5)] = self.name() * self.random.choice((0, 1, 40))

    def references(self):
        parent, name = self.place()
        dataset = parent.create_dataset(name, (3,), self.random.choice((h5py.ref_dtype, h5py.regionref_dtype)))
        for i in range(2):
            if dataset.dtype == h5py.ref_dtype:
                dataset[i] = self.any_object().ref
                continue
            target = self.random.choice([each for each in self.objects(h5py.Dataset) if each.shape])
            if self.chance(0.5):
                dataset[i] = target.regionref[tuple(slice(0, size, self.random.choice((1, 1, 2)))
                                                    for size in target.shape)]
            else:
                dataset[i] = target.regionref[self.values.random(target.shape) < 0.3]

    def named_type(self):
        parent, name = self.place()
        self.datatype().commit(parent.id, name.encode())

    def copy(self):
        source, (parent, name) = self.any_object(), self.place()
        properties = h5p.create(h5p.OBJECT_COPY)
        properties.set_copy_object(self.random.randrange(64) & ~h5o.COPY_MERGE_COMMITTED_DTYPE_FLAG
                                   if hasattr(h5o, "COPY_MERGE_COMMITTED_DTYPE_FLAG") else self.random.randrange(32))
        if sum(1 for _ in self.objects()) < 200:
            h5o.copy(source.id, b".", parent.id, name.encode(), copypl=properties)

    def comment(self):
        h5o.set_comment(self.any_object().id, self.name().encode())

    def scale(self):
        datasets = [each for each in self.objects(h5py.Dataset) if each.shape]
        scale, user = self.random.choice(datasets), self.random.choice(datasets)
        scale.make_scale(self.name()[:20])
        user.dims[self.random.randrange(len(user.shape))].attach_scale(scale)


def _has_variable_text(type):
    if type.get_class() == h5t.STRING:
        return type.is_variable_str()
    if type.get_class() == h5t.COMPOUND:
        return any(_has_variable_text(type.get_member_type(i)) for i in range(type.get_nmembers()))
    return type.get_class() in (h5t.ARRAY, h5t.VLEN) and _has_variable_text(type.get_super())


def _fill(properties, type, value):
    """H5Pset_fill_value with the bytes of a value; h5py passes on only what NumPy can express."""
    call("H5Pset_fill_value", properties, type, ctypes.c_void_p(value.ctypes.data))


def write(folder, seeds):
    """The files of the programs with these seeds. Each runs in a process of its own, as the library may crash: then
    there is no file, because it was not closed."""
    made = []
    for seed in seeds:
        path = folder / f"{seed}.h5"
        process = multiprocessing.get_context("fork").Process(target=lambda: Program(seed, path).run())
        process.start()
        process.join(PATIENCE)
        if process.is_alive():
            process.kill()
            process.join()
        if process.exitcode == 0:
            made.append(path)
        else:
            path.unlink(missing_ok=True)
    return made


def main():
    folder, first, last = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    made = write(folder, range(first, last + 1))
    print(f"{len(made)} files by h5py {h5py.version.version} and HDF5 {h5py.version.hdf5_version}; "
          f"the library crashed or hung in {last + 1 - first - len(made)} programs")


if __name__ == "__main__":
    main()
