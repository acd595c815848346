"""A reader of RNTuples that knows what the recipes describe, for the tests of the suite: it refuses broken files."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from file_readers import FileReader, Refused  # noqa: E402

CONTENTS = Path(__file__).parents[3] / "fixtures" / "rntuple" / "contents.json"
RVEC = "invalid/8.3.2/rntuple-map-rvec-name--"  # other names of a type, which a reader understands


def depth(field):
    return 1 + max(map(depth, field["fields"]), default=0)


class Reader(FileReader):
    name = "right reader 1"
    datatypes = ["bool", "char", "byte", "integer", "float", "string", "collection", "optional", "record", "array", "bitset",
                 "variant", "wrapper", "cardinality"]
    features = ["projected"]

    def __init__(self):
        self.known = json.loads(CONTENTS.read_text())

    def ntuples(self, file):
        """The reply for a fixture by its name, as its last description has it: for a broken one, the sound original."""
        made = json.loads(json.dumps(self.known["contents"][self.known["files"][file][-1]]))
        for ntuple in made:
            ntuple["fields"] = [field for field in ntuple["fields"] if "ignored" not in field]
            for field in ntuple["fields"]:
                if "values" not in field:
                    field["refused"] = "it is elsewhere"
                if depth(field) > 50:
                    field.update(refused="it is nested too deeply", fields=None, values=None)
        return made

    def read(self, request):
        file = "/".join(request["file"].split("/")[-3:])
        if file.startswith("invalid/") and not file.startswith(RVEC):
            raise Refused("it is broken")
        return {"ntuples": self.ntuples(file)}


if __name__ == "__main__":
    Reader().serve()
