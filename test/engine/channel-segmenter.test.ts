/** A channel resumed in the middle, with the real voice activity model: the passages are the same as without the interruption. */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { openOnnx } from "../../drivers/onnx/session.js";
import { ChannelSegmenter } from "../../runtime/engine/child/channel-segmenter.js";
import type { InferencePort } from "../../runtime/models/inference-port.js";
import { openSilero } from "../../runtime/models/silero/detector.js";
import { SegmentationDetector } from "../../runtime/models/speech-segmentation/detector.js";
import type { SegmentationModel } from "../../runtime/models/speech-segmentation/network.js";
import { MixedDetector } from "../../runtime/segmentation/mixed-detector.js";
import { filePassageRules } from "../../runtime/segmentation/rules.js";
import { SpeechSegmenter } from "../../runtime/segmentation/speech-segmenter.js";
import { computingOnce } from "../whisper/kept-graphs.js";
import { readWav } from "../whisper/packages.js";
import { modelDir, skipped } from "./real-lane.js";

const clips = "test/clips";
/** From here on there is more audio before the resume than the warm-up covers. */
const farSeconds = 250;
const pauseSamples = 16_000;
const pieceSamples = 30_011;

/** Clips one after another, repeated if there are too few. */
function talk(names: readonly string[], seconds: number): Float32Array {
	const samples = new Float32Array(seconds * 16_000);
	const read = names.map((name) => readWav(join(clips, name)));
	for (let i = 0, at = 0; ; i++) {
		const clip = read[i % read.length] as Float32Array;
		if (at + clip.length > samples.length) return samples;
		samples.set(clip, at);
		at += clip.length + pauseSamples;
	}
}

/** Like a network with windows of 10 s: its output at a moment depends on the whole window, and so on where the window begins. */
const byLoudness: SegmentationModel = {
	classesOf: async (samples) => {
		const mean = loudness(samples);
		const classes = new Float32Array(589 * 7);
		for (let i = 0; i < 589; i++) {
			const own = loudness(samples.subarray(i * 270, (i + 1) * 270));
			classes[i * 7] = mean / (mean + own + 1e-9);
		}
		return classes;
	},
	close: async () => {},
};

function loudness(samples: Float32Array): number {
	let sum = 0;
	for (const sample of samples) sum += Math.abs(sample);
	return sum / Math.max(1, samples.length);
}

const port = openOnnx();
/** Much of what the two detectors, and a channel with and without a resume, ask of the graph is the same. */
const portThatComputesOnce: InferencePort = {
	...port,
	open: async (...file) =>
		computingOnce(await port.open(...file), Number.POSITIVE_INFINITY),
};

for (const isMixed of [false, true])
	t.test(
		`passages after a resume are those of the whole${isMixed ? ", by two detectors" : ""}`,
		{ skip: skipped },
		async (t) => {
			const silero = await openSilero(
				portThatComputesOnce,
				join(modelDir, "silero-vad", "silero_vad.onnx"),
			);
			const createDetector = () =>
				isMixed
					? new MixedDetector(
							silero.createDetector(),
							new SegmentationDetector(byLoudness),
							0.4,
						)
					: silero.createDetector();
			const passagesOf = async (samples: Float32Array, sample: number) => {
				const segmenter = new SpeechSegmenter(
					createDetector(),
					filePassageRules(),
				);
				const channel = new ChannelSegmenter(1, segmenter, {
					sample,
					index: 1,
				});
				for (let at = 0; at < samples.length; at += pieceSamples)
					await channel.accept(samples.slice(at, at + pieceSamples));
				await channel.finish();
				return channel.passages.map(
					({ segment: { index, samples, ...rest } }) => ({
						...rest,
						sound: createHash("sha256").update(samples).digest("hex"),
					}),
				);
			};
			const all = readdirSync(clips).filter((it) => it.endsWith(".wav"));
			const read = ["0870", "0880", "0890", "0920", "0930"].map(
				(it) => `en-librivox-${it}.wav`,
			);
			for (const [samples, fromSeconds, stopsMax] of [
				// whether its last window is speech depends on audio forty seconds earlier
				[talk(read, 60), 0, 3],
				// each is four minutes of its own to detect; behind the last one nothing follows
				[talk(all, 320), farSeconds, 2],
			] as const) {
				const whole = await passagesOf(samples, 0);
				const stops = whole
					.filter((it) => it.endSample > fromSeconds * 16_000)
					.slice(-3)
					.slice(0, stopsMax);
				t.ok(stops.length >= stopsMax, `${stops.length} places to go on from`);
				for (const { endSample } of stops) {
					const wanted = whole.filter((it) => it.startSample >= endSample);
					const [first, ...others] = await passagesOf(samples, endSample);
					const [firstWanted, ...othersWanted] = wanted;
					t.same(others, othersWanted, `from ${endSample}`);
					// after a passage that was cut for its length, the next counts as speech from the cut on
					const speechStartSample = Math.max(
						first?.speechStartSample ?? 0,
						firstWanted?.speechStartSample ?? 0,
					);
					t.same(
						first,
						firstWanted && { ...firstWanted, speechStartSample },
						"the first",
					);
				}
			}
			await silero.close();
		},
	);
