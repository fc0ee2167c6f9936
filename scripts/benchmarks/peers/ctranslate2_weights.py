"""Reads a CTranslate2 `model.bin`, so that the peers run on the very weights that earshot's own graphs are made from.

Layout, little-endian: u32 version, string spec, u32 revision, u32 count; per variable: string name, u8 rank, u32 dims, u8 type, u32 bytes, data;
then u32 alias count and pairs of strings. A string is u16 length with its NUL.
"""

import struct
from pathlib import Path

import numpy

TYPES = {
    0: numpy.float32,
    1: numpy.int8,
    2: numpy.int16,
    3: numpy.int32,
    4: numpy.float16,
}


def read_weights(path: Path) -> dict[str, numpy.ndarray]:
    """Every variable by name; floating-point ones as float32."""
    content = path.read_bytes()
    at = 0

    def take(layout: str) -> int:
        nonlocal at
        (value,) = struct.unpack_from("<" + layout, content, at)
        at += struct.calcsize("<" + layout)
        return value

    def take_string() -> str:
        nonlocal at
        length = take("H")
        text = content[at : at + length].rstrip(b"\0").decode()
        at += length
        return text

    take("I")
    spec = take_string()
    if spec != "WhisperSpec":
        raise SystemExit(f"{path}: a {spec} model, not Whisper")
    take("I")
    weights = {}
    for _ in range(take("I")):
        name = take_string()
        dims = [take("I") for _ in range(take("B"))]
        kind = TYPES[take("B")]
        size = take("I")
        values = numpy.frombuffer(content, kind, size // numpy.dtype(kind).itemsize, at)
        at += size
        values = values.reshape(dims)
        floating = numpy.issubdtype(kind, numpy.floating)
        weights[name] = values.astype(numpy.float32) if floating else values
    return weights
