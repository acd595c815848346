"""Changes that recipes make, as functions of the file."""


def put(fields):
    """Stores other values in fields: {"attr 0.order": 3}."""
    def change(f):
        for name, value in fields.items():
            f[name] = value
    return change


def drop(*names):
    def change(f):
        for name in names:
            del f[name]
    return change


def before(name, content):
    return lambda f: f.before(name, content)


def cut(name, inside=0):
    return lambda f: f.cut(name, inside)


def tail(content):
    def change(f):
        f.tail = content
    return change


def tile(**values):
    def change(f):
        for name, value in values.items():
            setattr(f.tile, name, value)
    return change


def chunk(change_one, index=0, **values):
    """Changes a chunk before it is written, and then values of the tile."""
    def change(f):
        f.tile.change = lambda chunks: change_one(chunks[index])
        tile(**values)(f)
    return change


def other(make):
    """Another file instead."""
    return lambda f: make()


def patch(change_bytes):
    """Changes the bytes of the whole file."""
    return lambda f: f.patches.append(change_bytes)


def all_of(*changes):
    def change(f):
        for each in changes:
            each(f)
    return change


def nothing(f):
    return None
