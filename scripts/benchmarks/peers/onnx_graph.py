"""A small notebook for writing an ONNX graph node by node: names its own values, keeps the weights."""

import numpy
from onnx import TensorProto, helper, numpy_helper, save


class Graph:
    def __init__(self) -> None:
        self.nodes = []
        self.initializers = []
        self.constants = {}

    def weight(self, name: str, values: numpy.ndarray) -> str:
        values = numpy.asarray(values, order="C")
        self.initializers.append(numpy_helper.from_array(values, name))
        return name

    def integers(self, *values: int) -> str:
        """A 1-D int64 constant, stored once."""
        if values not in self.constants:
            name = "int_" + "_".join(str(value) for value in values)
            self.constants[values] = self.weight(name, numpy.array(values, numpy.int64))
        return self.constants[values]

    def node(self, kind: str, *inputs: str, out: str | None = None, **attributes) -> str:
        out = out or f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [out], name=f"node_{out}", **attributes))
        return out

    def linear(self, name: str, value: str, weight: numpy.ndarray, bias: numpy.ndarray | None) -> str:
        """value [.., in] times weight [out, in], plus bias [out]."""
        product = self.node("MatMul", value, self.weight(f"{name}.weight", weight.T))
        if bias is None:
            return product
        return self.node("Add", product, self.weight(f"{name}.bias", bias))

    def layer_norm(self, name: str, value: str, gamma: numpy.ndarray, beta: numpy.ndarray) -> str:
        scale, shift = self.weight(f"{name}.gamma", gamma), self.weight(f"{name}.beta", beta)
        return self.node("LayerNormalization", value, scale, shift, axis=-1, epsilon=1e-5)

    def gelu(self, value: str) -> str:
        """The exact one, in the pieces that ONNX Runtime fuses on loading."""
        root, one, half = (self.scalar(number) for number in (2**0.5, 1.0, 0.5))
        error = self.node("Erf", self.node("Div", value, root))
        product = self.node("Mul", value, self.node("Add", error, one))
        return self.node("Mul", product, half)

    def scalar(self, value: float) -> str:
        key = ("scalar", value)
        if key not in self.constants:
            name = f"scalar_{len(self.constants)}"
            self.constants[key] = self.weight(name, numpy.array(value, numpy.float32))
        return self.constants[key]

    def save(self, path, inputs, outputs, metadata: dict[str, object]) -> None:
        """inputs, outputs: name -> (int64 or float, dims, where text names a free dimension)."""

        def declare(values):
            kinds = {"int64": TensorProto.INT64, "float": TensorProto.FLOAT}
            return [helper.make_tensor_value_info(name, kinds[kind], dims) for name, (kind, dims) in values.items()]

        graph = helper.make_graph(self.nodes, "whisper", declare(inputs), declare(outputs), self.initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        helper.set_model_props(model, {key: str(value) for key, value in metadata.items()})
        save(model, path)
