/** Who speaks when in a recording: not a recognizer, so there is nothing to open. */
import { modelKind } from "../model-kind.js";

export const speechSegmentation = modelKind({
	name: "speech-segmentation",
	files: ["segmentation.onnx"],
});
