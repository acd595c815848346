"""What the descriptions of contents of all formats share: names, and the file contents.json."""

import base64
import json


def text(data):
    """A name or a text; {"bytes"} if it is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return raw(data)


def raw(data):
    return {"bytes": base64.b64encode(data).decode()}


def numbered(table, value):
    """The number of a value in a table of JSON texts, to which it is added."""
    return table.setdefault(json.dumps(value, separators=(",", ":")), len(table))


def document(tables, files):
    """`tables`: by their names; `files`: for each file, what it has of them."""
    lines = "".join('"{}":[\n{}],\n'.format(name, ",\n".join(table)) for name, table in tables.items())
    listed = ",\n".join(f"{json.dumps(path)}:{json.dumps(numbers, separators=(',', ':'))}" for path, numbers in files.items())
    return f'{{"schema":1,\n{lines}"files":{{\n{listed}}}}}\n'


def main(format, path, made, arguments):
    """Writes what was made, or with --check compares it with the file."""
    if arguments == ["--check"]:
        if path.exists() and path.read_text() == made:
            return 0
        print(f"{path.name} differs from what the recipes describe: python3 -m generators.{format}.contents writes it")
        return 1
    path.write_text(made)
    return 0
