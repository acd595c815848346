"""Tests that flatc, the tool of the FlatBuffers library, reads the metadata of all valid fixtures correctly,
in every style."""

import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from generators import formats
from generators.arrow.flatbuffers import STRUCTS, Style, flatbuffer
from generators.arrow.format import made_of
from generators.arrow.ipc import File, Message
from generators.arrow.tables import FIELDS, HEADERS, TYPES, Table

FORMAT = formats.find("arrow")
SCHEMA = pathlib.Path(__file__).with_name("metadata.fbs")
MEMBERS = {"FieldNode": ("length", "null_count"), "Buffer": ("offset", "length"),
           "Block": ("offset", "metaDataLength", None, "bodyLength")}
UNIONS = {"type_type": TYPES, "header_type": HEADERS,
          "sparseIndex_type": ["NONE", "SparseTensorIndexCOO", "SparseMatrixIndexCSX",
                               "SparseTensorIndexCSF"]}


def plain(kind, value):
    """A value as flatc writes it in JSON."""
    if isinstance(value, Table):
        return plain_table(value)
    if kind == "string":
        return value if isinstance(value, str) else value.decode()
    if kind.startswith("struct ") or kind in STRUCTS:
        members = MEMBERS[kind.split()[-1]]
        return {name: number for name, number in zip(members, value) if name}
    if kind.startswith("["):
        return [plain(kind[1:-1], each) for each in value]
    return bool(value) if kind == "bool" else int(value)


def plain_table(table):
    """All scalars, with their defaults; other fields if they are present."""
    made = {}
    for name, kind, default in FIELDS[table.kind]:
        value = table.values.get(name, default)
        if value is None:
            continue
        made[name] = UNIONS[name][value] if name in UNIONS else plain(kind, value)
    return made


def read(contents, root):
    """The output of flatc for flatbuffers with this root type."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, content in enumerate(contents):
            paths.append(pathlib.Path(folder) / f"{i}.bin")
            paths[-1].write_bytes(content)
        subprocess.run(["flatc", "--json", "--strict-json", "--defaults-json", "--raw-binary",
                        "--root-type", f"arrow.{root}", "-o", folder, SCHEMA, "--", *paths],
                       check=True, capture_output=True)
        return [json.loads(path.with_suffix(".json").read_text()) for path in paths]


def without_none(found):
    """In the JSON, a union without value has the tag NONE."""
    if isinstance(found, dict):
        return {key: without_none(value) for key, value in found.items() if value != "NONE"}
    return [without_none(each) for each in found] if isinstance(found, list) else found


@unittest.skipUnless(shutil.which("flatc"), "there is no flatc")
class Flatbuffers(unittest.TestCase):
    def compare(self, made, root):
        """[(name, bytes, table)]"""
        found = read([content for _, content, _ in made], root)
        for (name, _, table), document in zip(made, found):
            with self.subTest(name):
                self.assertEqual(without_none(document), plain_table(table))

    def test_valid_fixtures(self):
        messages, footers = [], []
        for recipe in FORMAT.recipes("valid/*"):
            stream = made_of(recipe)
            stream.bytes()
            for message in stream.messages:
                if isinstance(message, Message):
                    _, metadata, _ = message.encoded(stream)
                    messages.append((recipe.path, metadata, message.shown))
            if isinstance(stream, File):
                footers.append((recipe.path, stream._footer(), stream.shown))
        self.assertGreater(len(footers), 50)
        self.compare(messages, "Message")
        self.compare(footers, "Footer")

    def test_each_style(self):
        stream = made_of(next(r for r in FORMAT.recipes("valid/flatbuffers/*--sound.arrow")))
        stream.bytes()
        made = []
        for vtables in ("before", "behind", "shared"):
            for defaults in (False, True):
                for fields in ("width", "id"):
                    for deep in (True, False):
                        for last_first in (True, False):
                            style = Style(vtables, defaults, fields, deep, last_first)
                            for message in stream.messages:
                                content, _ = flatbuffer(message.shown, style)
                                made.append((style, content, message.shown))
        self.assertGreater(len({content for _, content, _ in made}), len(made) // 2)
        self.compare(made, "Message")


if __name__ == "__main__":
    unittest.main()
