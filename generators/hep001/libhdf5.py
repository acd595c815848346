"""The libhdf5 that h5py has loaded, for calls that h5py does not offer.

h5py cannot create H5T_STD_REF, write raw buffers, or register a link class. This module calls the
same shared library through ctypes, so identifiers can be exchanged with h5py.
"""

import ctypes
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char_p, c_int, c_int64,
                    c_size_t, c_uint, c_ulonglong, c_void_p)

import h5py
from h5py import h5t


def _loaded_library():
    with open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps if "libhdf5" in line and "_hl" not in line}
    if len(paths) != 1:
        raise RuntimeError(f"expected one libhdf5 in this process, found {sorted(paths)}")
    return ctypes.CDLL(paths.pop())


_lib = _loaded_library()
_hid = c_int64


def _function(name, *argtypes, result=c_int):
    function = getattr(_lib, name)
    function.argtypes, function.restype = argtypes, result

    def call(*args):
        value = function(*args)
        if value < 0:
            _lib.H5Eprint2(_hid(0), None)
            raise RuntimeError(f"{name} failed")
        return value

    return call


H5Acreate = _function("H5Acreate2", _hid, c_char_p, _hid, _hid, _hid, _hid, result=_hid)
H5Awrite = _function("H5Awrite", _hid, _hid, c_void_p)
H5Aclose = _function("H5Aclose", _hid)
H5Dwrite = _function("H5Dwrite", _hid, _hid, _hid, _hid, _hid, c_void_p)
H5Pset_fill_value = _function("H5Pset_fill_value", _hid, _hid, c_void_p)
H5Pset_attr_phase_change = _function("H5Pset_attr_phase_change", _hid, c_uint, c_uint)
H5Pset_link_phase_change = _function("H5Pset_link_phase_change", _hid, c_uint, c_uint)
H5Pset_nbit = _function("H5Pset_nbit", _hid)
H5Pset_small_data_block_size = _function("H5Pset_small_data_block_size", _hid, c_ulonglong)
_H5Pcreate = _function("H5Pcreate", _hid, result=_hid)
_H5Pset_obj_track_times = _function("H5Pset_obj_track_times", _hid, c_bool)
_H5Tcommit = _function("H5Tcommit2", _hid, c_char_p, _hid, _hid, _hid, _hid)
H5Tcopy = _function("H5Tcopy", _hid, result=_hid)
H5Tset_precision = _function("H5Tset_precision", _hid, c_size_t)
H5Tset_offset = _function("H5Tset_offset", _hid, c_size_t)
H5Tenum_insert = _function("H5Tenum_insert", _hid, c_char_p, c_char_p)
_H5Tenum_valueof = _function("H5Tenum_valueof", _hid, c_char_p, c_void_p)
H5Tset_fields = _function("H5Tset_fields", _hid, c_size_t, c_size_t, c_size_t, c_size_t, c_size_t)
H5Tset_ebias = _function("H5Tset_ebias", _hid, c_size_t)
H5Tget_ebias = _function("H5Tget_ebias", _hid, result=c_size_t)
_H5Tget_fields = _function("H5Tget_fields", _hid, *[POINTER(c_size_t)] * 5)
H5Tset_norm = _function("H5Tset_norm", _hid, c_int)
_H5Tget_norm = _function("H5Tget_norm", _hid)
H5Tget_precision = _function("H5Tget_precision", _hid, result=c_size_t)
H5Tget_offset = _function("H5Tget_offset", _hid)
H5Tget_order = _function("H5Tget_order", _hid)
H5Rcreate_object = _function("H5Rcreate_object", _hid, c_char_p, _hid, c_void_p)
H5Rcreate_region = _function("H5Rcreate_region", _hid, c_char_p, _hid, _hid, c_void_p)
H5Rcreate_attr = _function("H5Rcreate_attr", _hid, c_char_p, c_char_p, _hid, c_void_p)
H5Rdestroy = _function("H5Rdestroy", c_void_p)
H5Rcreate = _function("H5Rcreate", c_void_p, _hid, c_char_p, c_int, _hid)
H5Lcreate_ud = _function("H5Lcreate_ud", _hid, c_char_p, c_int, c_char_p, c_size_t, _hid, _hid)

REF_SIZE = 64                  # sizeof(H5R_ref_t), H5R_REF_BUF_SIZE
LEGACY_OBJECT, LEGACY_REGION = 0, 1  # H5R_OBJECT1, H5R_DATASET_REGION1


def float_fields(type_id):
    """Of a float, in bits: place of the sign; place and size of exponent and of mantissa; and whether
    the leading bit of the mantissa is left out."""
    fields = [c_size_t() for _ in range(5)]
    _H5Tget_fields(type_id.id, *map(byref, fields))
    return *(field.value for field in fields), _H5Tget_norm(type_id.id) == 0


def enum_code(type_id, name):
    """The code of a member as it is stored."""
    code = ctypes.create_string_buffer(type_id.get_size())
    _H5Tenum_valueof(type_id.id, name.encode(), code)
    return code.raw


def has_wide_codes(type_id):
    """Whether it is or contains an enumeration of more than 8 bytes. h5py allocates 8 bytes for a
    code and writes all of them there, so it must not be asked for the numpy datatype."""
    kind = type_id.get_class()
    if kind == h5t.ENUM:
        return type_id.get_size() > 8
    if kind in (h5t.ARRAY, h5t.VLEN):
        return has_wide_codes(type_id.get_super())
    return kind == h5t.COMPOUND and any(has_wide_codes(type_id.get_member_type(i))
                                        for i in range(type_id.get_nmembers()))


def std_ref():
    """A fresh copy of H5T_STD_REF."""
    return h5t.TypeReferenceID(H5Tcopy(_hid.in_dll(_lib, "H5T_STD_REF_g").value))


def commit(where, name, type_id, link_list):
    """Commits a datatype without object times, which h5py cannot turn off."""
    plist = _H5Pcreate(_hid.in_dll(_lib, "H5P_CLS_DATATYPE_CREATE_ID_g").value)
    _H5Pset_obj_track_times(plist, False)
    _H5Tcommit(where.id, name, type_id.id, link_list.id, plist, 0)


# A user-defined link class needs a traversal function; this one finds nothing.
_Traverse = CFUNCTYPE(_hid, c_char_p, _hid, c_void_p, c_size_t, _hid, _hid)
_traverse = _Traverse(lambda *_: -1)


class _LinkClass(Structure):
    _fields_ = [("version", c_int), ("id", c_int), ("comment", c_char_p), ("create", c_void_p),
                ("move", c_void_p), ("copy", c_void_p), ("traverse", _Traverse),
                ("delete", c_void_p), ("query", c_void_p)]


_register_link_class = _function("H5Lregister", POINTER(_LinkClass))


def register_link_class(number):
    _register_link_class(byref(_LinkClass(version=1, id=number, comment=b"fixture",
                                          traverse=_traverse)))
