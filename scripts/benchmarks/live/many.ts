/**
 * Several people speak at once, each sentence after sentence with a breath between them: whether everyone's final text is there in time, and what a
 * speaker costs in memory.
 */
import { setTimeout as pause } from "node:timers/promises";
import { TaskFailedError } from "../../../runtime/client/earshot-client.js";
import { residentMegabytes } from "../process-usage.js";
import { judged, type Measurement } from "../report.js";
import type { Server } from "../server.js";
import { median, percentile } from "../statistics.js";
import { speakAndStop } from "./earshot-stream.js";
import { afterStopMs, ms } from "./one.js";
import type { Speech } from "./speech.js";
import { firstPartialMs } from "./timeline.js";

const finalMsMax = 500;
const breathMs = 700;

interface Tally {
	readonly finalsMs: number[];
	readonly firstsMs: number[];
	refused: number;
	withoutPartial: number;
}

export async function measureMany(
	server: Server,
	speeches: readonly Speech[],
	streams: number,
	seconds: number,
): Promise<readonly Measurement[]> {
	const before = sizes(server);
	const until = performance.now() + seconds * 1000;
	const tally: Tally = {
		finalsMs: [],
		firstsMs: [],
		refused: 0,
		withoutPartial: 0,
	};
	const speakers = Array.from({ length: streams }, (_, at) =>
		speakOn(server, speeches, at, streams, until, tally),
	);
	await pause(seconds * 700);
	const during = sizes(server);
	await Promise.all(speakers);
	const { finalsMs, firstsMs, refused, withoutPartial } = tally;
	const p95 = finalsMs.length > 0 ? percentile(finalsMs, 0.95) : Number.NaN;
	const half = finalsMs.length > 0 ? median(finalsMs) : Number.NaN;
	const first = firstsMs.length > 0 ? ms(median(firstsMs)) : "none";
	console.log(
		`${streams} speakers: ${finalsMs.length} sentences, ${refused} refused, ${withoutPartial} without a partial; main ${before.main.toFixed(1)} -> ${during.main.toFixed(1)} MB, engine ${before.engine.toFixed(0)} -> ${during.engine.toFixed(0)} MB`,
	);
	return [
		{
			what: `live: ${streams} speakers at once in three languages, from Stop to the final text, p50 / p95; first partial p50; refused`,
			earshot: `${ms(half)} / ${ms(p95)}; ${first}; ${refused}`,
			goal: judged(
				`p95 < ${finalMsMax} ms with 8, none refused`,
				p95 < finalMsMax && refused === 0,
			),
		},
		{
			what: `live: memory of ${streams} speakers, API's process / engine, each`,
			earshot: `${perSpeaker(before.main, during.main, streams)} / ${perSpeaker(before.engine, during.engine, streams)} MB`,
			goal: "-",
		},
	];
}

async function speakOn(
	server: Server,
	speeches: readonly Speech[],
	speaker: number,
	speakers: number,
	until: number,
	tally: Tally,
): Promise<void> {
	// nobody begins at the same moment
	await pause((speaker * 5000) / speakers);
	for (let turn = speaker * 5; performance.now() < until; turn++) {
		const speech = speeches[turn % speeches.length];
		if (!speech) return;
		try {
			const { samples, language, bounds } = speech;
			const timeline = await speakAndStop(server.endpoint, samples, language);
			tally.finalsMs.push(afterStopMs(timeline));
			const first = firstPartialMs(timeline, bounds);
			if (first === undefined) tally.withoutPartial++;
			else tally.firstsMs.push(first);
		} catch (error) {
			if (!(error instanceof TaskFailedError && error.retryable)) throw error;
			tally.refused++;
			await pause(1000);
		}
		await pause(breathMs);
	}
}

function perSpeaker(before: number, during: number, streams: number): string {
	return ((during - before) / streams).toFixed(1);
}

function sizes(server: Server): { main: number; engine: number } {
	return {
		main: residentMegabytes(server.pid),
		engine: residentMegabytes(server.enginePid()),
	};
}
