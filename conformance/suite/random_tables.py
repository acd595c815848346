"""Random tables in the notation of the protocol, with list columns, booleans and indexes; no value is one of
the recommended fill values."""

import random
import struct

INDEXES = ["CHUNK_MINMAX", "SORTED_ROWS", "BITMAP"]


def integer(size, signed):
    return {"class": "integer", "size": size, "order": "little", "signed": signed}


TEXT, BOOLEAN, DOUBLE = {"class": "text"}, {"class": "boolean"}, {"class": "float", "size": 8, "order": "little"}
LEAVES = [integer(4, True), integer(8, False), DOUBLE, TEXT]


class Draw:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def table(self):
        """A table and two sets of rows to append to it, each in the order of the columns."""
        columns, kinds = [], [self.kind() for _ in range(self.random.randint(2, 5))]
        counts = [self.random.choice([1, 3, 17, 40]), self.random.randint(1, 9), self.random.randint(1, 9)]
        more = [[], []]
        for number, kind in enumerate(kinds):
            nulls = self.random.random() < 0.5
            pool = [self.value(kind) for _ in range(self.random.randint(1, 8))]
            drawn = [[None if nulls and self.random.random() < 0.2 else self.random.choice(pool)
                      for _ in range(count)] for count in counts]
            # A boolean column is created either with or without support for missing rows.
            if kind == BOOLEAN and None not in drawn[0]:
                drawn = [["0" if value is None else value for value in part] for part in drawn]
            column = {"name": f"c{number}", "type": kind, "values": drawn[0]}
            if kind["class"] == "list":
                column |= self.leaf_fill(kind)
            else:
                column["chunk"] = str(self.random.randint(2, 12))
                column["indexes"] = [each for each in INDEXES if self.random.random() < 0.6]
            if self.random.random() < 0.3:
                column["units"] = "m"
            columns.append(column)
            for rows, part in zip(more, drawn[1:]):
                rows.append({"name": column["name"], "values": part})
        return {"path": self.random.choice(["/t", "/group/table"]), "columns": columns}, more

    def kind(self):
        which = self.random.randrange(8)
        if which < 2:
            return integer(self.random.choice([1, 2, 4, 8]), self.random.random() < 0.5)
        if which == 2:
            return DOUBLE
        if which == 3:
            return {"class": "string", "size": 6, "charset": "utf-8", "padding": "null-pad"}
        if which == 4:
            return BOOLEAN
        kind = self.random.choice(LEAVES)
        for _ in range(self.random.randint(1, 3)):
            kind = {"class": "list", "base": kind}
        return kind

    @staticmethod
    def leaf_fill(kind):
        while kind["class"] == "list":
            kind = kind["base"]
        if kind["class"] == "text":
            return {}
        return {"fill": {"bits": "7ff8000000000000"} if kind["class"] == "float" else "77"}

    def value(self, kind):
        name = kind["class"]
        if name == "list":
            return [None if self.random.random() < 0.15 else self.value(kind["base"])
                    for _ in range(self.random.randint(0, 4))]
        if name == "boolean":
            return self.random.choice(["0", "1"])
        if name == "integer":
            return str(self.random.randint(-60 if kind["signed"] else 0, 60))
        if name == "float":
            number = self.random.choice([0.0, -0.0, 1.5, -2.25, 1e300, float("inf")])
            return {"bits": struct.pack(">d", number).hex()}
        length = self.random.randint(1, 4)
        return "".join(self.random.choice("abcé") for _ in range(length))[:3]
