"""What the filters of a pipeline make of bytes."""

import zlib

from .checksums import fletcher32
from .messages import DEFLATE, FLETCHER32, SHUFFLE, Filter


def encoded(content, pipeline, mask, element_size):
    for number, each in enumerate(pipeline):
        if mask >> number & 1:
            continue
        if each.number == SHUFFLE:
            whole = len(content) // element_size * element_size
            content = b"".join(content[i:whole:element_size] for i in range(element_size)) \
                + content[whole:]
        elif each.number == DEFLATE:
            content = zlib.compress(content, each.values[0] if each.values else 6)
        elif each.number == FLETCHER32:
            content += fletcher32(content).to_bytes(4, "little")
    return content


def gzip(level=6):
    return Filter(DEFLATE, (level,))


def shuffle(element_size=4):
    return Filter(SHUFFLE, (element_size,))


def with_fletcher32():
    return Filter(FLETCHER32)
