#!/usr/bin/env python3
"""Speaks the protocol of the harness (conformance/protocol.md) for h5col, the reference implementation.

Its replies contain what the functions of h5col return; this file only finds the
tables, which h5col leaves to its callers, and translates. If h5col does not support an operation, neither
does this adapter."""

import sys
from pathlib import Path

# All Python adapters share the notation of datatypes and the conversation with the harness.
sys.path.append(str(Path(__file__).resolve().parent.parent / "python"))

import h5col
import h5py
from conversation import Refused, Unsupported, serve

import values
import writing


class Adapter:
    operations = ["describe", "read", "query", "write", "append", "truncate", "add-index"]
    datatypes = ["integer", "float", "string", "enum", "opaque", "boolean", "list", "text"]
    indexes = ["CHUNK_MINMAX", "SORTED_ROWS", "BITMAP"]
    features = ["categories", "row-labels", "units", "descriptions", "chunks", "filters", "durable"]

    def answer(self, request):
        """The body of the reply, and the diagnostics."""
        operation = request["op"]
        if operation == "hello":
            writing.judged_by(request.get("spec"))
            return self.hello(), []
        if operation not in self.operations:
            raise Unsupported(f"h5col has nothing for {operation}")
        diagnostics = []
        mode = "r" if operation in ("describe", "read", "query") else \
            "w-" if operation == "write" else "r+"
        with h5py.File(request["file"], mode) as file:
            if mode == "r":
                reply = getattr(self, operation)(file, request, diagnostics)
            else:
                reply = getattr(writing, operation.replace("-", "_"))(file, request)
        return reply, diagnostics

    def hello(self):
        return {"protocol": 1, "name": f"h5col {h5col.__version__}", "language": "Python",
                "capabilities": {"operations": self.operations, "version": h5col.table.VERSION,
                                 "datatypes": self.datatypes, "indexes": self.indexes,
                                 "modes": ["lenient", "use"], "features": self.features}}

    # describe

    def describe(self, file, request, diagnostics):
        tables, refused = [], []
        for group in table_groups(file):
            try:
                table = h5col.Table.open(group)
                tables.append(describe_table(table))
            except (h5col.VersionError, h5col.ConformanceError) as error:
                refused.append({"path": group.name, "reason": str(error)})
                continue
            try:
                table.validate()
            except h5col.H5ColError as error:
                diagnostics.append({"path": group.name, "message": str(error)})
            except TypeError:  # as in readable()
                pass
        return {"tables": tables, "refused": refused}

    # read

    def read(self, file, request, diagnostics):
        table = open_table(file, request)
        first = int(request.get("first", "0"))
        end = table.nrows if request.get("count") is None else first + int(request["count"])
        if end > table.nrows:
            raise ValueError(f"{request['table']} has {table.nrows} rows")
        names = request.get("columns")
        return {"columns": [read_column(table[name], slice(first, end))
                            for name in (table.column_names if names is None else names)]}

    # query

    def query(self, file, request, diagnostics):
        if request["indexes"] not in ("default", "use"):
            raise Unsupported("h5col always uses the indexes that pass the validity check")
        table, where = open_table(file, request), request["where"]
        selected = table.select(writing.predicate(table[where["column"]], where))
        rows = [str(row) for row in selected.row_positions]
        methods = {leaf.method for term in selected.explain().terms for leaf in term.leaves}
        return {"rows": rows, "used": [kind for kind in self.indexes
                                       if any(m.startswith(kind.lower()) for m in methods)]}


def table_groups(file):
    found = [file] if h5col.Table.is_table_group(file) else []

    def visit(name, item):
        if isinstance(item, h5py.Group) and h5col.Table.is_table_group(item):
            found.append(item)
    file.visititems(visit)
    return found


def open_table(file, request):
    try:
        return h5col.Table.open(file[request["table"]])
    except (h5col.VersionError, h5col.ConformanceError) as error:
        raise Refused(str(error)) from error


def describe_table(table):
    made = {"path": table.group.name, "version": table.version, "rows": str(table.nrows),
            "title": table.title, "description": table.description,
            "columns": [describe_column(column) for column in table.columns.values()]}
    made["row_labels"] = readable(lambda: table.index_columns, [])
    return made


def describe_column(column):
    vocabulary = column.units_vocabulary
    if vocabulary is None:  # h5col leaves the vocabulary of the table to its callers
        vocabulary = text(place(column).parent.attrs.get("units_vocabulary"))
    made = {"name": column.name, "type": values.type_of(column), "units": column.units,
            "units_vocabulary": vocabulary, "description": column.description, "categories": None,
            "boolean": not column.is_list and column.is_boolean}
    if not column.is_list and column.is_categorical:
        made["categories"] = readable(lambda: {
            "type": values.label_type(column), "ordered": bool(column.ordered),
            "labels": [values.converted(values.label_type(column), label)
                       for label in column.categories]}, None)
    return made


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def place(column):
    return column.group if column.is_list else column.dataset


def readable(look, otherwise):
    """h5py raises TypeError for references that are H5T_STD_REF: then the content is not available."""
    try:
        return look()
    except TypeError:
        return otherwise


def read_column(column, rows):
    """Values and missing rows as h5col returns them; for a categorical column, its codes."""
    made = {"name": column.name}
    kind = values.type_of(column)
    if kind["class"] not in Adapter.datatypes:
        return {**made, "unreadable": "a datatype that h5col has no words for"}
    try:
        return {**made, **rows_of(column, kind, rows)}
    except (h5col.H5ColError, OSError, TypeError, ValueError) as error:
        return {**made, "unreadable": str(error)}


def rows_of(column, kind, rows):
    made = {}
    if column.is_list:
        return {"values": [values.converted(kind, value) for value in column.read_rows(rows)]}
    missing = column.is_missing()[rows]
    if column.is_categorical:
        made["values"] = values.rows(kind, column.codes[rows], missing)
        labels = readable(lambda: column.read_rows(rows, masked=False), None)
        if labels is not None:
            label = values.label_type(column)
            made["labels"] = values.rows(label, labels, missing)
    else:
        made["values"] = values.rows(kind, column.read_rows(rows, masked=False), missing)
    return made


if __name__ == "__main__":
    serve(Adapter())
