/** Writes a graph in ONNX Runtime's own format, in which some models are published. Only its npm package can. */
import ort from "onnxruntime-node";

/** Published ones are optimized for any processor, too. */
const graphOptimizationLevel = "extended";

export async function writeOrt(from: string, to: string): Promise<void> {
	const session = await ort.InferenceSession.create(from, {
		graphOptimizationLevel,
		optimizedModelFilePath: to,
		logSeverityLevel: 3,
		extra: { session: { save_model_format: "ORT" } },
	});
	await session.release();
}
