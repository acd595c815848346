"""Writes a File reproducibly: the same description always gives the same bytes.

Object times are disabled on every object, the format version is fixed, and objects are created in this order:
groups and named datatypes, datasets, links, attributes, data; finally, deleted objects are removed.
"""

import ctypes
from math import prod

import h5py
from h5py import h5d, h5f, h5g, h5o, h5p, h5s, h5t, h5z

from . import libhdf5
from .objects import (DEFAULT, NULL_SPACE, UNDEFINED, Dataset, ExternalLink, Group, HardLink,
                      NamedDatatype, Node, SoftLink, UserLink)
from .datatypes import REF_OBJ, REF_REGION, UTF8
from .values import Context, encode, flatten


def write(file, path):
    """Whether the bytes depend on how many files the process has opened before: several H5T_STD_REF values contain a byte
    of the file identifier as padding."""
    access = h5p.create(h5p.FILE_ACCESS)
    access.set_libver_bounds(h5f.LIBVER_V110, h5f.LIBVER_V112)
    access.set_fclose_degree(h5f.CLOSE_STRONG)
    access.set_meta_block_size(256)
    libhdf5.H5Pset_small_data_block_size(access.id, 256)
    file_id = h5f.create(path.encode(), h5f.ACC_TRUNC, _without_times(h5p.FILE_CREATE), access)
    writer = _Writer(file_id)
    try:
        writer.write(file.root)
        headers = writer.unreadable_headers()
    finally:
        writer.close()
        file_id.close()
    _corrupt(path, headers, any(node.unreadable == "attributes" for node in writer.ids))
    return writer.identifies


def _corrupt(path, headers, attributes):
    """Sets an unknown version, which follows the signature, in the object headers at these addresses, and in the
    heap of attributes, if there is one."""
    with open(path, "r+b") as file:
        data = file.read()
        places = list(headers)
        if attributes:
            assert data.count(b"FRHP") == 1
            places.append(data.index(b"FRHP"))
        for place in places:
            assert data[place:place + 4] in (b"OHDR", b"FRHP")
            file.seek(place + 4)
            file.write(b"\xee")


def _without_times(property_class, node=None):
    """A creation list without object times; attributes and links are stored in the object header, except
    attributes that are to be corrupted separately."""
    plist = h5p.create(property_class)
    plist.set_obj_track_times(False)
    dense = node is not None and node.unreadable == "attributes"
    libhdf5.H5Pset_attr_phase_change(plist.id, 0 if dense else 64, 0)
    if property_class is not h5p.DATASET_CREATE:
        libhdf5.H5Pset_link_phase_change(plist.id, 64, 0)
    return plist


def _as_bytes(name):
    return name.encode() if isinstance(name, str) else name


def _space(shape, maxshape=None):
    if shape == NULL_SPACE:
        return h5s.create(h5s.NULL)
    if shape == ():
        return h5s.create(h5s.SCALAR)
    limits = maxshape and tuple(h5s.UNLIMITED if limit is None else limit for limit in maxshape)
    return h5s.create_simple(shape, limits)


class _Writer(Context):
    def __init__(self, file_id):
        super().__init__()
        self.file_id = file_id
        self.paths = {}        # node -> absolute path, bytes
        self.ids = {}          # node -> h5py identifier
        self.references = []   # H5R_ref_t buffers to destroy
        self.identifies = False  # see write()
        self.other_files = {}
        self.link_list = h5p.create(h5p.LINK_CREATE)

    def write(self, root):
        self.paths[root], self.ids[root] = b"/", h5g.open(self.file_id, b"/")
        places = list(self._places(root, b"/"))
        for make in (self._make_group, self._make_dataset, self._make_link):
            for place in places:
                make(*place)
        nodes = list(self.ids)
        for node in nodes:
            for name, attribute in node.attrs.items():
                self._write_attribute(self.ids[node], name, attribute)
        for node in nodes:
            if isinstance(node, Dataset):
                self._write_data(node)
        for parent, name, child in places:
            if isinstance(child, Node) and child.deleted:
                self.ids.pop(child).close()
                self.ids[parent].unlink(name)

    def unreadable_headers(self):
        return [h5o.get_info(self.ids[node]).addr for node in self.ids if node.unreadable == "header"]

    def close(self):
        for buffer in self.references:
            libhdf5.H5Rdestroy(buffer)
        for other in self.other_files.values():
            other.close()

    def _places(self, group, path):
        for name, child in group.children.items():
            name = _as_bytes(name)
            yield group, name, child
            if isinstance(child, Node):
                assert child not in self.paths, "use HardLink for a second name"
                self.paths[child] = path + name
            if isinstance(child, Group):
                yield from self._places(child, path + name + b"/")

    def _links(self, name):
        self.link_list.set_char_encoding(h5t.CSET_ASCII if name.isascii() else UTF8)
        return self.link_list

    def _make_group(self, parent, name, child):
        where = self.ids[parent]
        if isinstance(child, Group):
            self.ids[child] = h5g.create(where, name, self._links(name),
                                         _without_times(h5p.GROUP_CREATE, child))
        elif isinstance(child, NamedDatatype):
            self.ids[child] = child.type.copy()
            libhdf5.commit(where, name, self.ids[child], self._links(name))

    def _make_dataset(self, parent, name, child):
        if isinstance(child, Dataset):
            self.ids[child] = h5d.create(self.ids[parent], name, self._type(child),
                                         _space(child.dims(), child.maxshape),
                                         self._creation_list(child), self._links(name))

    def _make_link(self, parent, name, child):
        where, lcpl = self.ids[parent], self._links(name)
        if isinstance(child, HardLink):
            where.links.create_hard(name, self.file_id, self.paths[child.target], lcpl)
        elif isinstance(child, SoftLink):
            where.links.create_soft(name, _as_bytes(child.path), lcpl)
        elif isinstance(child, ExternalLink):
            where.links.create_external(name, _as_bytes(child.file), _as_bytes(child.path), lcpl)
        elif isinstance(child, UserLink):
            libhdf5.register_link_class(child.number)
            libhdf5.H5Lcreate_ud(where.id, name, child.number, child.data, len(child.data),
                                 lcpl.id, 0)

    def _type(self, dataset):
        named = isinstance(dataset.type, NamedDatatype)
        return self.ids[dataset.type] if named else dataset.type

    def _creation_list(self, dataset):
        plist = _without_times(h5p.DATASET_CREATE, dataset)
        if dataset.fill == UNDEFINED:
            libhdf5.H5Pset_fill_value(plist.id, self._type(dataset).id, None)
        elif dataset.fill != DEFAULT:
            libhdf5.H5Pset_fill_value(plist.id, self._type(dataset).id,
                                      encode(self._type(dataset), dataset.fill, self))
        if dataset.compact:
            plist.set_layout(h5d.COMPACT)
        elif dataset.chunk is not None:
            chunk = dataset.chunk if isinstance(dataset.chunk, tuple) else (dataset.chunk,)
            plist.set_chunk(chunk)
        elif dataset.external:
            plist.set_external(_as_bytes(dataset.external), 0, h5f.UNLIMITED)
        elif dataset.virtual:
            plist.set_virtual(_space(dataset.dims()), b".", self.paths[dataset.virtual],
                              _space(dataset.virtual.dims()))
        self._set_filters(plist, dataset)
        return plist

    def _set_filters(self, plist, dataset):
        if dataset.shuffle:
            plist.set_shuffle()
        if dataset.nbit:
            libhdf5.H5Pset_nbit(plist.id)
        if dataset.scaleoffset is not None:
            plist.set_scaleoffset(h5z.SO_INT, dataset.scaleoffset)
        if dataset.deflate is not None:
            plist.set_deflate(dataset.deflate)
        if dataset.lzf:
            plist.set_filter(h5z.FILTER_LZF, h5z.FLAG_OPTIONAL)
        if dataset.fletcher32:
            plist.set_fletcher32()

    def _write_attribute(self, owner, name, attribute):
        if callable(attribute):
            attribute = attribute()
        space = _space(attribute.shape)
        attribute_id = libhdf5.H5Acreate(owner.id, _as_bytes(name), attribute.type.id, space.id,
                                         0, 0)
        data = self._encode_all(attribute.type, attribute.value, attribute.shape)
        if data:
            libhdf5.H5Awrite(attribute_id, attribute.type.id, data)
        libhdf5.H5Aclose(attribute_id)

    def _write_data(self, dataset):
        if dataset.external or dataset.virtual or dataset.values is None:
            return
        type_id = self._type(dataset)
        data = self._encode_all(type_id, dataset.values, dataset.dims())
        if data:
            libhdf5.H5Dwrite(self.ids[dataset].id, type_id.id, 0, 0, 0, data)

    def _encode_all(self, type_id, value, shape):
        """The bytes of all elements of a shape; empty for an empty or null dataspace."""
        before = len(self.references)
        data = self._encoded(type_id, value, shape)
        self.identifies |= len(self.references) - before > 1
        return data

    def _encoded(self, type_id, value, shape):
        if shape == NULL_SPACE:
            return b""
        if shape == ():
            return encode(type_id, value, self)
        items = value if len(shape) == 1 else list(flatten(value))
        assert len(items) == prod(shape), f"{len(items)} values for shape {shape}"
        return b"".join(encode(type_id, item, self) for item in items)

    def reference(self, type_id, value):
        size = type_id.get_size() if type_id.equal(REF_OBJ) or type_id.equal(REF_REGION) \
            else libhdf5.REF_SIZE
        buffer = ctypes.create_string_buffer(size)
        if value.target is not None:
            self._fill_reference(type_id, value, buffer)
        return buffer.raw

    def _fill_reference(self, type_id, value, buffer):
        where = self._other_file(value.file, value.target) if value.file else self.file_id.id
        path = value.target.encode() if isinstance(value.target, str) else self.paths[value.target]
        if type_id.equal(REF_OBJ):
            libhdf5.H5Rcreate(buffer, where, path, libhdf5.LEGACY_OBJECT, -1)
        elif type_id.equal(REF_REGION):
            space = h5s.create_simple(value.target.dims())
            libhdf5.H5Rcreate(buffer, where, path, libhdf5.LEGACY_REGION, space.id)
        else:
            if value.form == "region":
                space = h5s.create_simple(value.target.dims())
                libhdf5.H5Rcreate_region(where, path, space.id, 0, buffer)
            elif value.form == "attribute":
                libhdf5.H5Rcreate_attr(where, path, value.attribute.encode(), 0, buffer)
            else:
                libhdf5.H5Rcreate_object(where, path, 0, buffer)
            self.references.append(buffer)

    def _other_file(self, name, path):
        """Opens another file, in memory only, that has a dataset at `path`."""
        if name not in self.other_files:
            self.other_files[name] = h5py.File(name, "w", driver="core", backing_store=False)
        other = self.other_files[name]
        other.require_dataset(path, (1,), "u8")
        return other.id.id
