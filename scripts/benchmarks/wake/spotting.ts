/** Wake words in audio, as a microphone finds them: voice activity detection, and the spotter in each segment that it finds. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openOnnx } from "../../../drivers/onnx/session.js";
import type {
	KeywordSpotter,
	Spotted,
} from "../../../runtime/models/keyword-spotter.js";
import { loadPackage } from "../../../runtime/models/package/model-package.js";
import { weightsOf } from "../../../runtime/models/second-ear/shape.js";
import { openSecondEar } from "../../../runtime/models/second-ear/syllable-recognizer.js";
import { openSilero } from "../../../runtime/models/silero/detector.js";
import { endpointRules } from "../../../runtime/segmentation/rules.js";
import type { SpeechDetector } from "../../../runtime/segmentation/speech-detector.js";
import { SpeechSegmenter } from "../../../runtime/segmentation/speech-segmenter.js";
import { leadSamples } from "../../../runtime/session/wake-spotter.js";
import { spokenSyllables } from "../../../runtime/text/zh/pinyin.js";
import { modelsWith, secondEarName } from "../second-ear/servers.js";
import { sampleRateHz } from "../wav.js";

const thresholdMin = 0.05;
const pieceSamples = 0.1 * sampleRateHz;

export interface Spotting {
	/** @param threshold low by default: a run says what every higher one would have found. */
	spotterOf(phrases: readonly string[], threshold?: number): KeywordSpotter;
	createDetector(): SpeechDetector;
	/** @param whole without voice activity detection: times are those of the samples. @returns what was found, and seconds of speech that the spotter processed. */
	find(
		spotter: KeywordSpotter,
		samples: Float32Array,
		whole?: boolean,
	): Promise<{ readonly found: readonly Spotted[]; readonly seconds: number }>;
	close(): Promise<void>;
}

/** @param folder of the published model of syllables. */
export async function openSpotting(folder: string): Promise<Spotting> {
	const port = openOnnx();
	const opened = await loadPackage(
		join(await modelsWith(folder), secondEarName),
	);
	const { secondEar: shape } = opened.manifest;
	if (!shape) throw new Error(`${folder} is another model`);
	const secondEar = await openSecondEar(
		port,
		{
			name: secondEarName,
			languages: ["zh-cmn-Hans-CN"],
			weights: weightsOf(shape),
			shape: shape.zipformer,
			encoderPath: opened.path("encoder.onnx"),
			decoderPath: opened.path("decoder.onnx"),
			joinerPath: opened.path("joiner.onnx"),
			tokens: readFileSync(opened.path("tokens.txt"), "utf8"),
		},
		{ threads: 1 },
	);
	const silero = await openSilero(port, "models/silero-vad/silero_vad.onnx");
	return {
		createDetector: () => silero.createDetector(),
		spotterOf: (phrases, threshold = thresholdMin) =>
			secondEar.spotterOf(
				phrases.map((phrase) => ({
					phrase,
					threshold,
					syllables: (spokenSyllables(phrase) ?? []).map(
						({ syllable: base, tone }) => ({ base, tone }),
					),
				})),
			),
		find: async (spotter, samples, whole = false) => {
			if (whole)
				return {
					found: await foundIn(spotter, samples),
					seconds: samples.length / sampleRateHz,
				};
			const rules = endpointRules(800);
			const segmenter = new SpeechSegmenter(silero.createDetector(), rules);
			await segmenter.precompute(samples);
			const events = await segmenter.accept(samples);
			events.push(...(await segmenter.finish()));
			const found: Spotted[] = [];
			let speechSamples = 0;
			for (const event of events) {
				if (event.is !== "end") continue;
				const { startSample, endSample } = event.segment;
				const from = Math.max(0, startSample - leadSamples);
				found.push(
					...(await foundIn(spotter, samples.subarray(from, endSample))),
				);
				speechSamples += endSample - from;
			}
			return { found, seconds: speechSamples / sampleRateHz };
		},
		close: async () => {
			await secondEar.close();
			await silero.close();
		},
	};
}

async function foundIn(
	spotter: KeywordSpotter,
	samples: Float32Array,
): Promise<Spotted[]> {
	const found: Spotted[] = [];
	spotter.begin();
	for (let at = 0; at < samples.length; at += pieceSamples) {
		const piece = samples.subarray(at, at + pieceSamples);
		const spotted = await spotter.accept(piece);
		if (spotted) found.push(spotted);
	}
	const last = await spotter.end();
	if (last) found.push(last);
	return found;
}
