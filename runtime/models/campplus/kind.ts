import { modelKind } from "../model-kind.js";
import { speakerShapeSchema } from "./shape.js";

export const campplus = modelKind({
	name: "campplus",
	files: ["campplus.onnx"],
	shape: { key: "speaker", schema: speakerShapeSchema },
});
