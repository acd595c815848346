"""Converts requests that write, and predicates, to calls of h5col."""

import h5col
import h5py
import numpy
from h5col import filters
from conversation import Unsupported

import values

FILTERS = {"shuffle": filters.Shuffle, "deflate": filters.Deflate,
           "fletcher32": filters.Fletcher32}


ORIGIN = f"built by h5col {h5col.__version__}"


# The storage of booleans with missing values: the form that the revision prefers.
nullable_boolean = None


def judged_by(spec):
    global nullable_boolean
    nullable_boolean = numpy.dtype("u1") if spec in (None, "hep001-2026-06-16") else \
        h5py.enum_dtype({"FALSE": 0, "TRUE": 1, "MISSING": 2}, basetype="i1")


def dtype_of(kind):
    """The datatype argument of h5col for a column."""
    name, size = kind["class"], kind.get("size")
    order = ">" if kind.get("order") == "big" else "<"
    if name == "boolean":
        return h5col.bool_dtype()
    if name == "integer":
        return numpy.dtype(f"{order}{'i' if kind['signed'] else 'u'}{size}")
    if name == "float":
        return numpy.dtype(f"{order}f{size}")
    if name == "string":
        if kind["padding"] != "null-pad":
            raise Unsupported("h5col writes strings padded with NUL alone")
        return h5col.FixedString(size, "ascii" if kind["charset"] == "ascii" else "utf-8")
    if name == "enum":
        members = {member: int(code) for member, code in kind["members"]}
        return h5py.enum_dtype(members, basetype=dtype_of(kind["base"]))
    if name == "opaque":
        if kind["tag"]:
            raise Unsupported("numpy has no opaque datatypes with a tag")
        return numpy.dtype(f"V{size}")
    raise Unsupported(f"h5col has no columns of class {name}")


def fill_of(kind, given, found=()):
    """The fill value that h5col leaves to its caller: if it recommends none, or if the recommended one is in the
    declared range. None: h5col chooses. `found` contains the values of the column."""
    if kind["class"] == "float" and (kind["size"] == 2 or "valid_min" in given):
        dtype = numpy.dtype(f"f{kind['size']}")
        taken = any(value is not None and numpy.isnan(value) for value in found)
        return numpy.finfo(dtype).min if taken else dtype.type("nan")
    if kind["class"] != "integer" or "valid_min" not in given:
        return None
    limits = numpy.iinfo(dtype_of(kind))
    low, high = given["valid_min"], given["valid_max"]
    return low - 1 if low > limits.min else high + 1 if high < limits.max else None


def elements_of(kind, column):
    """The VALUES of a level of a list."""
    if kind["class"] == "text":
        return h5col.StringValuesSpec(nullable=True)
    if kind["class"] == "list":
        return h5col.NestedListSpec(values=elements_of(kind["base"], column), nullable=True)
    fill = fill_of(kind, {}) if column.get("fill") is None else values.python(kind, column["fill"])
    return h5col.LeafValuesSpec(dtype=dtype_of(kind), fill_value=fill)


def spec_of(column):
    kind = column["type"]
    if kind["class"] == "list":
        return h5col.ListColumnSpec(
            name=column["name"], values=elements_of(kind["base"], column), nullable=True,
            units=column.get("units"), units_vocabulary=column.get("units_vocabulary"),
            description=column.get("description"))
    dtype = dtype_of(kind)
    if kind["class"] == "boolean" and None in column["values"]:
        dtype = nullable_boolean
    given = {name: values.python(kind, column[member]) for name, member in
             (("fill_value", "fill"), ("valid_min", "valid_min"), ("valid_max", "valid_max"))
             if column.get(member) is not None}
    found = [values.python(kind, value) for value in column["values"]]
    if (fill := fill_of(kind, given, found)) is not None:
        given.setdefault("fill_value", fill)
    if column.get("chunk"):
        given["chunks"] = int(column["chunk"])
    if column.get("filters"):
        given["filters"] = h5col.FilterPipeline([FILTERS[name]() for name in column["filters"]])
    if categories := column.get("categories"):
        labels = [values.python(categories["type"], label) for label in categories["labels"]]
        if categories["type"]["class"] == "integer":  # in the requested width
            labels = list(numpy.array(labels, dtype_of(categories["type"])))
        given["categories"] = labels
        given["ordered"] = categories["ordered"]
    return h5col.ColumnSpec(
        name=column["name"], dtype=dtype, units=column.get("units"),
        units_vocabulary=column.get("units_vocabulary"), description=column.get("description"),
        **given)


def rows_of(column, labels):
    """Rows to append; for a categorical column, h5col takes the labels, not the codes."""
    found = [values.python(column["type"], value) for value in column["values"]]
    if labels is None:
        return found
    return [None if code is None else labels[code] for code in found]


def write(file, request):
    asked = request["table"]
    group = file if asked["path"] == "/" else file.create_group(asked["path"])
    specs = [spec_of(column) for column in asked["columns"]]
    table = h5col.Table.create(
        group, specs, title=asked.get("title"), description=asked.get("description"),
        units_vocabulary=asked.get("units_vocabulary"),
        index_columns=asked.get("row_labels") or None)
    table.append({column["name"]: rows_of(column, getattr(spec, "categories", None))
                  for column, spec in zip(asked["columns"], specs)})
    for column in asked["columns"]:
        for kind in column.get("indexes") or []:
            table.build_index(column["name"], kind, description=ORIGIN)
    return {}


def append(file, request):
    table = h5col.Table.open(file[request["table"]])
    data = {}
    for given in request["columns"]:
        column = table[given["name"]]
        categorical = not column.is_list and column.is_categorical
        labels = list(column.categories) if categorical else None
        data[column.name] = rows_of({**given, "type": values.type_of(column)}, labels)
    table.append(data, maintain_indexes=request.get("indexes") == "maintain")
    return {}


def truncate(file, request):
    h5col.Table.open(file[request["table"]]).truncate(
        int(request["rows"]), maintain_indexes=request.get("indexes") == "maintain")
    return {}


def add_index(file, request):
    table = h5col.Table.open(file[request["table"]])
    table.build_index(request["column"], request["kind"], description=ORIGIN)
    return {}


def labels_of(column):
    try:
        return column.categories
    except TypeError as error:  # reported once, as what describe omits
        raise Unsupported("h5py knows no references of datatype H5T_STD_REF") from error


def predicate(column, where):
    """Converts a predicate of the protocol to one of h5col."""
    field, test = h5col.field(where["column"]), where["test"]
    if test == "missing":
        return field.is_null()
    if test == "nan":
        raise Unsupported("h5col asks for missing rows, not for NaN")
    if values.type_of(column)["class"] == "opaque":
        raise Unsupported("h5col compares no opaque values")

    def bound(name):
        value = values.python(values.type_of(column), where[name])
        return labels_of(column)[value] if column.is_categorical else value
    if test == "equal":
        return field == bound("value")
    if column.is_categorical:
        raise Unsupported("h5col orders labels, the protocol their codes")
    given = [(field >= bound("min"))] if where.get("min") is not None else []
    if where.get("max") is not None:
        given.append(field <= bound("max"))
    if not given:
        raise Unsupported("h5col has no range without a bound; is_valid takes NaN, too")
    return given[0] & given[1] if len(given) == 2 else given[0]
