"""Checks for fuzz/damage whether h5py can read a file that hepcheck passes."""

import h5py
from h5py import h5t


def reads_everything(path):
    """Whether all objects can be read, and all values of the rows below NROWS."""
    try:
        with h5py.File(path, "r") as file:
            _walk(file)
    except (OSError, RuntimeError, KeyError):
        return False
    except TypeError:  # a datatype that h5py does not support
        pass
    return True


def _walk(group):
    nrows = group.attrs.get("NROWS")
    for name in group:
        item = group[name]
        for attribute in item.attrs:
            if not _overflows_h5py(item.attrs.get_id(attribute).get_type()):
                item.attrs[attribute]
        if isinstance(item, h5py.Group):
            _walk(item)
        elif (isinstance(item, h5py.Dataset) and not _overflows_h5py(item.id.get_type())
              and not _stale(item, group)):
            item[()] if nrows is None or item.ndim == 0 else item[:nrows]


def _stale(index, group):
    """Whether readers ignore the contents of an index because its table has changed."""
    if not group.name.endswith("/SEARCH_INDEXES"):
        return False
    table = group.parent.attrs
    return "GENERATION" in table and any(
        name in table and index.attrs.get("SOURCE_" + name) != table[name]
        for name in ("GENERATION", "NROWS"))


def _overflows_h5py(type_id):
    """Whether a code of the enumeration exceeds the 8 bytes that h5py allocates for libhdf5 to write."""
    kind = type_id.get_class()
    if kind == h5t.ENUM:
        return type_id.get_size() > 8
    if kind in (h5t.ARRAY, h5t.VLEN):
        return _overflows_h5py(type_id.get_super())
    return kind == h5t.COMPOUND and any(_overflows_h5py(type_id.get_member_type(i))
                                        for i in range(type_id.get_nmembers()))
