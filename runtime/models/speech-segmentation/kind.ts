import { modelKind } from "../model-kind.js";

export const speechSegmentation = modelKind({
	name: "speech-segmentation",
	files: ["segmentation.onnx"],
});
