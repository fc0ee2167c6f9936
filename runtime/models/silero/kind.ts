import { modelKind } from "../model-kind.js";

export const silero = modelKind({
	name: "silero-vad",
	files: ["silero_vad.onnx"],
});
