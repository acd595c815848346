"""The two checksums of the HDF5 container, written from their definitions."""


def lookup3(data, initial=0):
    """Jenkins' hashlittle: the checksum of metadata blocks, and the hash of names."""
    mask = 0xFFFFFFFF

    def rotated(x, k):
        return (x << k | x >> 32 - k) & mask

    a = b = c = 0xDEADBEEF + len(data) + initial & mask
    at = 0
    while len(data) - at > 12:
        a = a + int.from_bytes(data[at:at + 4], "little") & mask
        b = b + int.from_bytes(data[at + 4:at + 8], "little") & mask
        c = c + int.from_bytes(data[at + 8:at + 12], "little") & mask
        a, c = (a - c ^ rotated(c, 4)) & mask, c + b & mask
        b, a = (b - a ^ rotated(a, 6)) & mask, a + c & mask
        c, b = (c - b ^ rotated(b, 8)) & mask, b + a & mask
        a, c = (a - c ^ rotated(c, 16)) & mask, c + b & mask
        b, a = (b - a ^ rotated(a, 19)) & mask, a + c & mask
        c, b = (c - b ^ rotated(b, 4)) & mask, b + a & mask
        at += 12
    if at == len(data):
        return c
    a = a + int.from_bytes(data[at:at + 4], "little") & mask
    b = b + int.from_bytes(data[at + 4:at + 8], "little") & mask
    c = c + int.from_bytes(data[at + 8:at + 12], "little") & mask
    c = (c ^ b) - rotated(b, 14) & mask
    a = (a ^ c) - rotated(c, 11) & mask
    b = (b ^ a) - rotated(a, 25) & mask
    c = (c ^ b) - rotated(b, 16) & mask
    a = (a ^ c) - rotated(c, 4) & mask
    b = (b ^ a) - rotated(a, 14) & mask
    c = (c ^ b) - rotated(b, 24) & mask
    return c


def fletcher32(data):
    """The checksum of a chunk: over big-endian 16-bit words, with an odd byte as the high byte."""
    low = high = 0
    for at in range(0, len(data), 2):
        word = data[at] << 8 | (data[at + 1] if at + 1 < len(data) else 0)
        low = (low + word) % 65535
        high = (high + low) % 65535
    # A nonzero sum that is a multiple of 65535 remains 65535, because sums are folded, not
    # divided.
    anything = any(data)
    return (high or anything and 65535) << 16 | (low or anything and 65535)
