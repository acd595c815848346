"""Code that repairs a file so that it equals another one, in h5py and in C.

The two files differ in a few objects, as recipes create them. A difference that is not supported here
has no code; see `code`.
"""

import json
import re
from dataclasses import dataclass, field

import h5py
import numpy as np
from h5py import h5a, h5s, h5t

from .h5dump import Block
from .libhdf5 import has_wide_codes

FILE = "events.h5"
MOST_VALUES = 24


class Unsupported(Exception):
    """No code for this difference."""


@dataclass
class Change:
    kind: str            # "attribute", "remove", "rename", "values", "dataset"
    path: str            # of the object
    name: str = ""       # of the attribute; rename: the new path; remove: what takes its place
    good: Block = None
    bad: Block = None


@dataclass
class Code:
    """Lines in both languages, and what they need declared before them."""

    python: list = field(default_factory=list)
    c: list = field(default_factory=list)
    imports: set = field(default_factory=set)
    effects: list = field(default_factory=list)  # side effects that the example does not show

    def add(self, python, c):
        self.python += python
        self.c += c


def changes(good, bad, path=""):
    """The changes that turn the tree `bad` into the tree `good`, as shown by h5dump."""
    ours = {part.head: part for part in good.parts if part.is_object}
    theirs = {part.head: part for part in bad.parts if part.is_object}
    names = {_name(head) for head in ours if not head.startswith("ATTRIBUTE")}
    for head in [h for h in theirs if h not in ours]:
        twin = next((h for h in ours if h not in theirs and _same(ours[h], theirs[head])), None)
        if twin:
            yield from _renamed(path, ours.pop(twin), theirs.pop(head))
        elif head.startswith("ATTRIBUTE"):
            yield Change("remove attribute", path, _name(head), bad=theirs[head])
        else:
            replaced = _name(head) if _name(head) in names else ""
            yield Change("remove", f"{path}/{_name(head)}", replaced, bad=theirs[head])
    if _own(good) != _own(bad):
        only_values = [p for p in _own(good) if p.head != "DATA"] == \
                      [p for p in _own(bad) if p.head != "DATA"]
        yield Change("values" if only_values else "dataset", path or "/", good=good, bad=bad)
    for head, part in ours.items():
        twin = theirs.get(head)
        if part == twin:
            continue
        if head.startswith("ATTRIBUTE"):
            yield Change("attribute", path, _name(head), part, twin)
        elif twin is None:
            yield Change("dataset", f"{path}/{_name(head)}", good=part)
        else:
            yield from changes(part, twin, f"{path}/{_name(head)}")


def _renamed(path, good, bad):
    if good.head.startswith("ATTRIBUTE"):
        yield Change("remove attribute", path, _name(bad.head), bad=bad)
        yield Change("attribute", path, _name(good.head), good)
    else:
        yield Change("rename", f"{path}/{_name(bad.head)}", f"{path}/{_name(good.head)}")


def _same(good, bad):
    return good.head.split()[0] == bad.head.split()[0] and good.parts == bad.parts and good.parts


def _own(block):
    return [part for part in block.parts if not part.is_object]


def _name(head):
    return head.split(" ", 1)[1].strip().strip('"')


def targets(attribute):
    """The paths that a reference attribute refers to, if h5dump shows them."""
    kind = next((p.head for p in attribute.parts if p.head.startswith("DATATYPE")), "")
    if "H5T_STD_REF }" not in kind:
        return None
    data = next((p for p in attribute.parts if p.head == "DATA"), Block(""))
    found = [_name(part.head) for part in data.parts if part.head.startswith("DATASET")]
    if not found:
        raise Unsupported("references that h5dump cannot follow")
    return found


# Objects must exist before references to them can be written.
_ORDER = ["rename", "remove", "dataset", "values", "remove attribute", "attribute"]


def code(list_of_changes, good_file, good_tree):
    """The code for all changes, as (python, c), and its side effects, as sentences."""
    list_of_changes = sorted(list_of_changes, key=lambda change: (_ORDER.index(change.kind),
                                                                  _has_references(change.good)))
    made = Code()
    with h5py.File(good_file) as file:
        writer = _Writer(file, good_tree, made)
        for at, change in enumerate(list_of_changes):
            writer.to_come = {c.path for c in list_of_changes[at + 1:] if c.kind == "dataset"}
            writer.write(change)
        made.c += [f"H5Oclose({word});" for word in writer.opened.values()]
    body = [f"with h5py.File({FILE!r}, \"r+\") as file:".replace("'", '"'),
            *("    " + line if line else "" for line in made.python)]
    imports = ["import ctypes"] * ("ctypes" in made.imports) + ["import h5py"] + \
        ["import numpy as np"] * any("np." in line for line in body)
    c = [f'hid_t file = H5Fopen("{FILE}", H5F_ACC_RDWR, H5P_DEFAULT);', *made.c, "H5Fclose(file);"]
    return "\n".join(imports + body) + "\n", "\n".join(c) + "\n", " ".join(made.effects)


def _has_references(block):
    """The targets of references must exist first."""
    return bool(block) and any(part.head.startswith("ATTRIBUTE") and any(
        "H5T_STD_REF }" in inner.head for inner in part.parts) for part in block.parts)


def _literal(value):
    if isinstance(value, bytes):
        if not value.isascii() or any(b < 32 or b in b'"\\' for b in value):
            raise Unsupported("bytes that are not plain text")
        return f'b"{value.decode()}"'
    return json.dumps(value)


def _text_literals(value):
    """The same of a text that may have letters beyond ASCII, in both languages."""
    text = value.decode("utf-8", "replace")
    if value.isascii() or not text.isprintable() or "\ufffd" in text or '"' in text:
        return _literal(value), _literal(value)[1:]
    return f'"{text}".encode()', f'"{text}"'


_INTEGERS = {"i": "INT", "u": "UINT"}


def _dtype(kind):
    if has_wide_codes(kind):
        raise Unsupported("an enumeration over more than 8 bytes")
    return kind.dtype


def _refuse_converted(kind):
    """Numbers for which numpy has no type of the same size."""
    parts = [kind.get_member_type(i) for i in range(kind.get_nmembers())] \
        if isinstance(kind, h5t.TypeCompoundID) else [kind]
    if any(isinstance(part, (h5t.TypeFloatID, h5t.TypeIntegerID))
           and part.get_size() != part.dtype.itemsize for part in parts):
        raise Unsupported("numbers of a size that numpy does not have")


def _scalar_type(dtype):
    """The numpy name, HDF5 file type, HDF5 memory type, and C type of a number."""
    if dtype.kind not in "iuf" or (dtype.kind == "f" and dtype.itemsize < 4) or dtype.itemsize > 8:
        raise Unsupported(f"datatype {dtype}")
    order = "BE" if dtype.byteorder == ">" else "LE"
    bits = 8 * dtype.itemsize
    if dtype.kind == "f":
        native = "FLOAT" if bits == 32 else "DOUBLE"
        return dtype.str, f"H5T_IEEE_F{bits}{order}", f"H5T_NATIVE_{native}", native.lower()
    return (dtype.str, f"H5T_STD_{dtype.kind.upper()}{bits}{order}",
            f"H5T_NATIVE_{_INTEGERS[dtype.kind]}{bits}", f"{_INTEGERS[dtype.kind].lower()}{bits}_t")


def _truth(n):
    """C code that declares the boolean datatype as truth{n}."""
    return [f"hid_t truth{n} = H5Tenum_create(H5T_STD_I8LE);", f"int8_t flag{n} = 0;",
            f'H5Tenum_insert(truth{n}, "FALSE", &flag{n});', f"flag{n} = 1;",
            f'H5Tenum_insert(truth{n}, "TRUE", &flag{n});']


def _number(value):
    if isinstance(value, (float, np.floating)):
        if not np.isfinite(value):
            return "NAN" if np.isnan(value) else ("INFINITY" if value > 0 else "-INFINITY")
        text = repr(float(value))
        return text
    value = int(value)
    if value < -2**63 + 1:
        return "INT64_MIN"
    if value >= 2**63:
        return f"{value}u"
    return f"{value}"


def _python_number(value):
    text = _number(value)
    return {"NAN": "np.nan", "INFINITY": "np.inf", "-INFINITY": "-np.inf",
            "INT64_MIN": str(-2**63)}.get(text, text.rstrip("u"))


def _declared(c_type, name, values):
    """C that declares an array: of literals, or of the numbers from 0 on."""
    if isinstance(values, int):
        return [f"{c_type} {name}[{values}];",
                f"for (int i = 0; i < {values}; ++i) {name}[i] = ({c_type})i;"]
    return [f"{c_type} {name}[] = {values};"]


def _sparse(values, word):
    """Python's and C's literal of many values, few of which are not 0."""
    flat = values.reshape(-1)
    places = {int(place): int(flat[place]) for place in np.flatnonzero(flat)}
    listed = ", ".join(f"{place}: {value}" for place, value in places.items())
    python = (f'np.array([{{{listed}}}.get(i, 0) for i in range({flat.size})], "{word}")'
              f".reshape({values.shape})")
    places.setdefault(flat.size - 1, 0)
    return python, "{" + ", ".join(f"[{at}] = {value}" for at, value in places.items()) + "}"


class _Writer:
    def __init__(self, file, tree, made):
        self.file, self.tree, self.made = file, tree, made
        self.opened, self.attributes, self.datasets = {}, 0, 0
        self.to_come = set()  # paths of datasets that are rebuilt later

    def write(self, change):
        {"attribute": self._attribute, "remove attribute": self._remove_attribute,
         "remove": self._remove, "rename": self._rename, "values": self._values,
         "dataset": self._dataset}[change.kind](change)

    def _object(self, path):
        """The name of the variable for an object that the file to be repaired has."""
        path = path or "/"
        if path not in self.opened:
            parts = path.strip("/").split("/")
            word = "index" if "SEARCH_INDEXES" in path else "labels" if "CATEGORIES" in path else \
                "table" if len(parts) == 1 and parts[0] == "events" else \
                "column" if len(parts) == 2 else "object"
            while word in self.opened.values():
                word += "2" if not word[-1].isdigit() else ""
                if word in self.opened.values():
                    word = word[:-1] + str(int(word[-1]) + 1)
            self.opened[path] = word
            self.made.add([f'{word} = file["{path}"]'],
                          [f'hid_t {word} = H5Oopen(file, "{path}", H5P_DEFAULT);'])
        return self.opened[path]

    def _next_attribute(self):
        self.attributes += 1
        return "" if self.attributes == 1 else str(self.attributes)

    def _next_dataset(self, peek=False):
        number = self.datasets + 1
        if not peek:
            self.datasets = number
        return "" if number == 1 else str(number)

    # --- attributes ------------------------------------------------------------------------------

    def _remove_attribute(self, change):
        obj = self._object(change.path)
        self.made.add([f'del {obj}.attrs["{change.name}"]'],
                      [f'H5Adelete({obj}, "{change.name}");'])

    def _attribute(self, change):
        obj = self._object(change.path)
        if change.bad:
            self._remove_attribute(change)
        referred = targets(change.good)
        if referred is not None:
            self._references(obj, change.name, referred, _is_scalar(change.good))
            return
        attribute = h5a.open(self.file[change.path or "/"].id, change.name.encode())
        self._plain_attribute(obj, change.name, attribute)

    def _plain_attribute(self, obj, name, attribute):
        kind, space = attribute.get_type(), attribute.get_space()
        if space.get_simple_extent_type() == h5s.NULL:
            raise Unsupported("null dataspace")
        shape = space.shape
        if len(shape) > 1:
            raise Unsupported("rank above 1")
        n = self._next_attribute()
        if isinstance(kind, h5t.TypeStringID) and not kind.is_variable_str():
            values = np.zeros(shape, f"S{kind.get_size()}")
            attribute.read(values, mtype=kind)
            self._text(obj, name, kind, [bytes(v) for v in values.reshape(-1)], shape, n)
        elif isinstance(kind, h5t.TypeEnumID) and kind.get_nmembers() == 2:
            values = np.zeros(shape, "i1")
            attribute.read(values)
            if shape:
                raise Unsupported("booleans")
            self._boolean(obj, name, bool(values), n)
        else:
            word, file_type, memory, c_type = _scalar_type(_dtype(kind))
            values = np.zeros(shape, kind.dtype)
            attribute.read(values)
            self._numbers(obj, name, values, shape, (word, file_type, memory, c_type), n)

    def _numbers(self, obj, name, values, shape, types, n):
        word, file_type, memory, c_type = types
        flat = values.reshape(-1)
        python = "[" + ", ".join(map(_python_number, flat)) + "]" if shape else _python_number(flat[0])
        inner = ", ".join(map(_number, flat))
        self.made.add(
            [f'{obj}.attrs.create("{name}", {python}, dtype="{word}")'],
            [self._space(shape, n),
             f'hid_t attribute{n} = H5Acreate2({obj}, "{name}", {file_type}, space{n}, H5P_DEFAULT, '
             'H5P_DEFAULT);',
             f"{c_type} value{n}[] = {{{inner}}};",
             f"H5Awrite(attribute{n}, {memory}, value{n});", f"H5Aclose(attribute{n});"])

    def _text(self, obj, name, kind, values, shape, n):
        size, null_terminated = kind.get_size(), kind.get_strpad() == h5t.STR_NULLTERM
        if kind.get_strpad() == h5t.STR_SPACEPAD:
            raise Unsupported("space padding")
        utf8 = kind.get_cset() == h5t.CSET_UTF8
        pad, cset = ("NULLTERM" if null_terminated else "NULLPAD"), ("UTF8" if utf8 else "ASCII")
        literals = [_text_literals(value) for value in values]
        listed, bare = [each[0] for each in literals], ", ".join(each[1] for each in literals)
        python = f"[{', '.join(listed)}]" if shape else listed[0]
        if null_terminated:
            word = f"h5py.Datatype(text{n})"
            make = [f"text{n} = h5py.h5t.C_S1.copy()", f"text{n}.set_size({size})",
                    f"text{n}.set_strpad(h5py.h5t.STR_NULLTERM)",
                    *[f"text{n}.set_cset(h5py.h5t.CSET_UTF8)"] * utf8]
        else:
            word, make = f'h5py.string_dtype("{"utf-8" if utf8 else "ascii"}", {size})', []
        self.made.add(
            [*make, f'{obj}.attrs.create("{name}", {python}, dtype={word})'],
            [f"hid_t text{n} = H5Tcopy(H5T_C_S1);", f"H5Tset_size(text{n}, {size});",
             f"H5Tset_strpad(text{n}, H5T_STR_{pad});", f"H5Tset_cset(text{n}, H5T_CSET_{cset});",
             self._space(shape, n),
             f'hid_t attribute{n} = H5Acreate2({obj}, "{name}", text{n}, space{n}, H5P_DEFAULT, '
             'H5P_DEFAULT);',
             f"char value{n}[][{size}] = {{{bare}}};",
             f"H5Awrite(attribute{n}, text{n}, value{n});", f"H5Aclose(attribute{n});"])

    def _boolean(self, obj, name, value, n):
        self.made.add(
            [f'{obj}.attrs.create("{name}", {value}, dtype=bool)'],
            [f"hid_t boolean{n} = H5Tenum_create(H5T_STD_I8LE);", f"int8_t member{n} = 0;",
             f'H5Tenum_insert(boolean{n}, "FALSE", &member{n});', f"member{n} = 1;",
             f'H5Tenum_insert(boolean{n}, "TRUE", &member{n});', self._space((), n),
             f'hid_t attribute{n} = H5Acreate2({obj}, "{name}", boolean{n}, space{n}, H5P_DEFAULT, '
             'H5P_DEFAULT);',
             f"int8_t value{n} = {int(value)};", f"H5Awrite(attribute{n}, boolean{n}, &value{n});",
             f"H5Aclose(attribute{n});"])

    def _references(self, obj, name, referred, scalar):
        n = self._next_attribute()
        paths = ", ".join(f'b"{path}"' for path in referred)
        many = len(referred)
        first = []
        if "ctypes" not in self.made.imports:
            first = ["# h5py does not know H5T_STD_REF, but the HDF5 library that it loaded does.",
                     "hdf5, hid = ctypes.CDLL(h5py.h5f.__file__), ctypes.c_int64",
                     "hdf5.H5Acreate2.restype = hid",
                     'std_ref = hid.in_dll(hdf5, "H5T_STD_REF_g")']
        self.made.imports.add("ctypes")
        space = "h5py.h5s.create(h5py.h5s.SCALAR)" if scalar else f"h5py.h5s.create_simple(({many},))"
        self.made.add(
            [*first, f"refs{n} = (ctypes.c_byte * 64 * {many})()",
             f"for ref, path in zip(refs{n}, [{paths}]):",
             "    hdf5.H5Rcreate_object(hid(file.id.id), path, hid(0), ref)",
             f"space{n} = {space}",
             f'attribute{n} = hid(hdf5.H5Acreate2(hid({obj}.id.id), b"{name}", std_ref, '
             f"hid(space{n}.id), hid(0), hid(0)))",
             f"hdf5.H5Awrite(attribute{n}, std_ref, refs{n})", f"hdf5.H5Aclose(attribute{n})"],
            [f"H5R_ref_t refs{n}[{many}];",
             *[f'H5Rcreate_object(file, "{path}", H5P_DEFAULT, &refs{n}[{i}]);'
               for i, path in enumerate(referred)],
             self._space(() if scalar else (many,), n),
             f'hid_t attribute{n} = H5Acreate2({obj}, "{name}", H5T_STD_REF, space{n}, H5P_DEFAULT, '
             'H5P_DEFAULT);',
             f"H5Awrite(attribute{n}, H5T_STD_REF, refs{n});", f"H5Aclose(attribute{n});"])

    @staticmethod
    def _space(shape, n):
        if not shape:
            return f"hid_t space{n} = H5Screate(H5S_SCALAR);"
        dims = ", ".join(map(str, shape))
        return f"hid_t space{n} = H5Screate_simple({len(shape)}, (hsize_t[]){{{dims}}}, NULL);"

    # --- links -----------------------------------------------------------------------------------

    def _remove(self, change):
        path = change.path
        below = path.strip("/").split("/")
        keeps_data = change.bad.head.startswith(("DATASET", "GROUP")) and len(below) == 2 \
            and not change.name
        if path in self.opened or '"' in path:
            raise Unsupported("an object in use")
        if change.bad.head.startswith("USERDEFINED_LINK"):
            raise Unsupported("a link of a class that only its own program can delete")
        if keeps_data:
            self.made.add([f'file.move("{path}", "/{below[-1]}")  # out of the table'],
                          [f'H5Lmove(file, "{path}", file, "/{below[-1]}", H5P_DEFAULT, H5P_DEFAULT);'
                           "  /* out of the table */"])
            self.made.effects.append(f"{path} is then {'/' + below[-1]}: programs that use the old path "
                                     "have to be changed. References to it remain valid.")
        else:
            if change.name:
                self._tell_of_loss(path)
            elif change.bad.head.startswith(("DATASET", "GROUP")):
                self.made.effects.append(f"{path} is lost, and what refers to it dangles.")
            self.made.add([f'del file["{path}"]'], [f'H5Ldelete(file, "{path}", H5P_DEFAULT);'])

    def _rename(self, change):
        # Bytes that are not text stand there as \xff; in C the digits after them end with the string.
        escaped = "\\" in change.path
        c_path = re.sub(r"(\\x[0-9a-f]{2})(?!\\|$)", r'\1" "', change.path)
        self.made.add([f'file.move({"b" * escaped}"{change.path}", {"b" * escaped}"{change.name}")'],
                      [f'H5Lmove(file, "{c_path}", file, "{change.name}", H5P_DEFAULT, '
                       'H5P_DEFAULT);'])

    # --- datasets --------------------------------------------------------------------------------

    def _values(self, change):
        dataset = self.file[change.path]
        obj = self._object(change.path)
        python, c_type, memory, c_values = self._data(dataset)
        n = self._next_dataset()
        self.made.add([f"{obj}[...] = {python}"],
                      [*memory[0](n), *_declared(c_type, f"values{n}", c_values),
                       f"H5Dwrite({obj}, {memory[1](n)}, H5S_ALL, H5S_ALL, H5P_DEFAULT, values{n});"])

    def _data(self, dataset):
        """Python's literal; C's type, how to declare the memory type and its name, C's literal."""
        dtype = _dtype(dataset.id.get_type())
        _refuse_converted(dataset.id.get_type())
        values = dataset[...]
        if values.size > MOST_VALUES and values.ndim == 1 and dtype.kind == "u" and \
                np.array_equal(values, np.arange(values.size)):
            word, _, memory, c_type = _scalar_type(dtype)
            return (f'np.arange({values.size}, dtype="{word}")', c_type,
                    (lambda n: [], lambda n: memory), values.size)
        if values.size > MOST_VALUES and not (dtype.kind == "u" and
                                              np.count_nonzero(values) <= MOST_VALUES):
            raise Unsupported("too many values")
        if dtype.names:
            types = {name: _scalar_type(dtype[name]) for name in dtype.names}
            rows = values.reshape(-1)
            fields = ", ".join(f'("{name}", "{t[0]}")' for name, t in types.items())
            python = "np.array([" + ", ".join(
                "(" + ", ".join(_python_number(row[name]) for name in dtype.names) + ")"
                for row in rows) + f"], [{fields}])"
            struct = "struct { " + " ".join(f"{t[3]} {name};" for name, t in types.items()) + " }"
            c_values = "{" + ", ".join("{" + ", ".join(_number(row[name]) for name in dtype.names) + "}"
                                       for row in rows) + "}"

            def declare(n):
                return [f"typedef {struct} Entry{n};",
                        f"hid_t entry{n} = H5Tcreate(H5T_COMPOUND, sizeof(Entry{n}));",
                        *[f'H5Tinsert(entry{n}, "{name}", HOFFSET(Entry{n}, {name}), {t[2]});'
                          for name, t in types.items()]]
            return python, "Entry" + self._next_dataset(peek=True), (declare, lambda n: f"entry{n}"), c_values
        if dtype.kind == "b":
            flags = values.reshape(-1).tolist()
            return (f"np.array({flags}, bool)", "int8_t", (_truth, lambda n: f"truth{n}"),
                    "{" + ", ".join(str(int(flag)) for flag in flags) + "}")
        if dtype.kind == "S":
            return self._labels(dataset)
        if isinstance(dataset.id.get_type(), h5t.TypeEnumID):
            return self._codes(dataset)
        word, _, memory, c_type = _scalar_type(dtype)
        if values.size > MOST_VALUES:
            python, c_values = _sparse(values, word)
            return python, c_type, (lambda n: [], lambda n: memory), c_values

        def nested(values):
            return "[" + ", ".join(map(nested, values)) + "]" if np.ndim(values) \
                else _python_number(values)
        python = f'np.array({nested(values)}, "{word}")'
        c_values = "{" + ", ".join(map(_number, values.reshape(-1))) + "}"
        return python, c_type, (lambda n: [], lambda n: memory), c_values

    def _codes(self, dataset):
        """The same for codes of an enumeration."""
        kind = dataset.id.get_type()
        members = {kind.get_member_name(i).decode(): kind.get_member_value(i)
                   for i in range(kind.get_nmembers())}
        word, file_type, _, c_type = _scalar_type(np.dtype(dataset.dtype.str))
        listed = ", ".join(f'"{name}": {code}' for name, code in members.items())
        python = (f"np.array({dataset[...].tolist()}, "
                  f'h5py.enum_dtype({{{listed}}}, "{word}"))')

        def declare(n):
            lines = [f"hid_t codes{n} = H5Tenum_create({file_type});", f"{c_type} code{n};"]
            for name, code in members.items():
                lines += [f"code{n} = {code};", f'H5Tenum_insert(codes{n}, "{name}", &code{n});']
            return lines
        return (python, c_type, (declare, lambda n: f"codes{n}"),
                "{" + ", ".join(map(str, dataset[...].tolist())) + "}")

    def _labels(self, dataset):
        """The same for texts in UTF-8 that are padded with nulls."""
        kind = dataset.id.get_type()
        if (kind.get_strpad(), kind.get_cset()) != (h5t.STR_NULLPAD, h5t.CSET_UTF8):
            raise Unsupported("texts of another kind")
        size = kind.get_size()
        listed = [_literal(bytes(value)) for value in dataset[...].reshape(-1)]
        python = (f'np.array([{", ".join(listed)}], h5py.string_dtype("utf-8", {size}))'
                  + f".reshape({dataset.shape})" * (dataset.ndim != 1))

        def declare(n):
            return [f"typedef char Text{n}[{size}];", f"hid_t text_type{n} = H5Tcopy(H5T_C_S1);",
                    f"H5Tset_size(text_type{n}, {size});",
                    f"H5Tset_strpad(text_type{n}, H5T_STR_NULLPAD);",
                    f"H5Tset_cset(text_type{n}, H5T_CSET_UTF8);"]
        c = ", ".join("{" + ", ".join(f"'{letter}'".replace("'''", "'\\''")
                                      for letter in literal[2:-1]) + "}" for literal in listed)
        return (python, "Text" + self._next_dataset(peek=True),
                (declare, lambda n: f"text_type{n}"), "{" + c + "}")

    def _dataset(self, change):
        """Recreates a dataset, because its form cannot change. References to it are rewritten, too."""
        path = change.path
        if path in self.opened:
            raise Unsupported("an object in use")
        if change.good.head.startswith("GROUP"):
            self._group(change)
            return
        if not change.good.head.startswith("DATASET"):
            raise Unsupported("no dataset, and no group")
        dataset = self.file[path]
        python, c_type, memory, c_values = self._data(dataset)
        n = self._next_dataset()
        word = "index" if "SEARCH_INDEXES" in path else "labels" if "CATEGORIES" in path else "column"
        while word in self.opened.values():
            word += "_"
        plist = dataset.id.get_create_plist()
        options, c_options = [], []
        if dataset.chunks:
            options.append(f"chunks={dataset.chunks}")
            c_options.append(f"H5Pset_chunk(properties{n}, {len(dataset.chunks)}, "
                             f"(hsize_t[]){{{', '.join(map(str, dataset.chunks))}}});")
        if dataset.maxshape != dataset.shape:
            options.append(f"maxshape={dataset.maxshape}")
        if dataset.compression or dataset.shuffle or dataset.fletcher32:
            raise Unsupported("filters")
        declared = memory[0](n)
        if plist.fill_value_defined() == h5py.h5d.FILL_VALUE_USER_DEFINED:
            py_fill, c_fill = self._fill(dataset.fillvalue, python)
            options.append(f"fillvalue={py_fill}")
            c_options += [f"{c_type} fill{n} = {c_fill};",
                          f"H5Pset_fill_value(properties{n}, {memory[1](n)}, &fill{n});"]
        in_file = dataset.dtype.kind in "bS" or isinstance(dataset.id.get_type(), h5t.TypeEnumID)
        if dataset.dtype.names:
            file_type = self._file_compound(dataset, n)
            file_type, declared = ([*declared, *file_type[0]], file_type[1]), []
        elif in_file:  # the same in the file as in memory
            file_type, declared = (declared, memory[1](n)), []
        else:
            file_type = ([], _scalar_type(dataset.id.get_type().dtype)[1])
        limits = "NULL"
        if dataset.maxshape != dataset.shape:
            limits = "(hsize_t[]){" + ", ".join("H5S_UNLIMITED" if d is None else str(d)
                                              for d in dataset.maxshape) + "}"
        dims = ", ".join(map(str, dataset.shape))
        extra = "".join(", " + option for option in options)
        exists = change.bad is not None
        self.opened[path] = word
        if exists:
            self._tell_of_loss(path)
        self.made.add(
            [*[f'del file["{path}"]'] * exists,
             f'{word} = file.create_dataset("{path}", data={python}{extra})'],
            [*[f'H5Ldelete(file, "{path}", H5P_DEFAULT);'] * exists, *file_type[0],
             f"hid_t properties{n} = H5Pcreate(H5P_DATASET_CREATE);", *c_options,
             f"hid_t shape{n} = H5Screate_simple({len(dataset.shape)}, (hsize_t[]){{{dims}}}, "
             f"{limits});" if dataset.shape else f"hid_t shape{n} = H5Screate(H5S_SCALAR);",
             f'hid_t {word} = H5Dcreate2(file, "{path}", {file_type[1]}, shape{n}, H5P_DEFAULT, '
             f"properties{n}, H5P_DEFAULT);",
             *declared, *_declared(c_type, f"values{n}", c_values),
             f"H5Dwrite({word}, {memory[1](n)}, H5S_ALL, H5S_ALL, H5P_DEFAULT, values{n});"])
        for part in change.good.parts:
            if part.head.startswith("ATTRIBUTE"):
                self._attribute(Change("attribute", path, _name(part.head), part))
        if exists:
            self._renew_references(path)

    @staticmethod
    def _fill(fill, python):
        """Python's and C's literal of a fill value; `python` is that of the values."""
        if isinstance(fill, np.void):
            numbers = [fill[name] for name in fill.dtype.names]
            kind = python[python.index("], [") + 3:-1]
            return (f"np.array(({', '.join(map(_python_number, numbers))}), {kind})",
                    "{" + ", ".join(map(_number, numbers)) + "}")
        if isinstance(fill, bytes):
            return _literal(fill), f'"{_literal(fill)[2:-1]}"'
        if isinstance(fill, (bool, np.bool_)):
            raise Unsupported("a fill value of a boolean")
        return _python_number(fill), _number(fill)

    def _group(self, change):
        """A group with all its contents."""
        path = change.path
        word = "group" + str(sum(each.startswith("group") for each in self.opened.values()) or "")
        self.opened[path] = word
        self.made.add([f'{word} = file.create_group("{path}")'],
                      [f'hid_t {word} = H5Gcreate2(file, "{path}", H5P_DEFAULT, H5P_DEFAULT, '
                       "H5P_DEFAULT);"])
        for part in change.good.parts:
            if part.head.startswith("ATTRIBUTE"):
                self._attribute(Change("attribute", path, _name(part.head), part))
            elif part.is_object:
                self._dataset(Change("dataset", f"{path}/{_name(part.head)}", good=part))

    def _tell_of_loss(self, path):
        self.made.effects.append(
            f"{path} is deleted and rebuilt. Attributes, chunks and filters that the code does "
            "not restore are lost, references to it that the code does not rewrite dangle, "
            "and its old space is free only after h5repack.")

    def _file_compound(self, dataset, n):
        kind, dtype = dataset.id.get_type(), dataset.dtype
        lines = [f"hid_t stored{n} = H5Tcreate(H5T_COMPOUND, {kind.get_size()});"]
        for i, name in enumerate(dtype.names):
            lines.append(f'H5Tinsert(stored{n}, "{name}", {kind.get_member_offset(i)}, '
                         f"{_scalar_type(dtype[name])[1]});")
        return lines, f"stored{n}"

    def _renew_references(self, path):
        for owner, attribute in _attributes(self.tree):
            try:
                referred = targets(attribute) or []
            except Unsupported:
                continue
            if path in referred and owner not in self.to_come:
                self._attribute(Change("attribute", owner, _name(attribute.head), attribute,
                                       attribute))


def _attributes(block, path=""):
    for part in block.parts:
        if part.head.startswith("ATTRIBUTE"):
            yield path, part
        elif part.is_object:
            yield from _attributes(part, f"{path}/{_name(part.head)}")


def _is_scalar(attribute):
    return any(part.head.startswith("DATASPACE") and "SCALAR" in part.head
               for part in attribute.parts)
