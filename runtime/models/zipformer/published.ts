/** A folder of a streaming zipformer as icefall exports it and k2-fsa publishes it. */
import type { GraphMetadata, PublishedFolder } from "../model-kind.js";
import type { transducerFiles } from "../transducer-graphs.js";
import { unitsOf } from "../writing/symbol-table.js";
import type { ZipformerShape } from "./shape.js";

/** `model_type` in the encoder's metadata. */
export const zipformerTypes = ["zipformer", "zipformer2"] as const;

export interface PublishedZipformer {
	readonly shape: ZipformerShape;
	/** Names in the published folder, by name in the package. */
	readonly files: Readonly<Record<(typeof transducerFiles)[number], string>>;
}

export async function readZipformer(
	folder: PublishedFolder,
	encoder: GraphMetadata,
): Promise<PublishedZipformer> {
	// the encoder dominates the cost; an 8-bit decoder saves nothing
	const decoderFile = folder.pick("decoder", "fp32");
	const decoder = await folder.metadata(decoderFile);
	return {
		shape: {
			chunkFrames: encoder.integer("T"),
			hopFrames: encoder.integer("decode_chunk_len"),
			mels: 80,
			contextSize: decoder.integer("context_size"),
			vocabulary: decoder.integer("vocab_size"),
			units: unitsOf(folder.tokens),
		},
		files: {
			"encoder.onnx": folder.pick("encoder", "int8"),
			"decoder.onnx": decoderFile,
			"joiner.onnx": folder.pick("joiner", "int8"),
			"tokens.txt": "tokens.txt",
		},
	};
}
