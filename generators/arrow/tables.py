"""The tables of Schema.fbs, Message.fbs and File.fbs: their fields, in the order of their ids."""

# (name, kind, default). Kinds: numbers; string; table; [kind]: a vector; struct: inline. A union has
# two fields: its tag, and the table.
FIELDS = {
    "Message": [("version", "i16", 0), ("header_type", "u8", 0), ("header", "table", None),
                ("bodyLength", "i64", 0), ("custom_metadata", "[KeyValue]", None)],
    "Schema": [("endianness", "i16", 0), ("fields", "[Field]", None),
               ("custom_metadata", "[KeyValue]", None), ("features", "[i64]", None)],
    "Field": [("name", "string", None), ("nullable", "bool", 0), ("type_type", "u8", 0),
              ("type", "table", None), ("dictionary", "table", None), ("children", "[Field]", None),
              ("custom_metadata", "[KeyValue]", None)],
    "DictionaryEncoding": [("id", "i64", 0), ("indexType", "table", None), ("isOrdered", "bool", 0),
                           ("dictionaryKind", "i16", 0)],
    "RecordBatch": [("length", "i64", 0), ("nodes", "[FieldNode]", None),
                    ("buffers", "[Buffer]", None), ("compression", "table", None),
                    ("variadicBufferCounts", "[i64]", None)],
    "DictionaryBatch": [("id", "i64", 0), ("data", "table", None), ("isDelta", "bool", 0)],
    "BodyCompression": [("codec", "i8", 0), ("method", "i8", 0)],
    "Footer": [("version", "i16", 0), ("schema", "table", None), ("dictionaries", "[Block]", None),
               ("recordBatches", "[Block]", None), ("custom_metadata", "[KeyValue]", None)],
    "KeyValue": [("key", "string", None), ("value", "string", None)],
    "Tensor": [("type_type", "u8", 0), ("type", "table", None), ("shape", "[TensorDim]", None),
               ("strides", "[i64]", None), ("data", "struct Buffer", None)],
    "TensorDim": [("size", "i64", 0), ("name", "string", None)],
    "SparseTensorIndexCSF": [],
    "SparseTensor": [("type_type", "u8", 0), ("type", "table", None),
                     ("shape", "[TensorDim]", None), ("non_zero_length", "i64", 0),
                     ("sparseIndex_type", "u8", 0), ("sparseIndex", "table", None),
                     ("data", "struct Buffer", None)],
    # The types.
    "Null": [], "Binary": [], "Utf8": [], "Bool": [], "List": [], "Struct_": [],
    "LargeBinary": [], "LargeUtf8": [], "LargeList": [], "RunEndEncoded": [], "BinaryView": [],
    "Utf8View": [], "ListView": [], "LargeListView": [],
    "Int": [("bitWidth", "i32", 0), ("is_signed", "bool", 0)],
    "FloatingPoint": [("precision", "i16", 0)],
    "Decimal": [("precision", "i32", 0), ("scale", "i32", 0), ("bitWidth", "i32", 128)],
    "Date": [("unit", "i16", 1)],
    "Time": [("unit", "i16", 1), ("bitWidth", "i32", 32)],
    "Timestamp": [("unit", "i16", 0), ("timezone", "string", None)],
    "Interval": [("unit", "i16", 0)],
    "Union": [("mode", "i16", 0), ("typeIds", "[i32]", None)],
    "FixedSizeBinary": [("byteWidth", "i32", 0)],
    "FixedSizeList": [("listSize", "i32", 0)],
    "Map": [("keysSorted", "bool", 0)],
    "Duration": [("unit", "i16", 1)],
}
TYPES = ["NONE", "Null", "Int", "FloatingPoint", "Binary", "Utf8", "Bool", "Decimal", "Date", "Time",
         "Timestamp", "Interval", "List", "Struct_", "Union", "FixedSizeBinary", "FixedSizeList",
         "Map", "Duration", "LargeBinary", "LargeUtf8", "LargeList", "RunEndEncoded", "BinaryView",
         "Utf8View", "ListView", "LargeListView"]
HEADERS = ["NONE", "Schema", "DictionaryBatch", "RecordBatch", "Tensor", "SparseTensor"]
V1, V2, V3, V4, V5 = range(5)


class Table:
    """A table of a kind, with the fields that have a value: `field.name = "a"`, `del field.name`.
    A field without a value is None. `unknown` contains fields with other ids: {id: i32}."""

    def __init__(self, kind, **values):
        assert values.keys() <= {name for name, _, _ in FIELDS[kind]}, f"{kind}: {[*values]}"
        self.__dict__.update(kind=kind, unknown={},
                             values={k: v for k, v in values.items() if v is not None})

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.values.get(self._known(name))

    def __setattr__(self, name, value):
        if value is None:
            delattr(self, name)
        else:
            self.values[self._known(name)] = value

    def __delattr__(self, name):
        self.values.pop(self._known(name), None)

    def _known(self, name):
        if name not in {field for field, _, _ in FIELDS[self.kind]}:
            raise AttributeError(f"{self.kind} has no field {name}")
        return name

    def get(self, name):
        """The value, or the default of the field if it is absent."""
        default = next(default for field, _, default in FIELDS[self.kind] if field == name)
        return self.values.get(name, default)

    def copy(self):
        made = Table(self.kind)
        made.unknown.update(self.unknown)
        made.values.update({name: _copy(value) for name, value in self.values.items()})
        return made


def _copy(value):
    if isinstance(value, Table):
        return value.copy()
    return [_copy(each) for each in value] if isinstance(value, list) else value


def pair(key, value):
    return Table("KeyValue", key=key, value=value)


def pairs(metadata):
    """{key: value}, or [(key, value)] if a key is repeated; None: no vector."""
    if metadata is None:
        return None
    return [pair(*each) for each in (metadata.items() if isinstance(metadata, dict) else metadata)]


# Types --------------------------------------------------------------------------------------------

def _int(bits, signed=True):
    return Table("Int", bitWidth=bits, is_signed=signed)


NULL, BOOL, UTF8, BINARY, LARGE_UTF8, LARGE_BINARY, LIST, LARGE_LIST, STRUCT, MAP = (
    Table(kind) for kind in ("Null", "Bool", "Utf8", "Binary", "LargeUtf8", "LargeBinary", "List",
                             "LargeList", "Struct_", "Map"))
RUN_END, BINARY_VIEW, UTF8_VIEW, LIST_VIEW, LARGE_LIST_VIEW = (
    Table(kind) for kind in ("RunEndEncoded", "BinaryView", "Utf8View", "ListView",
                             "LargeListView"))
I8, I16, I32, I64 = map(_int, (8, 16, 32, 64))
U8, U16, U32, U64 = (_int(bits, False) for bits in (8, 16, 32, 64))
F16, F32, F64 = (Table("FloatingPoint", precision=n) for n in range(3))
SORTED_MAP = Table("Map", keysSorted=True)
DAY, DAY_MS = Table("Date", unit=0), Table("Date", unit=1)
SECOND, MILLI, MICRO, NANO = range(4)
SPARSE, DENSE = 0, 1


def decimal(precision, scale=0, bits=None):
    return Table("Decimal", precision=precision, scale=scale, bitWidth=bits)


def time(unit, bits):
    return Table("Time", unit=unit, bitWidth=bits)


def timestamp(unit, timezone=None):
    return Table("Timestamp", unit=unit, timezone=timezone)


def interval(unit):
    return Table("Interval", unit=unit)


def duration(unit):
    return Table("Duration", unit=unit)


def union(mode, ids=None):
    return Table("Union", mode=mode, typeIds=ids)


def binary(width):
    return Table("FixedSizeBinary", byteWidth=width)


def lists_of(size):
    return Table("FixedSizeList", listSize=size)


def field(name, type, *children, nullable=True, dictionary=None, metadata=None):
    """`dictionary`: its id, for int32 keys, or a DictionaryEncoding."""
    if isinstance(dictionary, int):
        dictionary = encoding(dictionary)
    return Table("Field", name=name, nullable=nullable, type_type=TYPES.index(type.kind),
                 type=type.copy(), dictionary=dictionary, children=[*children],
                 custom_metadata=pairs(metadata))


def encoding(id, keys=I32, ordered=False):
    return Table("DictionaryEncoding", id=id, indexType=keys and keys.copy(), isOrdered=ordered)


def map_of(name, key, value, type=MAP, **options):
    return field(name, type, field("entries", STRUCT, key, value, nullable=False), **options)


def runs_of(name, type, *children, ends=I32, nullable=True, metadata=None, dictionary=None,
            value_dictionary=None):
    """A run-end encoded field; `children` are those of the values."""
    return field(name, RUN_END, field("run_ends", ends, nullable=False),
                 field("values", type, *children, dictionary=value_dictionary), nullable=nullable,
                 metadata=metadata, dictionary=dictionary)


def extension(name, metadata=None):
    """The custom metadata of an extension type."""
    made = {"ARROW:extension:name": name}
    return made if metadata is None else {**made, "ARROW:extension:metadata": metadata}
