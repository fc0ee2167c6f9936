/** Live callers on the real engine: containers decoded while they arrive, words of partials, long sentences, automatic stop. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import t from "tap";
import { Deferred } from "../../runtime/event-loop/deferred.js";
import type { SessionEvent } from "../../runtime/session/events.js";
import type { Lane } from "../../runtime/session/lane-port.js";
import { localDevice } from "../../runtime/session/lane-port.js";
import type { RecognitionOptions } from "../../runtime/session/options.js";
import { clipBytes, ownClipFolder } from "../audio/clips.js";
import { ffmpegMissing } from "../ffmpeg/encoded.js";
import { of } from "../session/rehearsal.js";
import { options, textOf } from "./fake-lane.js";
import { realLane, skipped } from "./real-lane.js";

const run = promisify(execFile);
const noFfmpeg = await ffmpegMissing();

const clipPath = join(ownClipFolder, "en-librivox-0880.wav");

const pcm = (name: string) => clipBytes(`${name}.wav`);

interface Pace {
	readonly packet: number;
	/** Until this much was recognized the caller waits after each packet; a partial is shown only after a second one agrees, so the audio must not stop. */
	readonly until?: (event: SessionEvent) => boolean;
}

/** After a packet, in which the engine's events arrive. */
const packetMs = 5;
/** A second, in which too little is said for a partial. */
const silentBytes = 32_000;
/** For one packet; a busy machine is far slower than real time. */
const listenMsMax = 10_000;

/** Sends faster than real time, but leaves the engine time for events in between. */
async function speak(
	lane: Lane,
	bytes: Uint8Array,
	{ packet, until }: Pace,
	changes: Partial<RecognitionOptions> = {},
): Promise<SessionEvent[]> {
	const recognition = await lane.open(
		{
			...options,
			streamed: true,
			completeAtDuration: true,
			partials: true,
			...changes,
		},
		localDevice,
	);
	const events: SessionEvent[] = [];
	const isRecognized = new Deferred<void>();
	const reading = (async () => {
		for await (const event of recognition.events) {
			events.push(event);
			if (until?.(event)) isRecognized.resolve();
		}
	})();
	for (let at = 0; at < bytes.length; at += packet) {
		recognition.write(bytes.subarray(at, at + packet));
		await pause(packetMs);
		if (until && at > silentBytes)
			await Promise.race([
				isRecognized.promise,
				pause(listenMsMax, undefined, { ref: false }),
			]);
	}
	recognition.finish();
	await reading;
	return events;
}

function isPartial(event: SessionEvent): boolean {
	return event.is === "partial";
}

function hasWords(event: SessionEvent): boolean {
	return event.is === "partial" && event.utterance.words.length > 0;
}

/** What must not depend on the pace. */
function settled(events: readonly SessionEvent[]): SessionEvent[] {
	return events.filter((it) => it.is !== "partial");
}

t.test("live callers of the real engine", { skip: skipped }, async (t) => {
	const { lane, supervisor } = realLane(t);
	supervisor.start();
	await supervisor.engine();

	t.test("any packet size and pace gives the same finals", async (t) => {
		const bytes = Buffer.concat([
			pcm("ja-kokoro-weather"),
			new Uint8Array(48_000),
			pcm("ja-kokoro-station"),
			new Uint8Array(32_000),
		]);
		const changes = { language: "ja-JP" } as const;
		const paces = [
			{ packet: bytes.length },
			{ packet: 7681, until: isPartial },
		];
		const all: SessionEvent[][] = [];
		for (const pace of paces) all.push(await speak(lane, bytes, pace, changes));
		t.ok(of(all[0] ?? [], "final").length >= 2);
		for (const events of all) t.same(settled(events), settled(all[0] ?? []));
		const partials = of(all[1] ?? [], "partial");
		t.ok(partials.length >= 1, `${partials.length} partials`);
		for (const { utterance } of partials) {
			t.notMatch(utterance.text, /[、。？]$/, "no mark at the end");
			t.same(utterance.words, []);
		}
	});

	t.test("partials have words where requested", async (t) => {
		const events = await speak(
			lane,
			pcm("en-librivox-0870"),
			{ packet: 6400, until: hasWords },
			{ partialWords: true },
		);
		const partials = of(events, "partial");
		t.ok(partials.length >= 1, `${partials.length} partials`);
		const withWords = partials.filter(hasWords);
		t.ok(withWords.length >= 1);
		for (const { utterance } of withWords) {
			const words = utterance.words.map((it) => it.text).join(" ");
			t.ok(utterance.text.startsWith(words.split(" ")[0] ?? "?"));
			for (const word of utterance.words)
				t.ok(word.startMs >= utterance.beginMs && word.endMs >= word.startMs);
		}
		t.same(of(events, "final")[0]?.utterance.words, []);
	});

	t.test("it stops automatically when speech ends", async (t) => {
		const bytes = Buffer.concat([
			new Uint8Array(64_000),
			pcm("en-librivox-0880"),
			new Uint8Array(96_000),
			pcm("en-librivox-0890"),
		]);
		const events = await speak(
			lane,
			bytes,
			{ packet: 7680 },
			{ suffixSilenceMs: 0 },
		);
		t.match(events.at(-1), { is: "completed", why: "suffix-silence" });
		t.match(textOf(events), /young man/);
		t.notMatch(textOf(events), /selfish/, "what came later is not heard");
	});

	t.test(
		"a container is recognized as it arrives", // each of them: e2e/streaming
		{ skip: noFfmpeg },
		async (t) => {
			const folder = t.testdir();
			const path = join(folder, "clip.opus");
			try {
				await run("ffmpeg", ["-v", "error", "-i", clipPath, path]);
			} catch {
				t.comment("skipped: ffmpeg can't make it here");
				return;
			}
			const events = await speak(
				lane,
				readFileSync(path),
				{ packet: 500 },
				{ format: "opus", durationSecondsMax: Number.POSITIVE_INFINITY },
			);
			t.match(textOf(events), /young man/i);
		},
	);
});
