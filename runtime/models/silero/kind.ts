/** Voice activity: not a recognizer, so there is nothing to open. */
import { modelKind } from "../model-kind.js";

export const silero = modelKind({
	name: "silero-vad",
	files: ["silero_vad.onnx"],
});
