"""Tests that the table of the protocol (protocol.h), its schema and its documentation name the same members, that
every member and operation has a broken program, and that no program names members that do not exist."""

import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

LINES = subprocess.run([os.environ["MEMBERS"]], capture_output=True, text=True, check=True).stdout.splitlines()
OPERATIONS = {line.split()[1] for line in LINES if line.startswith("operation ")} | {"hello"}
MEMBERS = {line.split()[1]: line.endswith(" people") for line in LINES if line.startswith("member ")}


def of_schema(schema):
    """The members of every definition; those of a request are named after its operation."""
    found, definitions = set(), schema["$defs"]

    def take(name, definition):
        found.update(f"{name}.{member}" for member in definition.get("properties", {}) if member != "op")

    for name, definition in definitions.items():
        if name == "request":
            found.update(f"request.{member}" for member in definition["properties"])
            for one in definition["oneOf"]:
                take(one["properties"]["op"]["const"], one)
        elif name == "predicate":
            for one in (definition, *definition["oneOf"]):
                take(name, one)
        elif name == "value":
            for one in definition["oneOf"]:
                take(name, one)
        else:
            take(name, definition)
    return found


class Protocol(unittest.TestCase):
    def test_the_schema_has_the_members_of_the_table(self):
        schema = json.loads((HERE.parent / "protocol.schema.json").read_text())
        self.assertEqual(of_schema(schema), set(MEMBERS))
        self.assertEqual({one["properties"]["op"]["const"] for one in
                          schema["$defs"]["request"]["oneOf"]}, OPERATIONS)

    def test_documentation_names_every_member(self):
        page = re.sub(r"(?ms)^```.*?^```", "", (HERE.parent / "protocol.md").read_text())
        words = set(re.findall(r"[\w-]+", " ".join(re.findall(r"`[^`]+`|\{[^}]*\}", page))))
        self.assertEqual({member for member in MEMBERS if member.partition(".")[2] not in words}, set())

    def test_committed_tables_match_the_schema(self):
        asked = {member.partition(".")[2] for member in MEMBERS if member.startswith("asked.")}
        table = {member.partition(".")[2] for member in MEMBERS if member.startswith("description.")}
        for entry in json.loads((HERE.parent / "descriptions.json").read_text())["descriptions"]:
            self.assertLessEqual(set(entry["table"]), table, entry["name"])
            for column in entry["table"]["columns"]:  # `recommended` is used only by the suite
                self.assertLessEqual(set(column), asked | {"recommended"}, entry["name"])


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import broken_newer_readers  # noqa: F401 - each fills the list
        import broken_newer_writers  # noqa: F401
        import broken_readers  # noqa: F401
        import broken_replies  # noqa: F401
        import broken_requests  # noqa: F401
        import broken_writers  # noqa: F401
        from broken import BROKEN
        cls.claimed = {member for programs in BROKEN.values() for each in programs.values()
                       for member in each.members}

    def test_every_member_has_a_broken_program(self):
        without = {member for member, people in MEMBERS.items() if not people} - self.claimed
        self.assertEqual(without, set())

    def test_every_operation_has_a_broken_program(self):
        broken = {member.partition(".")[0] for member in self.claimed}
        # The other members of these two only identify the table.
        self.assertEqual(OPERATIONS - broken, set())

    def test_programs_name_existing_members(self):
        self.assertEqual(self.claimed - set(MEMBERS), set())
        self.assertEqual({member for member in self.claimed if MEMBERS[member]}, set())


if __name__ == "__main__":
    unittest.main()
