/**
 * Sentences after a quiet time, at their own pace, through a whole appliance in this process: when their texts come, and what the quiet cost. A four-channel
 * array with direction and beam.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { untilReady } from "../../../runtime/cli/until-ready.js";
import type { MicrophoneEvent } from "../../../runtime/microphones/microphone-events.js";
import type { Clip } from "../clips.js";
import { judged, type Measurement } from "../report.js";
import { median, percentile } from "../statistics.js";
import { readWav } from "../wav.js";
import {
	openAppliance,
	processTimes,
	quietRoom,
	useAsCard,
} from "./own-appliance.js";

const rateHz = 16_000;
const channels = 4;
const pauseMs = 800;
/** So long an utterance lasts beyond its speech, where the segment holds as much (session/utterance.ts, segmentation/rules.ts). */
const tailMs = 192;
const lateMsMax = 100;
const idleShareMax = 0.08;
const gapSeconds = 2.5;
/** From the start until the quiet is measured. */
const settleMs = 8000;
const microphone = `[[microphone]]
id = "bench"
device = "mic"
channels = ${channels}
format = "S16_LE"
array = "respeaker-4"
`;

export async function measureTalk(
	clips: readonly Clip[],
	idleSeconds: number,
): Promise<readonly Measurement[]> {
	const folder = mkdtempSync(join(tmpdir(), "earshot-microphones-bench-"));
	const speechSeconds = makeCard(folder, clips, idleSeconds);
	const events: MicrophoneEvent[] = [];
	const finals = () =>
		events.flatMap((it) =>
			it.is === "final" && it.utterance.text !== "" ? [it] : [],
		);
	const appliance = await openAppliance(folder, microphone);
	appliance.microphones.onEvent((event) => events.push(event));
	await appliance.start();
	await untilReady(
		() => appliance.startState(),
		() => {},
	);
	await pause(settleMs);
	const before = processTimes();
	await pause(idleSeconds * 1000);
	const after = processTimes();
	while (finals().length < clips.length) {
		await pause(500);
		const sinceMs = Date.now() - (events.at(-1)?.atMs ?? 0);
		if (finals().length > 0 && sinceMs > 15_000) break;
	}
	await appliance.stop();
	rmSync(folder, { recursive: true, force: true });

	const lateMs = finals().map(
		({ atMs, utterance }) => atMs - (utterance.endAtMs - tailMs) - pauseMs,
	);
	const half = median(lateMs);
	const shares = (["main", "engine", "capture"] as const).map(
		(name) => (after[name] - before[name]) / idleSeconds,
	);
	const whole = shares.reduce((sum, it) => sum + it, 0);
	return [
		{
			what: `microphones: end of speech + ${pauseMs} ms pause to the final event, ${lateMs.length} sentences from ${clips.length} clips (${Math.round(speechSeconds)} s), median / p95`,
			earshot: `${half.toFixed(0)} / ${percentile(lateMs, 0.95).toFixed(0)} ms`,
			goal: judged(`median < ${lateMsMax} ms`, half < lateMsMax),
		},
		{
			what: `microphones: CPU of a microphone that listens to a quiet room, four channels, main / engine / capture (${idleSeconds} s)`,
			earshot: `${percent(whole)} of a core: ${shares.map(percent).join(" / ")}`,
			goal: judged(`< ${idleShareMax * 100} %`, whole < idleShareMax),
		},
	];
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** A quiet room, then the clips with gaps, on each channel alike. @returns seconds of speech. */
function makeCard(
	folder: string,
	clips: readonly Clip[],
	idleSeconds: number,
): number {
	const sounds = clips.map(({ path }) => readWav(path));
	const quietSeconds = idleSeconds + 20;
	const spoken = sounds.reduce((sum, it) => sum + it.length, 0);
	const frames =
		quietSeconds * rateHz + spoken + (clips.length + 2) * gapSeconds * rateHz;
	const card = quietRoom(Math.ceil(frames) * channels);
	let at = quietSeconds * rateHz;
	for (const sound of sounds) {
		for (let i = 0; i < sound.length; i++)
			for (let channel = 0; channel < channels; channel++)
				card[(at + i) * channels + channel] = sound[i] as number;
		at += sound.length + gapSeconds * rateHz;
	}
	useAsCard(folder, card);
	return spoken / rateHz;
}
