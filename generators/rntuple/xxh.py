"""XXH3-64 and XXH64, without a library (xxHash, doc/xxhash_spec.md)."""

_MASK = (1 << 64) - 1
_P32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
_P1, _P2, _P3, _P4, _P5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
                           0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
_MX1, _MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8"
    "fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364ea"
    "c5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b"
    "16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")


def _u32(content, at):
    return int.from_bytes(content[at:at + 4], "little")


def _u64(content, at):
    return int.from_bytes(content[at:at + 8], "little")


def _rotated(value, bits):
    return (value << bits | value >> 64 - bits) & _MASK


def _swapped(value, size=8):
    return int.from_bytes(value.to_bytes(size, "little"), "big")


def _folded(a, b):
    product = a * b
    return (product & _MASK) ^ product >> 64


def _avalanche(value):
    value ^= value >> 37
    value = value * _MX1 & _MASK
    return value ^ value >> 32


def _avalanche64(value):
    value = (value ^ value >> 33) * _P2 & _MASK
    value = (value ^ value >> 29) * _P3 & _MASK
    return value ^ value >> 32


def _mix16(content, at, secret):
    return _folded(_u64(content, at) ^ _u64(SECRET, secret),
                   _u64(content, at + 8) ^ _u64(SECRET, secret + 8))


def _short(content):
    size = len(content)
    if size == 0:
        return _avalanche64(_u64(SECRET, 56) ^ _u64(SECRET, 64))
    if size <= 3:
        combined = (content[0] << 16 | content[size >> 1] << 24 | content[-1] | size << 8)
        return _avalanche64(combined ^ _u32(SECRET, 0) ^ _u32(SECRET, 4))
    if size <= 8:
        value = _u32(content, size - 4) + (_u32(content, 0) << 32)
        value ^= _u64(SECRET, 8) ^ _u64(SECRET, 16)
        value ^= _rotated(value, 49) ^ _rotated(value, 24)
        value = value * _MX2 & _MASK
        value ^= (value >> 35) + size
        value = value * _MX2 & _MASK
        return value ^ value >> 28
    low = _u64(content, 0) ^ _u64(SECRET, 24) ^ _u64(SECRET, 32)
    high = _u64(content, size - 8) ^ _u64(SECRET, 40) ^ _u64(SECRET, 48)
    return _avalanche(size + _swapped(low) + high + _folded(low, high) & _MASK)


def _middle(content):
    size = len(content)
    made = size * _P1 & _MASK
    if size <= 128:
        for i in reversed(range((size - 1) // 32 + 1)):
            made += _mix16(content, 16 * i, 32 * i)
            made += _mix16(content, size - 16 * (i + 1), 32 * i + 16)
        return _avalanche(made & _MASK)
    for i in range(8):
        made += _mix16(content, 16 * i, 16 * i)
    made = _avalanche(made & _MASK)
    for i in range(8, size // 16):
        made += _mix16(content, 16 * i, 16 * (i - 8) + 3)
    return _avalanche(made + _mix16(content, size - 16, 136 - 17) & _MASK)


def _long(content):
    lanes = [_P32[2], _P1, _P2, _P3, _P4, _P32[1], _P5, _P32[0]]

    def accumulate(at, secret):
        for i in range(8):
            value = _u64(content, at + 8 * i)
            key = value ^ _u64(SECRET, secret + 8 * i)
            lanes[i ^ 1] = lanes[i ^ 1] + value & _MASK
            lanes[i] = lanes[i] + (key & 0xFFFFFFFF) * (key >> 32) & _MASK

    stripes = (len(SECRET) - 64) // 8
    block, size = 64 * stripes, len(content)
    for start in range(0, (size - 1) // block * block, block):
        for i in range(stripes):
            accumulate(start + 64 * i, 8 * i)
        for i in range(8):
            value = lanes[i] ^ lanes[i] >> 47 ^ _u64(SECRET, len(SECRET) - 64 + 8 * i)
            lanes[i] = value * _P32[0] & _MASK
    start = (size - 1) // block * block
    for i in range((size - 1 - start) // 64):
        accumulate(start + 64 * i, 8 * i)
    accumulate(size - 64, len(SECRET) - 64 - 7)
    made = size * _P1 & _MASK
    for i in range(4):
        made += _folded(lanes[2 * i] ^ _u64(SECRET, 11 + 16 * i),
                        lanes[2 * i + 1] ^ _u64(SECRET, 19 + 16 * i))
    return _avalanche(made & _MASK)


def xxh3(content):
    content = bytes(content)
    return (_short if len(content) <= 16 else _middle if len(content) <= 240 else _long)(content)


def xxh64(content, seed=0):
    content, at, size = bytes(content), 0, len(content)

    def rounded(lane, value):
        return _rotated(lane + value * _P2 & _MASK, 31) * _P1 & _MASK

    if size >= 32:
        lanes = [seed + _P1 + _P2 & _MASK, seed + _P2 & _MASK, seed, seed - _P1 & _MASK]
        while at + 32 <= size:
            lanes = [rounded(lane, _u64(content, at + 8 * i)) for i, lane in enumerate(lanes)]
            at += 32
        made = sum(_rotated(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & _MASK
        for lane in lanes:
            made = (made ^ rounded(0, lane)) * _P1 + _P4 & _MASK
    else:
        made = seed + _P5 & _MASK
    made = made + size & _MASK
    while at + 8 <= size:
        made = _rotated(made ^ rounded(0, _u64(content, at)), 27) * _P1 + _P4 & _MASK
        at += 8
    if at + 4 <= size:
        made = _rotated(made ^ _u32(content, at) * _P1 & _MASK, 23) * _P2 + _P3 & _MASK
        at += 4
    for byte in content[at:]:
        made = _rotated(made ^ byte * _P5 & _MASK, 11) * _P1 & _MASK
    return _avalanche64(made)
