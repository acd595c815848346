"""The additions of HEP001 of 2026-07-09 to the older revision: list columns, boolean columns without a
fill value, and tokens that state whether the contents of an index are valid."""

import numpy
from h5py import h5a, h5d, h5f, h5g, h5i, h5l, h5o, h5s, h5t

import hdf5
import lists
import notation
from conversation import Unsupported
from notation import Encoder, make_type
from reader import Column, Reader, Table, references, string_attribute
from writer import UINT64, Writer, choose_fill, put_attribute, put_text

GENERATION, SOURCE_GENERATION, SOURCE_NROWS = "GENERATION", "SOURCE_GENERATION", "SOURCE_NROWS"
NULLABLE = {**notation.BOOLEAN, "members": [["FALSE", "0"], ["TRUE", "1"], ["MISSING", "2"]]}


def is_boolean(kind):
    """An enumeration over one byte of exactly FALSE = 0 and TRUE = 1 (6)."""
    return (kind["class"] == "enum" and kind["base"]["size"] == 1 and
            sorted(kind["members"]) == sorted(notation.BOOLEAN["members"]))


def token(owner, name):
    """A scalar uint64 attribute; None if there is none of this form (12.2)."""
    if not h5a.exists(owner, name.encode()):
        return None
    attribute = h5a.open(owner, name.encode())
    tid = attribute.get_type()
    if (attribute.get_space().get_simple_extent_type() != h5s.SCALAR or
            tid.get_class() != h5t.INTEGER or tid.get_size() != 8 or tid.get_sign() != h5t.SGN_NONE
            or hdf5.precision(tid) != 64):
        return None
    return int(notation.integer(tid, hdf5.attribute_bytes(attribute).raw[:8]))


def put_token(owner, name, value):
    """Written in place if it exists."""
    if token(owner, name) is None:
        return put_attribute(owner, name, UINT64, str(value))
    return h5a.open(owner, name.encode()).write(numpy.array(value, numpy.uint64))


class Leaf(Column):
    """The elements of a list, in the form of the rows of a column."""

    def __init__(self, reader, dataset):
        self.reader, self.dataset, self.name = reader, dataset, ""
        self.tid = dataset.get_type()
        self.type = notation.describe_type(self.tid)


class ListColumn:
    def __init__(self, reader, table, name):
        self.reader, self.table, self.name = reader, table, name
        self.dataset = h5g.open(table.group, name.encode())  # the object with the attributes
        self.type = reader.lists().describe(self.dataset)

    def values(self, first, count):
        return self.reader.lists().read(self.dataset, first, count)

    def fill(self):
        return None

    def categories(self):
        return None

    def indexes(self):
        return []


class NewerTable(Table):
    def column(self, name):
        if name not in self.names:
            raise KeyError(f"{self.path} has no column {name}")
        item = h5o.open(self.group, name.encode())
        return (ListColumn if isinstance(item, h5g.GroupID) else Column)(self.reader, self, name)

    @property
    def datasets(self):
        """The columns that are datasets."""
        found = [self.column(name) for name in self.names]
        return [column for column in found if isinstance(column, Column)]


class NewerReader(Reader):
    table_class = NewerTable

    def lists(self):
        return lists.Lists(lambda group: string_attribute(group, "CLASS"),
                           lambda group: string_attribute(group, "KIND"),
                           lambda dataset: Leaf(self, dataset))

    def is_list_column(self, group):
        return string_attribute(group, "CLASS") == lists.LIST

    def is_column(self, child):
        return super().is_column(child) or isinstance(child, h5g.GroupID) and self.is_list_column(child)

    def is_valid(self, table, index):
        """The validity check (12.2): whether the contents of an index are valid."""
        wanted = token(table.group, GENERATION), token(table.group, "NROWS")
        return None not in wanted and wanted == (token(index, SOURCE_GENERATION),
                                                 token(index, SOURCE_NROWS))

    def index_datasets(self, column):
        return [index for index in super().index_datasets(column)
                if self.is_valid(column.table, index)]

    def is_boolean(self, kind):
        return is_boolean(kind)

    def describe_column(self, column):
        made = super().describe_column(column)
        made["boolean"] = self.is_boolean(column.type)
        self.of_later_revision(column)
        return made

    def of_later_revision(self, column):
        """Only a later revision can read a MASK on a column (8.5)."""
        path = column.table.path.rstrip("/") + "/" + column.name
        if isinstance(column, Column) and h5a.exists(column.dataset, b"MASK"):
            self.diagnose(path, "MASK: this column follows a later revision")
            return True
        if column.type == {"class": "list"}:
            self.diagnose(path, "a list column of a KIND of a later revision")
            return True
        return False

    def read_column(self, column, first, count):
        if self.of_later_revision(column):
            return {"name": column.name, "unreadable": "it follows a later revision"}
        return super().read_column(column, first, count)


class NewerWriter(Writer):
    reader_class = NewerReader

    # Columns

    def write_column(self, group, column, extent):
        kind, nulls = column["type"], None in column["values"]
        if kind["class"] == "boolean":
            column = {**column, "type": NULLABLE if nulls else notation.BOOLEAN}
        if kind["class"] == "list":
            return self.write_list(group, column)
        if column.get("domain") == "full":
            column = self.widened(column)
        return super().write_column(group, column, extent)

    @staticmethod
    def widened(column):
        """Uses a wider datatype if every value of its own occurs, so that a fill value exists (8.5)."""
        kind = column["type"]
        if kind["class"] != "integer" or kind["size"] > 4:
            raise Unsupported("there is no wider datatype")
        return {**column, "type": {**kind, "size": 2 * kind["size"]}}

    def choose_fill(self, kind, *given):
        return None if is_boolean(kind) else super().choose_fill(kind, *given)

    def write_list(self, group, column):
        def label(level, name):
            put_text(level, "CLASS", name, ascii=True)
            if name == lists.LIST:
                put_text(level, "KIND", "OFFSETS", ascii=True)
        elements = list(innermost(column["type"], column["values"]))
        made = self.reader.lists().create(
            group, column["name"].encode(), column["type"],
            lambda kind: None if is_boolean(kind) else
            column.get("fill") or choose_fill(kind, elements, None, None, False), label)
        for name in "units", "units_vocabulary", "description":
            put_text(made, name, column.get(name))
        self.reader.lists().append(made, column["type"], 0, column["values"])

    def write_values(self, column, first, values):
        if isinstance(column, ListColumn):
            self.reader.lists().append(column.dataset, column.type, first, values)
        else:
            super().write_values(column, first, values)

    def extend(self, table, rows):
        extent = max([rows, *(column.dataset.shape[0] for column in table.datasets)])
        for column in table.datasets:
            if column.dataset.shape[0] < extent:
                column.dataset.set_extent((extent,))

    # Indexes: new ones get the current tokens of the table (12.2)

    def build_index(self, column, kind, rows=None):
        if token(column.table.group, GENERATION) is None:
            put_token(column.table.group, GENERATION, 0)
        super().build_index(column, kind, rows)

    def sign(self, index, table, rows):
        self.put_tokens(index, token(table.group, GENERATION), rows)

    @staticmethod
    def put_tokens(index, generation, rows):
        put_token(index, SOURCE_GENERATION, generation)
        put_token(index, SOURCE_NROWS, rows)

    @staticmethod
    def dataset(group, name, kind, values):
        encoder, tid = Encoder(), make_type(kind)
        made = lists.member(group, name.encode())
        if made is None:
            made = lists.new_dataset(group, name.encode(), tid, len(values))
        made.set_extent((len(values),))
        hdf5.write_rows(made, 0, len(values), encoder.elements(tid, values))
        return made

    @staticmethod
    def bits(group, name, rows, width):
        made = lists.member(group, name.encode())
        if made is None:
            made = lists.new_dataset(group, name.encode(), h5t.STD_U8LE, len(rows), width=width)
        made.set_extent((len(rows), width))
        if rows and width:
            made.write(h5s.ALL, h5s.ALL, numpy.frombuffer(b"".join(rows), "u1"), h5t.STD_U8LE)
        return made

    def all_indexes(self, table):
        """(column, index) for every index that a column lists."""
        return [(column, index) for column in table.datasets
                for index in references(column.dataset, "SEARCH_INDEX_LIST")]

    def can_rebuild(self, column, index):
        """Whether this program wrote it and can rewrite it in place."""
        kind = string_attribute(index, "KIND")
        if not self.reader.knows_kind(kind):
            return False
        ours = [self.index_name(column, kind)]
        if kind == "BITMAP":
            ours.append(self.index_name(column, kind) + "_values")
        found = [h5i.get_name(item).rpartition(b"/")[2].decode()
                 for item in [index, *references(index, "VALUES")]]
        return found == ours

    def rewrite(self, column, index, rows):
        """Writes the contents of an index in place."""
        if h5a.exists(index, b"VALUES"):
            h5a.delete(index, b"VALUES")
        self.write_content(column, string_attribute(index, "KIND"), rows)

    # append and truncate (12.3, 12.5)

    def append(self, path, where, columns, durable, indexes="maintain"):
        file = self.open(path)
        table = self.reader.table(file, where)
        rows = table.nrows + len(columns[0]["values"])
        generation = self.next_generation(file, table, rows, indexes)
        self.extend(table, rows)
        for column in columns:
            self.write_values(table.column(column["name"]), table.nrows, column["values"])
        if durable:
            h5f.flush(file)
        self.commit(file, table, generation, rows, indexes)
        return {}

    def truncate(self, path, where, rows, reclaim, indexes="maintain"):
        file = self.open(path)
        table = self.reader.table(file, where)
        self.commit(file, table, self.next_generation(file, table, rows, indexes), rows, indexes)
        if reclaim:
            for name in table.names:
                column = table.column(name)
                if isinstance(column, ListColumn):
                    self.reader.lists().reclaim(column.dataset, column.type, rows)
                else:
                    column.dataset.set_extent((rows,))
        return {}

    def next_generation(self, file, table, rows, indexes):
        """The GENERATION to commit; None without any. An index that is not maintained may have exactly
        the tokens that are about to be committed, left by a crashed append: an additional
        increment prevents it from becoming valid."""
        generation = token(table.group, GENERATION)
        if generation is None:
            return None
        for column, index in self.all_indexes(table):
            left = indexes == "leave" or not self.can_rebuild(column, index)
            if left and (generation + 1, rows) == (token(index, SOURCE_GENERATION),
                                                   token(index, SOURCE_NROWS)):
                generation += 1
                put_token(table.group, GENERATION, generation)
                h5f.flush(file)
                break
        return generation + 1

    def commit(self, file, table, generation, rows, indexes):
        maintained = [] if indexes == "leave" else [
            each for each in self.all_indexes(table) if self.can_rebuild(*each)]
        if generation is not None:
            for _, index in maintained:
                self.put_tokens(index, generation, rows)
            h5f.flush(file)  # contents must not reach the disk first
            for column, index in maintained:
                self.rewrite(column, index, rows)
            h5f.flush(file)
            put_token(table.group, GENERATION, generation)
        self.put_rows(table.group, rows)
        h5f.flush(file)

    # update (12.6)

    def update(self, path, where, name, rows, values):
        file = self.open(path)
        table = self.reader.table(file, where)
        column, generation = table.column(name), token(table.group, GENERATION)
        valid = [each for each in self.all_indexes(table) if self.reader.is_valid(table, each[1])]
        if generation is not None and rows:
            put_token(table.group, GENERATION, generation + 1)
            h5f.flush(file)
        self.put_cells(table, column, rows, values)
        if generation is not None and rows:
            for other, index in valid:
                if other.name == name and not self.can_rebuild(other, index):
                    continue
                if other.name == name:
                    self.rewrite(other, index, table.nrows)
                self.put_tokens(index, generation + 1, table.nrows)
        h5f.flush(file)
        return {}

    def put_cells(self, table, column, rows, values):
        if not isinstance(column, ListColumn):
            for row, value in zip(rows, values):
                self.write_values(column, row, [value])
        elif rows:  # lists change their lengths: all of them move
            all_rows = column.values(0, table.nrows)
            for row, value in zip(rows, values):
                all_rows[row] = value
            self.write_values(column, 0, all_rows)


def innermost(kind, values):
    """The elements of the leaf."""
    if kind["class"] == "list":
        for value in values:
            yield from innermost(kind["base"], value or [])
    elif kind["class"] != "text":
        yield from values
