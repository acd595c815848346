#!/usr/bin/env python3
"""The smallest useful adapter: a reader of integers and IEEE numbers on h5py."""
import json
import sys

import h5py
import numpy


def value(x):  # a number in the protocol's notation
    return {"bits": numpy.array(x, f">f{x.itemsize}").tobytes().hex()} if x.dtype.kind == "f" else str(x)


def rows_of(dataset, first, last):
    stored, fill = dataset[first:last], dataset.fillvalue
    missing = numpy.isnan(stored) if fill != fill else stored == fill  # 8.5
    return [None if gone else value(x) for gone, x in zip(missing, stored)]


def type_of(dtype):
    made = {"class": "float" if dtype.kind == "f" else "integer", "size": dtype.itemsize,
            "order": "big" if dtype.str[0] == ">" else "little"}
    return made if dtype.kind == "f" else {**made, "signed": dtype.kind == "i"}


def columns(group):  # (name, dataset); those of other datatypes are left out
    found = {name: item for name, item in group.items() if isinstance(item, h5py.Dataset)
             and item.ndim == 1 and item.id.get_type().get_size() <= 8 and item.dtype.kind in "iuf"}
    order = [name.decode() if isinstance(name, bytes) else name for name in group.attrs.get("column-order", found)]
    return [(name, found[name]) for name in order if name in found]


def describe(file):
    tables = []

    def visit(name, item):
        if isinstance(item, h5py.Group) and item.attrs.get("CLASS") == b"COLUMN_TABLE":
            tables.append({"path": item.name, "version": item.attrs["VERSION"].decode(), "row_labels": [],
                           "rows": str(item.attrs["NROWS"]),
                           "columns": [{"name": name, "type": type_of(c.dtype)} for name, c in columns(item)]})
    visit("/", file)
    file.visititems(visit)
    return {"tables": tables}


def answer(request):
    if request["op"] == "hello":
        return {"protocol": 1, "name": "minimal adapter", "capabilities": {
            "operations": ["describe", "read"], "datatypes": ["integer", "float"]}}
    with h5py.File(request["file"]) as file:
        if request["op"] == "describe":
            return describe(file)
        table, first = file[request["table"]], int(request.get("first", 0))
        nrows = int(table.attrs["NROWS"])
        last = min(nrows, first + int(request.get("count", nrows)))
        return {"columns": [{"name": name, "values": rows_of(c, first, last)} for name, c in columns(table)
                            if name in request.get("columns", [name])]}


for line in sys.stdin:
    request = json.loads(line)
    try:
        reply = {"ok": answer(request)}
    except Exception as error:
        reply = {"error": {"kind": "failed", "message": repr(error)}}
    print(json.dumps({"id": request["id"], **reply}), flush=True)
