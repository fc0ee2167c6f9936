/**
 * One side of the comparison, in a process of its own. Speaks the worker protocol; the answers also have the memory of the process.
 * Usage: worker.js earshot|sherpa-onnx-node KIND FOLDER THREADS
 */
import { openPublished } from "../../../test/kinds/models.js";
import { readWav, toFloat } from "../wav.js";
import { answerRequests, type WorkerAnswer } from "../worker-protocol.js";
import { type MeasuredKind, measuredKinds } from "./models.js";
import { decodeWithSherpa, openSherpa } from "./sherpa.js";

export interface KindAnswer extends WorkerAnswer {
	/** Resident memory of the process, bytes. */
	readonly rss: number;
}

type Recognize = (samples: Float32Array) => Promise<string>;

const beamUsual = 5;

async function earshot(
	{ beam = beamUsual, peer }: MeasuredKind,
	folder: string,
	threads: number,
): Promise<Recognize> {
	const recognizer = await openPublished(folder, undefined, threads);
	const [first = "en-US"] = recognizer.languages;
	// the one that sherpa-onnx is given
	const language = peer.more?.language === "en" ? "en-US" : first;
	return async (samples) => {
		const found = await recognizer.recognize({
			samples,
			language,
			beam,
			punctuation: true,
			words: false,
		});
		if (found === "cancelled") throw new Error(found);
		return found.text;
	};
}

function sherpa(
	{ peer, beam = 1 }: MeasuredKind,
	folder: string,
	threads: number,
): Recognize {
	const recognizer = openSherpa(peer, folder, { threads, beam });
	return async (samples) =>
		decodeWithSherpa(recognizer, peer, samples, samples.length).text;
}

const [side = "", name, folder = "", threads = "2"] = process.argv.slice(2);
const kind = measuredKinds.find((it) => it.name === name);
if (!kind) throw new Error(`${name} is none of the measured kinds`);
const recognize =
	side === "earshot"
		? await earshot(kind, folder, Number(threads))
		: sherpa(kind, folder, Number(threads));

await answerRequests(side, async ({ path }): Promise<KindAnswer> => {
	const samples = toFloat(readWav(path));
	const since = performance.now();
	const text = await recognize(samples);
	const seconds = (performance.now() - since) / 1000;
	return { text, seconds, rss: process.memoryUsage.rss() };
});
