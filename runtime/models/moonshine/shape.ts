/** What the manifest of a Moonshine says of its graphs; everything else is in the graphs. */
import { type Static, Type } from "@sinclair/typebox";

export const moonshineShapeSchema = Type.Object({
	/** `split`: two decoders, for the first token and for the others. `merged`: one for both. */
	decoders: Type.Union([Type.Literal("split"), Type.Literal("merged")]),
	/** Of the graphs: ONNX, or ONNX Runtime's own format. */
	format: Type.Union([Type.Literal("onnx"), Type.Literal("ort")]),
});

export type MoonshineShape = Static<typeof moonshineShapeSchema>;
