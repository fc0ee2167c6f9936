/** Voice embeddings, which tell speakers apart: not a recognizer, so there is nothing to open. */
import { modelKind } from "../model-kind.js";
import { speakerShapeSchema } from "./shape.js";

export const campplus = modelKind({
	name: "campplus",
	files: ["campplus.onnx"],
	shape: { key: "speaker", schema: speakerShapeSchema },
});
