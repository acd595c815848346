"""A reader of HDF5 files that knows what the recipes describe, for the tests of the suite: it refuses broken files."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from file_readers import FileReader, Refused  # noqa: E402

CONTENTS = Path(__file__).parents[3] / "fixtures" / "hdf5" / "contents.json"


def without_damage(value):
    """Null for what the file has lost."""
    if isinstance(value, dict):
        return None if "damaged" in value else {key: without_damage(each) for key, each in value.items()}
    return [without_damage(each) for each in value] if isinstance(value, list) else value


class Reader(FileReader):
    name = "right reader 1"
    datatypes = ["integer", "other-integer", "float", "other-float", "string", "vlen-string", "enum", "opaque", "bitfield",
                 "time", "compound", "array", "vlen", "reference"]
    features = ["attributes", "committed-types"]

    def __init__(self):
        self.known = json.loads(CONTENTS.read_text())

    def objects(self, file):
        """The reply for a fixture by its name, as its last description has it: for a broken one, the sound original."""
        numbers = self.known["contents"][self.known["files"][file][-1]]
        found = [without_damage(self.known["objects"][number]) for number in numbers]
        listed, waiting = {}, [(0, [])]
        while waiting:
            number, path = waiting.pop(0)
            if number in listed:
                continue
            entry = listed[number] = {"path": path, **found[number]}
            links = entry.get("links") or []
            if entry["kind"] == "group":
                entry["links"] = [name for name, _ in links]
            waiting += [(target, path + [name]) for name, target in links if target is not None]
        return list(listed.values())

    def read(self, request):
        file = "/".join(request["file"].split("/")[-3:])
        if file.startswith("invalid/"):
            raise Refused("it is broken")
        return {"objects": self.objects(file)}


if __name__ == "__main__":
    Reader().serve()
