"""The reader that fuzz/damage asks whether a file that hepcheck passes can be read: h5py."""

import h5py
from h5py import h5t


def reads_everything(path):
    """Whether all objects can be read, and all values of the rows below NROWS."""
    try:
        with h5py.File(path, "r") as file:
            _walk(file)
    except (OSError, RuntimeError, KeyError):
        return False
    except TypeError:  # a datatype that h5py does not know
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
    """Whether readers leave the contents of an index alone, because its table is another by now."""
    if not group.name.endswith("/SEARCH_INDEXES"):
        return False
    table = group.parent.attrs
    return "GENERATION" in table and any(
        name in table and index.attrs.get("SOURCE_" + name) != table[name]
        for name in ("GENERATION", "NROWS"))


def _overflows_h5py(type_id):
    """h5py gives the code of an enumeration 8 bytes, and libhdf5 writes as many as it has."""
    kind = type_id.get_class()
    if kind == h5t.ENUM:
        return type_id.get_size() > 8
    if kind in (h5t.ARRAY, h5t.VLEN):
        return _overflows_h5py(type_id.get_super())
    return kind == h5t.COMPOUND and any(_overflows_h5py(type_id.get_member_type(i))
                                        for i in range(type_id.get_nmembers()))
