"""Damage to single values of list columns, boolean columns and validity tokens, each with its expected
findings."""

import dataclasses
from typing import Callable

import h5py
import numpy as np

SPEC = "hep001-2026-07-09"
INDEXES = ("bitmap-", "bloom-", "minmax-", "sorted-")
LISTS = ("list-", "string-chars-")


@dataclasses.dataclass
class Damage:
    what: str
    change: Callable[[h5py.File], None]
    must: str | None  # the clause that must fail; None: no clause may
    may: tuple = ()  # prefixes of other clauses that may fail as well


def suitable(entry):
    """Whether a fixture of the manifest is to be damaged: conformant, and of the newer revision."""
    return entry["kind"] == "valid" and entry["spec"] == SPEC and not entry["fails"]


def damages(path):
    """All damage to the objects of this file."""
    with h5py.File(path) as file:
        for table in file.values():
            if isinstance(table, h5py.Group) and "NROWS" in table.attrs:
                yield from _of_table(table)


def apply(damage, path):
    with h5py.File(path, "r+") as file:
        damage.change(file)


def _of_table(table):
    rows = int(table.attrs["NROWS"])
    for column in table.values():
        if isinstance(column, h5py.Group) and "OFFSETS" in column:
            yield from _of_list(column, rows)
        elif rows and isinstance(column, h5py.Dataset) and _is_boolean(column):
            yield Damage(f"the code of a boolean, {column.name}", _put(column, rows - 1, 2),
                         "boolean-column-value", INDEXES)
    yield from _of_tokens(table)


def _of_list(group, entries):
    """A level of a list column, and those below it."""
    offsets = group["OFFSETS"]
    elements = int(offsets[entries]) if offsets.shape[0] > entries else 0
    last = int(offsets[0]) if entries == 0 else elements
    if entries:
        yield Damage(f"the first of {offsets.name}", _put(offsets, 0, last + 1),
                     "list-offsets-first-zero", LISTS)
        yield Damage(f"the last but one of {offsets.name}", _put(offsets, entries - 1, last + 1),
                     "list-offsets-non-decreasing", LISTS)
        below = "string-chars-extent" if "CHARS" in group else "list-values-extent"
        if not isinstance(group.get("VALUES"), h5py.Group):
            yield Damage(f"the last of {offsets.name}", _put(offsets, entries, 2**63), below, LISTS)
        if "MASK" in group:
            yield Damage(f"the code of a {group['MASK'].name}", _put(group["MASK"], entries - 1, 2),
                         "list-mask-value", LISTS)
    if elements and "CHARS" in group:
        yield Damage(f"a byte of {group['CHARS'].name}", _put(group["CHARS"], elements - 1, 0xFF),
                     "string-chars-utf8")
    if isinstance(group.get("VALUES"), h5py.Group):
        yield from _of_list(group["VALUES"], elements)


def _of_tokens(table):
    indexes = [item for item in table.get("SEARCH_INDEXES", {}).values() if "KIND" in item.attrs]
    if "GENERATION" not in table.attrs or not indexes:
        return
    # A token of another state disables the index, which is not a violation.
    yield Damage("GENERATION", _other(table, "GENERATION"), None)
    yield Damage("no GENERATION", _remove(table, "GENERATION"), "generation-present")
    for index in indexes:
        for token in ("SOURCE_GENERATION", "SOURCE_NROWS"):
            clause = token.lower().replace("_", "-")
            yield Damage(f"{token} of {index.name}", _other(index, token), None)
            yield Damage(f"no {token} of {index.name}", _remove(index, token), f"{clause}-present")
            yield Damage(f"{token} of {index.name} as int64", _retype(index, token),
                         f"{clause}-uint64")


def _is_boolean(dataset):
    kind = dataset.id.get_type()
    return (dataset.ndim == 1 and kind.get_class() == h5py.h5t.ENUM and kind.get_size() == 1
            and dataset.dtype == np.dtype(bool))


def _put(dataset, at, value):
    """Writes the bytes of one element, even if they are not a value of its datatype."""
    path, shape = dataset.name, dataset.shape

    def change(file):
        stored = file[path].id
        kind = stored.get_type()
        order = ">" if isinstance(kind, h5py.h5t.TypeIntegerID) and \
            kind.get_order() == h5py.h5t.ORDER_BE else "<"
        space, one = h5py.h5s.create_simple(shape), h5py.h5s.create_simple((1,))
        space.select_elements([(at,)])
        stored.write(one, space, np.array([value], f"{order}u{kind.get_size()}"), mtype=kind)
    return change


def _other(item, name):
    """A number that no state of the table had."""
    path = item.name

    def change(file):
        file[path].attrs.modify(name, file[path].attrs[name] ^ np.uint64(1 << 40))
    return change


def _remove(item, name):
    path = item.name

    def change(file):
        del file[path].attrs[name]
    return change


def _retype(item, name):
    path = item.name

    def change(file):
        file[path].attrs.create(name, int(file[path].attrs[name]) % 2**63, dtype="<i8")
    return change
