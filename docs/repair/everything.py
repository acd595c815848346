"""Everything that h5py finds in a file, except where it is stored."""

import ctypes
import pathlib
import sys

import h5py
import numpy as np

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2])]

from generators.hdf5.library import call  # noqa: E402


def resolved(file, value):
    """A value with references as the paths that they lead to."""
    if isinstance(value, h5py.RegionReference):
        return ("region", file[value].name, str(h5py.h5r.get_region(value, file.id).get_select_bounds())) if value else None
    if isinstance(value, h5py.Reference):
        return ("object", file[value].name) if value else None
    if isinstance(value, np.ndarray):
        if value.dtype.names:
            return [{name: resolved(file, each[name]) for name in value.dtype.names} for each in value.reshape(-1)]
        return [resolved(file, each) for each in value.reshape(-1)] if value.dtype.hasobject else value.tobytes()
    if isinstance(value, np.void) and value.dtype.names:
        return {name: resolved(file, value[name]) for name in value.dtype.names}
    return value


def raw_attribute(attribute):
    space = attribute.get_space()
    return (attribute.get_type().encode(), space.get_simple_extent_type(), space.shape, attribute.get_storage_size())


def comment(item):
    text = ctypes.create_string_buffer(64)
    call("H5Oget_comment", item.id, ctypes.cast(text, ctypes.c_void_p), len(text))
    return text.value


def attributes(file, item):
    found = []
    for index in range(h5py.h5a.get_num_attrs(item.id)):
        attribute = h5py.h5a.open(item.id, index=index)
        name = attribute.name
        try:
            value = resolved(file, item.attrs[name.decode()])
        except (TypeError, OSError, ValueError) as error:
            value = str(type(error))
        info = h5py.h5a.get_info(item.id, index=index)
        found.append((name, raw_attribute(attribute), value, info.corder_valid, info.corder, info.cset))
    return found


def dataset(file, item):
    properties = item.id.get_create_plist()
    found = {"type": item.id.get_type().encode(), "shape": item.shape, "maxshape": item.maxshape,
             "layout": properties.get_layout(), "allocated": properties.get_alloc_time(), "filled": properties.get_fill_time(),
             "fill": properties.fill_value_defined(), "external": [properties.get_external(i) for i in
                                                                   range(properties.get_external_count())],
             "filters": [properties.get_filter(i) for i in range(properties.get_nfilters())], "stored": item.id.get_storage_size()}
    references = h5py.check_ref_dtype(item.dtype) or item.dtype.names and any(
        h5py.check_ref_dtype(item.dtype[name]) for name in item.dtype.names)
    heap = references or item.dtype.hasobject
    if item.chunks and item.shape is not None:
        found["chunk"] = item.chunks
        infos = [item.id.get_chunk_info(i) for i in range(item.id.get_num_chunks())]
        found["chunks"] = [(each.chunk_offset, each.filter_mask, each.size,
                            None if heap else item.id.read_direct_chunk(each.chunk_offset)) for each in infos]
    if properties.get_layout() == h5py.h5d.VIRTUAL:
        found["sources"] = [(s.file_name, s.dset_name, s.vspace.encode(), s.src_space.encode()) for s in item.virtual_sources()]
    try:
        found["values"] = resolved(file, item[()]) if item.shape is not None else None
    except (OSError, TypeError, ValueError) as error:
        found["values"] = str(type(error))
    return found


def contents(path):
    """Every link and every object; the objects by their first paths."""
    found, paths = {}, {}
    with h5py.File(path) as file:
        properties = file.id.get_create_plist()
        found["file"] = (properties.get_userblock(), properties.get_sizes(), properties.get_link_creation_order(),
                         path.read_bytes()[:file.userblock_size])

        def visit(item, name):
            info = h5py.h5o.get_info(item.id)
            found[name] = {"kind": type(item).__name__, "links": [], "count": info.rc, "times": (info.mtime, info.ctime),
                           "attributes": attributes(file, item), "comment": comment(item)}
            if isinstance(item, h5py.Datatype):
                found[name]["type"] = item.id.encode()
            if isinstance(item, h5py.Dataset):
                found[name].update(dataset(file, item))
            if not isinstance(item, h5py.Group):
                return
            made = item.id.get_create_plist()
            found[name]["group"] = (made.get_link_creation_order(), made.get_attr_creation_order(),
                                    made.get_attr_phase_change())
            below = []
            for each in item.id:
                link = item.id.links.get_info(each)
                kind = (each, link.type, link.corder_valid, link.corder, link.cset)
                if link.type != h5py.h5l.TYPE_HARD:
                    value = item.id.links.get_val(each) if link.type in (h5py.h5l.TYPE_SOFT, h5py.h5l.TYPE_EXTERNAL) else None
                    found[name]["links"].append((*kind, value))
                    continue
                inner = item[each]
                address = h5py.h5o.get_info(inner.id).addr
                if address not in paths:
                    paths[address] = f"{name.rstrip('/')}/{each.decode()}"
                    below.append((inner, paths[address]))
                found[name]["links"].append((*kind, paths[address]))
            for inner, inner_name in below:
                visit(inner, inner_name)
        paths[h5py.h5o.get_info(file["/"].id).addr] = "/"
        visit(file["/"], "/")
    return found
