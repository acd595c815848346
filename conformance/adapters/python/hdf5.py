"""Calls of the HDF5 C library that h5py loaded, for what h5py does not support: H5T_STD_REF, and
elements in the datatype of the file, including variable-length ones."""

import ctypes
from ctypes import c_char_p, c_int, c_int64, c_size_t, c_void_p

import h5py
import numpy
from h5py import h5a, h5i, h5o, h5s, h5t

# The symbols of libhdf5 are found through an extension module that is linked to it.
_lib = ctypes.CDLL(h5py.defs.__file__)
REFERENCE_BYTES = 64  # sizeof(H5R_ref_t)


def _function(name, *arguments, result=c_int):
    function = getattr(_lib, name)
    function.argtypes, function.restype = arguments, result

    def call(*values):
        answer = function(*values)
        if answer < 0:
            raise OSError(f"{name} failed")
        return answer
    return call


_hid = c_int64
_H5Tcopy = _function("H5Tcopy", _hid, result=_hid)
_H5Dread = _function("H5Dread", _hid, _hid, _hid, _hid, _hid, c_void_p)
_H5Dwrite = _function("H5Dwrite", _hid, _hid, _hid, _hid, _hid, c_void_p)
_H5Aread = _function("H5Aread", _hid, _hid, c_void_p)
_H5Awrite = _function("H5Awrite", _hid, _hid, c_void_p)
_H5Treclaim = _function("H5Treclaim", _hid, _hid, _hid, c_void_p)
_H5Pset_fill_value = _function("H5Pset_fill_value", _hid, _hid, c_void_p)
_H5Pget_fill_value = _function("H5Pget_fill_value", _hid, _hid, c_void_p)
_H5Rcreate_object = _function("H5Rcreate_object", _hid, c_char_p, _hid, c_void_p)
_H5Ropen_object = _function("H5Ropen_object", c_void_p, _hid, _hid, result=_hid)
_H5Rget_type = _function("H5Rget_type", c_void_p)
_H5Rdestroy = _function("H5Rdestroy", c_void_p)
_H5Tenum_insert = _function("H5Tenum_insert", _hid, c_char_p, c_char_p)
_H5Tget_member_value = _function("H5Tget_member_value", _hid, ctypes.c_uint, c_void_p)
_H5Tget_order = _function("H5Tget_order", _hid)
_H5Tget_precision = _function("H5Tget_precision", _hid, result=c_size_t)
_H5Tget_offset = _function("H5Tget_offset", _hid)
_H5Tset_precision = _function("H5Tset_precision", _hid, c_size_t)
_H5Tset_offset = _function("H5Tset_offset", _hid, c_size_t)

STD_REF = h5t.TypeReferenceID(_H5Tcopy(_hid.in_dll(_lib, "H5T_STD_REF_g").value))


def order(type_id):
    return _H5Tget_order(type_id.id)


def precision(type_id):
    return _H5Tget_precision(type_id.id)


def offset(type_id):
    return _H5Tget_offset(type_id.id)


def member_value(type_id, i):
    """The stored code of a member of an enumeration. h5py supports 8 bytes only."""
    buffer = ctypes.create_string_buffer(type_id.get_size())
    _H5Tget_member_value(type_id.id, i, buffer)
    return buffer.raw


def insert_member(type_id, name, stored):
    _H5Tenum_insert(type_id.id, name.encode(), stored)


def set_precision(type_id, bits, bit_offset):
    _H5Tset_precision(type_id.id, bits)
    _H5Tset_offset(type_id.id, bit_offset)


def read_rows(dataset, first, count):
    """Elements in memory in the datatype of the file, and a function that frees the memory that
    they refer to. `dataset` is an h5d.DatasetID."""
    type_id, space = dataset.get_type(), dataset.get_space()
    buffer = ctypes.create_string_buffer(max(count * type_id.get_size(), 1))
    memory = h5s.create_simple((count,))
    if count:
        space.select_hyperslab((first,), (count,))
        _H5Dread(dataset.id, type_id.id, memory.id, space.id, 0, buffer)
    return buffer, lambda: _H5Treclaim(type_id.id, memory.id, 0, buffer) if count else None


def write_rows(dataset, first, count, elements):
    """The reverse: `elements` are bytes, with valid pointers if the datatype has any."""
    if not count:
        return
    type_id, space = dataset.get_type(), dataset.get_space()
    memory = h5s.create_simple((count,))
    space.select_hyperslab((first,), (count,))
    if type_id.detect_class(h5t.VLEN) or type_id.detect_class(h5t.STRING):
        _H5Dwrite(dataset.id, type_id.id, memory.id, space.id, 0, elements)
    else:
        dataset.write(memory, space, numpy.frombuffer(elements, f"V{type_id.get_size()}"), type_id)


def read_all(item, type_id, count):
    """All elements of a dataset or an attribute in memory, in the datatype of the file."""
    buffer = ctypes.create_string_buffer(max(count * type_id.get_size(), 1))
    if count and isinstance(item, h5py.h5d.DatasetID):
        _H5Dread(item.id, type_id.id, 0, 0, 0, buffer)  # H5S_ALL
    elif count:
        _H5Aread(item.id, type_id.id, buffer)
    return buffer


def fill_value(plist, type_id):
    buffer = ctypes.create_string_buffer(type_id.get_size())
    _H5Pget_fill_value(plist.id, type_id.id, buffer)
    return buffer


def set_fill_value(plist, type_id, element):
    _H5Pset_fill_value(plist.id, type_id.id, element)


def attribute_bytes(attribute):
    """The elements of an attribute in the datatype of the file."""
    type_id = attribute.get_type()
    return read_all(attribute, type_id, attribute.get_space().get_simple_extent_npoints())


def write_attribute(owner, name, type_id, space, elements):
    attribute = h5a.create(owner, name.encode(), type_id, space)
    if space.get_simple_extent_npoints():
        _H5Awrite(attribute.id, type_id.id, elements)


def referenced_objects(attribute):
    """The objects that an H5T_STD_REF attribute refers to, opened; None for a null reference."""
    count = attribute.get_space().get_simple_extent_npoints()
    buffer = ctypes.create_string_buffer(max(count, 1) * REFERENCE_BYTES)
    if count:
        _H5Aread(attribute.id, STD_REF.id, buffer)
    objects = []
    for i in range(count):
        at = ctypes.c_void_p(ctypes.addressof(buffer) + i * REFERENCE_BYTES)
        if _H5Rget_type(at) == 0:
            objects.append(None)
            continue
        objects.append(h5i.wrap_identifier(_H5Ropen_object(at, 0, 0)))
        _H5Rdestroy(at)
    return objects


def write_references(owner, name, targets, scalar):
    """Creates an attribute of references to objects given by path."""
    buffer = ctypes.create_string_buffer(max(len(targets), 1) * REFERENCE_BYTES)
    places = [ctypes.c_void_p(ctypes.addressof(buffer) + i * REFERENCE_BYTES)
              for i in range(len(targets))]
    for place, path in zip(places, targets):
        _H5Rcreate_object(owner.id, path.encode(), 0, place)
    space = h5s.create(h5s.SCALAR) if scalar else h5s.create_simple((len(targets),))
    write_attribute(owner, name, STD_REF, space, buffer)
    for place in places:
        _H5Rdestroy(place)


def identity(object_id):
    """A key that is equal for two handles of the same object of a file."""
    return h5o.get_info(object_id).addr
