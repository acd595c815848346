"""Converts schemas between the tables of Schema.fbs and the notation of the protocol."""
import base64

from flat import Broken

TAGS = ["", "null", "int", "float", "binary", "utf8", "bool", "decimal", "date", "time", "timestamp",
        "interval", "list", "struct", "union", "fixed-size-binary", "fixed-size-list", "map", "duration",
        "large-binary", "large-utf8", "large-list", "run-end-encoded", "binary-view", "utf8-view", "list-view",
        "large-list-view"]
NEWER = TAGS[22:]  # since format 1.5
UNITS, DATES = ["s", "ms", "us", "ns"], ["day", "ms"]
INTERVALS, MODES = ["year-month", "day-time", "month-day-nano"], ["sparse", "dense"]


class Refused(Exception):
    """A type that this program does not read, with its name."""


def text(data):
    """A string of the notation; bytes that are not UTF-8 are marked as bytes."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"bytes": base64.b64encode(data).decode()}


def raw(value):
    """The bytes of a string of the notation."""
    return base64.b64decode(value["bytes"]) if isinstance(value, dict) else value.encode()


def _one_of(names, i, what):
    if not 0 <= i < len(names):
        raise Refused(f"{what} {i}")
    return names[i]


def _int(table):
    return {"class": "int", "bits": table.scalar(0, "i"), "signed": bool(table.scalar(1, "B"))}


def _type(tag, table, children):
    if tag >= len(TAGS) or not tag:
        raise Refused(f"the type {tag}")
    name = TAGS[tag]
    made = {"class": name}
    if name == "int":
        return _int(table)
    if name == "float":
        made["bits"] = 16 << table.scalar(0, "h")
    elif name == "decimal":
        made.update(precision=table.scalar(0, "i"), scale=table.scalar(1, "i"), bits=table.scalar(2, "i", 128))
    elif name == "date":
        made["unit"] = _one_of(DATES, table.scalar(0, "h", 1), "date unit")
    elif name == "time":
        made.update(unit=_one_of(UNITS, table.scalar(0, "h", 1), "time unit"), bits=table.scalar(1, "i", 32))
    elif name == "timestamp":
        zone = table.string(1)
        made.update(unit=_one_of(UNITS, table.scalar(0, "h"), "timestamp unit"), timezone=text(zone) if zone else None)
    elif name == "duration":
        made["unit"] = _one_of(UNITS, table.scalar(0, "h", 1), "duration unit")
    elif name == "interval":
        made["unit"] = _one_of(INTERVALS, table.scalar(0, "h"), "interval unit")
    elif name == "union":
        ids = [id for id, in table.structs(1, "i")]
        made.update(mode=_one_of(MODES, table.scalar(0, "h"), "union mode"), ids=ids or [*range(len(children))])
        if len(made["ids"]) != len(children):
            raise Broken("a union with another number of type ids than of children")
    elif name in ("fixed-size-binary", "fixed-size-list"):
        made["size"] = table.scalar(0, "i")
        if made["size"] < 0:
            raise Broken("a negative size")
    elif name == "map":
        made["sorted"] = bool(table.scalar(0, "B"))
    return made


def metadata(table, i):
    return [[None if part is None else text(part) for part in (pair.string(0), pair.string(1))]
            for pair in table.tables(i)]


def field(table):
    children = [field(child) for child in table.tables(5)]
    name, type = table.string(0), table.table(3)
    if type is None:
        raise Broken("a field without a type")
    made = {"name": None if name is None else text(name), "nullable": bool(table.scalar(1, "B")),
            "type": _type(table.scalar(2, "B"), type, children)}
    if (encoding := table.table(4)) is not None:
        keys = encoding.table(1)
        made["dictionary"] = {"index": _int(keys) if keys else {"class": "int", "bits": 32, "signed": True},
                              "ordered": bool(encoding.scalar(2, "B"))}
        made["id"] = encoding.scalar(0, "q")
    expected = {"list": 1, "large-list": 1, "fixed-size-list": 1, "map": 1, "list-view": 1, "large-list-view": 1,
                "run-end-encoded": 2}.get(made["type"]["class"])
    if expected and len(children) != expected:
        raise Broken(f"{len(children)} children instead of {expected}")
    made["children"] = children
    made["metadata"] = metadata(table, 6)
    return made


# The reverse direction.

def _pairs(pairs):
    return [{i: raw(part) for i, part in enumerate(pair) if part is not None} for pair in pairs]


def _int_table(type):
    return {0: ("i", type["bits"]), 1: ("?", type["signed"])}


def type_table(type):
    name = type["class"]
    if name == "int":
        return _int_table(type)
    if name == "float":
        return {0: ("h", {16: 0, 32: 1, 64: 2}[type["bits"]])}
    if name == "decimal":
        return {0: ("i", type["precision"]), 1: ("i", type["scale"]), 2: ("i", type["bits"])}
    if name == "date":
        return {0: ("h", DATES.index(type["unit"]))}
    if name == "time":
        return {0: ("h", UNITS.index(type["unit"])), 1: ("i", type["bits"])}
    if name == "timestamp":
        zone = {} if type["timezone"] is None else {1: raw(type["timezone"])}
        return {0: ("h", UNITS.index(type["unit"])), **zone}
    if name == "duration":
        return {0: ("h", UNITS.index(type["unit"]))}
    if name == "interval":
        return {0: ("h", INTERVALS.index(type["unit"]))}
    if name == "union":
        return {0: ("h", MODES.index(type["mode"])), 1: ("i", type["ids"])}
    if name in ("fixed-size-binary", "fixed-size-list"):
        return {0: ("i", type["size"])}
    return {0: ("?", type["sorted"])} if name == "map" else {}


def field_table(field):
    """`id` is the id of the dictionary of the field."""
    made = {1: ("?", field["nullable"]), 2: ("B", TAGS.index(field["type"]["class"])),
            3: type_table(field["type"]), 5: [field_table(child) for child in field["children"]]}
    if field["name"] is not None:
        made[0] = raw(field["name"])
    if field.get("dictionary"):
        made[4] = {0: ("q", field["id"]), 1: _int_table(field["dictionary"]["index"]),
                   2: ("?", field["dictionary"]["ordered"])}
    if field.get("metadata"):
        made[6] = _pairs(field["metadata"])
    return made


def schema_table(fields, metadata):
    return {1: [field_table(each) for each in fields], **({2: _pairs(metadata)} if metadata else {})}
