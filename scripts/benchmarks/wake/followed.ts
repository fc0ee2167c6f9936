/** Calls by themselves, cut out of clips, and another clip as the command that follows: in the same breath, or after a pause. */
import { endpointRules } from "../../../runtime/segmentation/rules.js";
import { SampleHistory } from "../../../runtime/segmentation/sample-history.js";
import { SpeechSegmenter } from "../../../runtime/segmentation/speech-segmenter.js";
import { endOfWakeWord } from "../../../runtime/session/wake-cut.js";
import { WakeGate } from "../../../runtime/session/wake-gate.js";
import { fromAfar } from "../joined/degraded.js";
import { sampleRateHz } from "../wav.js";
import type { Spotting } from "./spotting.js";

const quietSeconds = 1.5;
const commandSeconds = 3;
/** Of the silence: -74 dBFS, in a room of its own noise more. */
const quietLevel = 2e-4;
const windowSamples = 512;
const fadeSamples = 0.02 * sampleRateHz;
/** A command counts as passed if so much of it is. */
const commandSamplesMin = 0.5 * sampleRateHz;

export interface CallSource {
	readonly phrase: string;
	/** Begins with the call, or has it somewhere. */
	readonly samples: Float32Array;
}

export interface Followed {
	readonly calls: number;
	readonly woken: number;
	/** The command passed. */
	readonly commands: number;
	/** From the end of the call to the event, ms; sorted. */
	readonly delaysMs: readonly number[];
}

/** @param snrDb from a distance, with so much noise; undefined: clean. */
export async function measureFollowed(
	spotting: Spotting,
	sources: readonly CallSource[],
	pauseSeconds: number,
	snrDb: number | undefined,
	threshold: number,
): Promise<Followed> {
	let [calls, woken, commands] = [0, 0, 0];
	const delaysMs: number[] = [];
	for (const [i, { phrase, samples }] of sources.entries()) {
		const call = await callIn(spotting, phrase, samples);
		const other = sources[(i + 5) % sources.length];
		if (!call || !other) continue;
		calls++;
		const command = spokenPart(other.samples);
		const dry = joined(
			...[quiet(quietSeconds), call, quiet(pauseSeconds)],
			...[levelled(command, rms(call)), quiet(2)],
		);
		const callEnd = quietSeconds * sampleRateHz + call.length;
		const sound =
			snrDb === undefined
				? dry
				: Float32Array.from(fromAfar(dry, i, snrDb), (it) => it / 32768);
		const result = await runGate(spotting, phrase, sound, threshold);
		if (result.wokenAt === undefined) continue;
		woken++;
		delaysMs.push(((result.wokenAt - callEnd) * 1000) / sampleRateHz);
		const least = callEnd + pauseSeconds * sampleRateHz + commandSamplesMin;
		if (result.passedTo >= least) commands++;
	}
	delaysMs.sort((a, b) => a - b);
	return { calls, woken, commands, delaysMs };
}

async function callIn(
	spotting: Spotting,
	phrase: string,
	samples: Float32Array,
): Promise<Float32Array | undefined> {
	const { found } = await spotting.find(
		spotting.spotterOf([phrase]),
		samples,
		true,
	);
	const [first] = found;
	if (!first) return undefined;
	const history = new SampleHistory();
	history.append(samples);
	const end = endOfWakeWord(history, first.lastVowelSample);
	const call = samples.slice(
		Math.max(0, first.startSample - 0.1 * sampleRateHz),
		end,
	);
	for (let i = 0; i < fadeSamples; i++) {
		const at = call.length - 1 - i;
		call[at] = ((call[at] ?? 0) * i) / fadeSamples;
	}
	return call;
}

async function runGate(
	spotting: Spotting,
	phrase: string,
	sound: Float32Array,
	threshold: number,
): Promise<{ wokenAt: number | undefined; passedTo: number }> {
	const gate = new WakeGate(
		new SpeechSegmenter(spotting.createDetector(), endpointRules(800)),
		spotting.spotterOf([phrase], threshold),
		{ seconds: 6 },
	);
	let wokenAt: number | undefined;
	let passedTo = 0;
	for (let at = 0; at < sound.length; at += windowSamples) {
		const piece = sound.subarray(at, at + windowSamples);
		for (const event of await gate.accept(piece)) {
			if (event.is === "wake") wokenAt ??= at + piece.length;
			if (event.is === "end") passedTo = event.segment.speechEndSample;
		}
	}
	for (const event of await gate.finish())
		if (event.is === "end") passedTo = event.segment.speechEndSample;
	return { wokenAt, passedTo };
}

function spokenPart(samples: Float32Array): Float32Array {
	const loudest = samples.reduce((max, it) => Math.max(max, Math.abs(it)), 0);
	const first = samples.findIndex((it) => Math.abs(it) > loudest / 20);
	const begin = Math.max(0, first - 0.05 * sampleRateHz);
	return samples.slice(begin, begin + commandSeconds * sampleRateHz);
}

function quiet(seconds: number): Float32Array {
	return Float32Array.from(
		{ length: seconds * sampleRateHz },
		(_, i) => quietLevel * Math.sin(i * i),
	);
}

function levelled(samples: Float32Array, level: number): Float32Array {
	const gain = level / rms(samples);
	return samples.map((it) => gain * it);
}

function rms(samples: Float32Array): number {
	return Math.sqrt(
		samples.reduce((sum, it) => sum + it * it, 0) / samples.length,
	);
}

function joined(...parts: readonly Float32Array[]): Float32Array {
	const whole = new Float32Array(parts.reduce((sum, it) => sum + it.length, 0));
	let filled = 0;
	for (const it of parts) {
		whole.set(it, filled);
		filled += it.length;
	}
	return whole;
}
