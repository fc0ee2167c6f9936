"""Writes whisper weights as the graphs that sherpa-onnx runs: encoder, decoder (both int8 the way its project publishes them) and tokens.txt.

    export_sherpa_whisper.py CTRANSLATE2_DIRECTORY OUTPUT_DIRECTORY

Names, shapes and metadata are sherpa-onnx's: the encoder takes mel [N,80,T] of any T up to 3000 and gives n_layer_cross_k and _v [layers,N,T/2,state];
the decoder takes tokens [N,L], both self caches [layers,N,448,state], both cross tensors and offset [1], and gives logits [N,L,V] and the caches.
As published, the output projection stays in float32 and the other products are int8 (decoder.int8.onnx); decoder.all-int8.onnx has that one in
int8 as well, to see how much of the peer's time is owed to it.
"""

import base64
import json
import sys
from pathlib import Path

import numpy
from ctranslate2_weights import read_weights
from onnx_graph import Graph
from onnxruntime.quantization import QuantType, quantize_dynamic


class Shape:
    def __init__(self, weights: dict[str, numpy.ndarray]) -> None:
        self.audio_context, self.state = weights["encoder/position_encodings/encodings"].shape
        self.text_context = weights["decoder/position_encodings/encodings"].shape[0]
        self.vocabulary = weights["decoder/embeddings/weight"].shape[0]
        self.mels = weights["encoder/conv1/weight"].shape[1]
        self.heads = int(weights["encoder/num_heads"])
        self.encoder_layers = count_layers(weights, "encoder")
        self.decoder_layers = count_layers(weights, "decoder")


def count_layers(weights: dict[str, numpy.ndarray], side: str) -> int:
    return len({name.split("/")[1] for name in weights if name.startswith(f"{side}/layer_")} - {"layer_norm"})


class Writer:
    """One of the two graphs over one set of weights."""

    def __init__(self, weights: dict[str, numpy.ndarray], shape: Shape) -> None:
        self.weights = weights
        self.shape = shape
        self.graph = Graph()

    def norm(self, name: str, value: str) -> str:
        return self.graph.layer_norm(name, value, self.weights[f"{name}/gamma"], self.weights[f"{name}/beta"])

    def linear(self, name: str, value: str) -> str:
        return self.graph.linear(name, value, self.weights[f"{name}/weight"], self.weights[f"{name}/bias"])

    def part(self, name: str, label: str, value: str, part: int, parts: int) -> str:
        """One of the projections that CTranslate2 keeps fused; keys have no bias in Whisper."""
        weight = numpy.split(self.weights[f"{name}/weight"], parts)[part]
        bias = numpy.split(self.weights[f"{name}/bias"], parts)[part]
        return self.graph.linear(f"{name}.{label}", value, weight, None if label == "key" else bias)

    def feed_forward(self, name: str, value: str) -> str:
        graph = self.graph
        hidden = self.linear(f"{name}/linear_0", self.norm(f"{name}/layer_norm", value))
        return graph.node("Add", value, self.linear(f"{name}/linear_1", graph.gelu(hidden)))

    def attend(self, query: str, key: str, value: str, mask: str | None = None) -> str:
        """query [N,L,state], key and value [N,S,state] -> [N,L,state]."""
        graph, heads = self.graph, self.shape.heads
        width = self.shape.state // heads
        split = graph.integers(0, 0, heads, width)
        query = graph.node("Mul", query, graph.scalar(width**-0.5))
        query = graph.node("Transpose", graph.node("Reshape", query, split), perm=[0, 2, 1, 3])
        key = graph.node("Transpose", graph.node("Reshape", key, split), perm=[0, 2, 3, 1])
        value = graph.node("Transpose", graph.node("Reshape", value, split), perm=[0, 2, 1, 3])
        scores = graph.node("MatMul", query, key)
        if mask:
            scores = graph.node("Add", scores, mask)
        mixed = graph.node("MatMul", graph.node("Softmax", scores, axis=-1), value)
        mixed = graph.node("Transpose", mixed, perm=[0, 2, 1, 3])
        return graph.node("Reshape", mixed, graph.integers(0, 0, self.shape.state))


def write_encoder(weights, shape: Shape, path: Path, metadata) -> None:
    writer = Writer(weights, shape)
    graph = writer.graph
    value = "mel"
    for name, stride in (("conv1", 1), ("conv2", 2)):
        kernel = graph.weight(f"{name}.weight", weights[f"encoder/{name}/weight"])
        bias = graph.weight(f"{name}.bias", weights[f"encoder/{name}/bias"])
        value = graph.gelu(graph.node("Conv", value, kernel, bias, kernel_shape=[3], pads=[1, 1], strides=[stride]))
    value = graph.node("Transpose", value, perm=[0, 2, 1])
    positions = graph.weight("positions", weights["encoder/position_encodings/encodings"])
    length = graph.node("Slice", graph.node("Shape", value), graph.integers(1), graph.integers(2))
    value = graph.node("Add", value, graph.node("Slice", positions, graph.integers(0), length, graph.integers(0)))
    for layer in range(shape.encoder_layers):
        name = f"encoder/layer_{layer}"
        normal = writer.norm(f"{name}/self_attention/layer_norm", value)
        fused = f"{name}/self_attention/linear_0"
        parts = [writer.part(fused, label, normal, index, 3) for index, label in enumerate(("query", "key", "value"))]
        mixed = writer.linear(f"{name}/self_attention/linear_1", writer.attend(*parts))
        value = writer.feed_forward(f"{name}/ffn", graph.node("Add", value, mixed))
    value = writer.norm("encoder/layer_norm", value)
    for index, label in enumerate(("key", "value")):
        layers = []
        for layer in range(shape.decoder_layers):
            part = writer.part(f"decoder/layer_{layer}/attention/linear_1", label, value, index, 2)
            layers.append(graph.node("Unsqueeze", part, graph.integers(0)))
        graph.node("Concat", *layers, axis=0, out=f"n_layer_cross_{label[0]}")
    cross = ("float", [shape.decoder_layers, "N", "S", shape.state])
    outputs = {"n_layer_cross_k": cross, "n_layer_cross_v": cross}
    graph.save(path, {"mel": ("float", ["N", shape.mels, "T"])}, outputs, metadata)


def write_decoder(weights, shape: Shape, path: Path, projection_to_int8: bool) -> None:
    writer = Writer(weights, shape)
    graph = writer.graph
    first, axis1 = graph.integers(0), graph.integers(1)
    length = graph.node("Slice", graph.node("Shape", "tokens"), axis1, graph.integers(2))
    end = graph.node("Add", "offset", length)
    embedding = graph.weight("embedding", weights["decoder/embeddings/weight"])
    positions = graph.weight("positions", weights["decoder/position_encodings/encodings"])
    position = graph.node("Slice", positions, "offset", end, first)
    value = graph.node("Add", graph.node("Gather", embedding, "tokens", axis=0), position)
    context = shape.text_context
    causal = graph.weight("causal", numpy.triu(numpy.full((context, context), -numpy.inf, numpy.float32), 1))
    mask = graph.node("Slice", graph.node("Slice", causal, "offset", end, first), first, end, axis1)

    def extend(kind: str, layer: int, fresh: str) -> tuple[str, str]:
        """The layer's past with the new entries: as far as it is filled, and the whole cache."""
        index = graph.weight(f"layer_{kind}_{layer}", numpy.array(layer, numpy.int64))
        cache = graph.node("Gather", f"in_n_layer_self_{kind}_cache", index, axis=0)
        filled = graph.node("Concat", graph.node("Slice", cache, first, "offset", axis1), fresh, axis=1)
        rest = graph.node("Slice", cache, end, graph.integers(context), axis1)
        return filled, graph.node("Unsqueeze", graph.node("Concat", filled, rest, axis=1), first)

    caches = {"k": [], "v": []}
    for layer in range(shape.decoder_layers):
        name = f"decoder/layer_{layer}"
        normal = writer.norm(f"{name}/self_attention/layer_norm", value)
        fused = f"{name}/self_attention/linear_0"
        query, key, fresh = (writer.part(fused, label, normal, i, 3) for i, label in enumerate(("query", "key", "value")))
        keys, whole_keys = extend("k", layer, key)
        values, whole_values = extend("v", layer, fresh)
        caches["k"].append(whole_keys)
        caches["v"].append(whole_values)
        mixed = writer.linear(f"{name}/self_attention/linear_1", writer.attend(query, keys, values, mask))
        value = graph.node("Add", value, mixed)
        query = writer.linear(f"{name}/attention/linear_0", writer.norm(f"{name}/attention/layer_norm", value))
        index = graph.weight(f"layer_cross_{layer}", numpy.array(layer, numpy.int64))
        cross = [graph.node("Gather", f"n_layer_cross_{kind}", index, axis=0) for kind in "kv"]
        mixed = writer.linear(f"{name}/attention/linear_2", writer.attend(query, *cross))
        value = writer.feed_forward(f"{name}/ffn", graph.node("Add", value, mixed))
    value = writer.norm("decoder/layer_norm", value)
    if projection_to_int8:
        graph.node("MatMul", value, graph.weight("projection", weights["decoder/embeddings/weight"].T), out="logits")
    else:  # only products with a constant on the right are quantized
        value = graph.node("Transpose", value, perm=[0, 2, 1])
        graph.node("Transpose", graph.node("MatMul", embedding, value), perm=[0, 2, 1], out="logits")
    for kind, layers in caches.items():
        graph.node("Concat", *layers, axis=0, out=f"out_n_layer_self_{kind}_cache")
    cache = ("float", [shape.decoder_layers, "N", context, shape.state])
    cross = ("float", [shape.decoder_layers, "N", "S", shape.state])
    graph.save(
        path,
        {
            "tokens": ("int64", ["N", "L"]),
            "in_n_layer_self_k_cache": cache,
            "in_n_layer_self_v_cache": cache,
            "n_layer_cross_k": cross,
            "n_layer_cross_v": cross,
            "offset": ("int64", [1]),
        },
        {
            "logits": ("float", ["N", "L", shape.vocabulary]),
            "out_n_layer_self_k_cache": cache,
            "out_n_layer_self_v_cache": cache,
        },
        {},
    )


def special_tokens(vocabulary: list[str], shape: Shape) -> dict[str, object]:
    """What sherpa-onnx reads from the encoder's metadata."""
    at = {token: index for index, token in enumerate(vocabulary)}
    start, transcribe = at["<|startoftranscript|>"], at["<|transcribe|>"]
    languages = range(start + 1, at["<|translate|>"])
    return {
        "model_type": "whisper",
        "version": 1,
        "n_mels": shape.mels,
        "n_audio_ctx": shape.audio_context,
        "n_audio_state": shape.state,
        "n_audio_head": shape.heads,
        "n_audio_layer": shape.encoder_layers,
        "n_vocab": shape.vocabulary,
        "n_text_ctx": shape.text_context,
        "n_text_state": shape.state,
        "n_text_head": shape.heads,
        "n_text_layer": shape.decoder_layers,
        "sot_sequence": f"{start},{at['<|en|>']},{transcribe}",
        "all_language_tokens": ",".join(str(index) for index in languages),
        "all_language_codes": ",".join(vocabulary[index].strip("<|>") for index in languages),
        "sot": start,
        "sot_index": 0,
        "eot": at["<|endoftext|>"],
        "blank_id": at["Ġ"],
        "is_multilingual": 1,
        "no_speech": transcribe + 3,
        "transcribe": transcribe,
        "translate": at["<|translate|>"],
        "sot_lm": transcribe + 1,
        "sot_prev": transcribe + 2,
        "no_timestamps": at["<|notimestamps|>"],
    }


def printable_bytes() -> dict[str, int]:
    """GPT-2's stand-ins: bytes that don't print are written as the characters from U+0100 on."""
    shown = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return {chr(byte): byte for byte in shown} | {chr(256 + index): byte for index, byte in enumerate(hidden)}


def write_tokens(vocabulary: list[str], end_of_text: int, target: Path) -> None:
    """tokens.txt as published, and tokens-hex.txt, in which a token's text is its bytes in hexadecimal.

    sherpa-onnx 1.13.8 drops what is not valid UTF-8 from each token before it joins them (its issue 3964), and so loses each character that
    Whisper spells with two tokens: most rare Chinese ones. From hexadecimal its true answer can be put together.
    """
    stand_ins = printable_bytes()
    with (target / "tokens.txt").open("w") as published, (target / "tokens-hex.txt").open("w") as hexadecimal:
        for index, token in enumerate(vocabulary[:end_of_text]):
            content = bytes(stand_ins[character] for character in token)
            # the empty token stands in the published list as a lone "=": a line needs two fields
            published.write(f"{base64.b64encode(content).decode() or '='} {index}\n")
            hexadecimal.write(f"{base64.b64encode(content.hex().encode()).decode() or '='} {index}\n")


def main(source: Path, target: Path) -> None:
    weights = read_weights(source / "model.bin")
    vocabulary = json.loads((source / "vocabulary.json").read_text())
    shape = Shape(weights)
    metadata = special_tokens(vocabulary, shape)
    target.mkdir(parents=True, exist_ok=True)
    write_tokens(vocabulary, metadata["eot"], target)
    write_encoder(weights, shape, target / "encoder.onnx", metadata)
    quantize(target / "encoder.onnx", target / "encoder.int8.onnx")
    for name, projection_to_int8 in (("decoder.int8.onnx", False), ("decoder.all-int8.onnx", True)):
        write_decoder(weights, shape, target / "decoder.onnx", projection_to_int8)
        quantize(target / "decoder.onnx", target / name)


def quantize(source: Path, target: Path) -> None:
    """The way sherpa-onnx's project does it. The float32 graph is removed."""
    quantize_dynamic(source, target, op_types_to_quantize=["MatMul"], weight_type=QuantType.QInt8)
    source.unlink()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
