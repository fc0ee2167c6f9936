/**
 * What the second ear costs: time to a final text, files, memory; each side in turn. Beside the times, the processor time of the engine, which means something on
 * a busy machine too.
 */
import { join } from "node:path";
import { cacheDirectory } from "../cache.js";
import type { Clip } from "../clips.js";
import { transcribe } from "../files/client.js";
import { speakAndStop, speakAndWait } from "../live/earshot-stream.js";
import { residentMegabytes } from "../process-usage.js";
import { judged, type Measurement } from "../report.js";
import type { Server } from "../server.js";
import { median } from "../statistics.js";
import { readWav, sampleRateHz, writeWav } from "../wav.js";
import { type Both, inTurn, recognizeWith } from "./servers.js";

const millisecondsMax = 60;
const shareMin = 0.85;
const megabytesMax = 40;
const shortRounds = 3;
const liveClips = 8;
const fileRounds = 3;
const pauseSeconds = 1.5;

/** Clips of Chinese. The length that the goal is stated for: 5 s. */
export async function measureCost(
	servers: Both<Server>,
	clips: readonly Clip[],
): Promise<Measurement[]> {
	const medium = clips.filter((it) => it.seconds >= 3 && it.seconds <= 8);
	const measurements = [
		await measureShortRequests(servers, medium),
		...(await measureLive(servers, medium.slice(0, liveClips))),
		await measureFile(servers, clips),
	];
	return [...measurements, measureMemory(servers)];
}

async function measureShortRequests(
	servers: Both<Server>,
	clips: readonly Clip[],
): Promise<Measurement> {
	const times = new Times();
	for (let round = 0; round < shortRounds; round++)
		for (const [i, { path }] of clips.entries())
			times.add(
				await inTurn(
					servers,
					(it) =>
						timed(
							it,
							async () => 1000 * (await recognizeWith(it, path, "zh")).seconds,
						),
					(round + i) % 2 === 1,
				),
			);
	return times.measurement(`short requests (${clips.length} clips of 3-8 s)`);
}

async function measureLive(
	servers: Both<Server>,
	clips: readonly Clip[],
): Promise<Measurement[]> {
	const stopped = new Times();
	const paused = new Times();
	for (const [i, { path }] of clips.entries()) {
		const samples = readWav(path);
		const isSwapped = i % 2 === 1;
		stopped.add(
			await inTurn(
				servers,
				(server) =>
					timed(server, async () => {
						const { final, stoppedAtMs = 0 } = await speakAndStop(
							...([server.endpoint, samples, "zh"] as const),
						);
						return final.atMs - stoppedAtMs;
					}),
				isSwapped,
			),
		);
		paused.add(
			await inTurn(
				servers,
				(server) =>
					timed(
						server,
						async () =>
							(await speakAndWait(server.endpoint, samples, "zh")).final.atMs,
					),
				isSwapped,
			),
		);
	}
	const which = `(${clips.length} clips of 3-8 s)`;
	return [
		stopped.measurement(`live, from stop to the final text ${which}`),
		paused.measurement(
			`live, from the clip's begin to the final text ${which}`,
		),
	];
}

async function measureFile(
	servers: Both<Server>,
	clips: readonly Clip[],
): Promise<Measurement> {
	const { path, seconds } = joined(clips);
	const best = { without: Infinity, with: Infinity };
	const processor = { without: 0, with: 0 };
	for (let round = 0; round < fileRounds; round++) {
		const took = await inTurn(
			servers,
			(it) =>
				timed(
					it,
					async () => (await transcribe(it, { path, language: "zh" })).seconds,
				),
			round % 2 === 1,
		);
		for (const side of ["without", "with"] as const) {
			best[side] = Math.min(best[side], took[side].took);
			processor[side] += took[side].processorSeconds;
		}
	}
	const share = best.without / best.with;
	return {
		what: `second ear: a file of ${seconds.toFixed(0)} s, audio s/s without -> with, best of ${fileRounds}`,
		earshot: `${(seconds / best.without).toFixed(1)} -> ${(seconds / best.with).toFixed(1)} (${share.toFixed(2)} x); processor time ${processor.without.toFixed(1)} -> ${processor.with.toFixed(1)} s (${(processor.without / processor.with).toFixed(2)} x)`,
		goal: judged(`>= ${shareMin} x`, share >= shareMin),
	};
}

function measureMemory(servers: Both<Server>): Measurement {
	const megabytes = {
		without: residentMegabytes(servers.without.enginePid()),
		with: residentMegabytes(servers.with.enginePid()),
	};
	const added = megabytes.with - megabytes.without;
	return {
		what: "second ear: engine RSS after all requests, without -> with",
		earshot: `${megabytes.without.toFixed(0)} -> ${megabytes.with.toFixed(0)} MB (${added.toFixed(0)})`,
		goal: judged(`<= ${megabytesMax} MB more`, added <= megabytesMax),
	};
}

interface Timed {
	/** In the unit that was measured. */
	readonly took: number;
	readonly processorSeconds: number;
}

async function timed(
	server: Server,
	ask: () => Promise<number>,
): Promise<Timed> {
	const before = server.engineSeconds();
	const took = await ask();
	return { took, processorSeconds: server.engineSeconds() - before };
}

class Times {
	readonly #without: number[] = [];
	readonly #with: number[] = [];
	readonly #processor = { without: 0, with: 0 };

	add({ without, with: joint }: Both<Timed>): void {
		this.#without.push(without.took);
		this.#with.push(joint.took);
		this.#processor.without += without.processorSeconds;
		this.#processor.with += joint.processorSeconds;
	}

	measurement(what: string): Measurement {
		const later = median(
			this.#with.map((it, i) => it - (this.#without[i] as number)),
		);
		const each = (seconds: number) =>
			((1000 * seconds) / this.#with.length).toFixed(0);
		return {
			what: `second ear: ${what}, median without -> with; median difference; processor time of the engine each`,
			earshot: `${median(this.#without).toFixed(0)} -> ${median(this.#with).toFixed(0)} ms; ${later.toFixed(0)} ms; ${each(this.#processor.without)} -> ${each(this.#processor.with)} ms`,
			goal: judged(`<= ${millisecondsMax} ms later`, later <= millisecondsMax),
		};
	}
}

/** All clips with pauses. */
function joined(clips: readonly Clip[]) {
	const pause = Math.round(pauseSeconds * sampleRateHz);
	const parts = clips.map(({ path }) => readWav(path));
	const sampleCount = parts.reduce((sum, it) => sum + it.length + pause, 0);
	const samples = new Int16Array(sampleCount);
	let at = 0;
	for (const part of parts) {
		samples.set(part, at);
		at += part.length + pause;
	}
	const path = join(cacheDirectory, "second-ear-file.wav");
	writeWav(path, samples);
	return { path, seconds: sampleCount / sampleRateHz };
}
