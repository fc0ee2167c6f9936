/**
 * Hours of a microphone in minutes: a real capture process reads a pipe that ALSA's `file` plugin takes for a card, as fast as all behind it takes the sound;
 * what it captures is recognized by a real engine. The clock is the sound's own: an event's time says where in the feed it was, so a lost sample would show.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LogPort } from "../../../runtime/log/log-port.js";
import { Capture } from "../../../runtime/microphones/capture.js";
import { Microphone } from "../../../runtime/microphones/microphone.js";
import type {
	MicrophoneStats,
	MicrophoneUtterance,
} from "../../../runtime/microphones/microphone-events.js";
import {
	type FromCapture,
	periodMs,
} from "../../../runtime/microphones/protocol.js";
import type {
	Lane,
	Recognition,
	RecognitionCaller,
} from "../../../runtime/session/lane-port.js";
import type { RecognitionOptions } from "../../../runtime/session/options.js";

export const rateHz = 16_000;
const bytesPerSample = 2;
const periodBytes = (bytesPerSample * rateHz * periodMs) / 1000;
/** Of a quiet room: -66 dBFS. */
const roomSize = 16;
const roomSeconds = 60;
/** The feed's first sample, so that no time is by chance right. */
export const feedStartMs = Date.UTC(2026, 0, 1);

export interface SpokenClip {
	readonly atSeconds: number;
	readonly samples: Int16Array;
}

export interface Hours {
	/** For what ALSA is told, and the pipe. */
	readonly folder: string;
	readonly seconds: number;
	/** In order, apart by seconds of silence. */
	readonly spoken: readonly SpokenClip[];
	readonly lane: Lane;
	readonly options: RecognitionOptions;
	readonly log: LogPort;
	/** So often, in seconds of the feed, `onPoll` is called. */
	readonly pollSeconds: number;
	readonly onPoll: (seconds: number, capturePid: number | undefined) => void;
}

export interface HoursResult {
	readonly samples: number;
	readonly finals: readonly MicrophoneUtterance[];
	readonly stats: MicrophoneStats;
	/** 1, unless one had to be opened again. */
	readonly recognitions: number;
	readonly deaths: readonly string[];
}

export async function transcribeHours(hours: Hours): Promise<HoursResult> {
	const { seconds, pollSeconds, onPoll, log } = hours;
	const fifo = makeCard(hours.folder);
	const finals: MicrophoneUtterance[] = [];
	const deaths: string[] = [];
	const lane = new CountingLane(hours.lane);
	let samples = 0;
	let nextPoll = 0;
	let check = () => {};
	const microphone = new Microphone({
		place: { microphone: "simulated", language: hours.options.language },
		pushToTalk: false,
		muted: false,
		wakes: false,
		lane,
		options: () => hours.options,
		source: (listener) => {
			const capture: Capture = new Capture(
				() => ({
					device: "mic",
					channels: 1,
					rateHz,
					format: "S16_LE",
					channelMap: [],
					geometry: undefined,
					paceMax: Number.POSITIVE_INFINITY,
				}),
				{
					onMessage: (message: FromCapture) => {
						if (message.is === "audio")
							samples += message.audio.bytes.length / bytesPerSample;
						listener.onMessage(message);
						if (samples >= nextPoll * rateHz) {
							onPoll(nextPoll, capture.pid);
							nextPoll += pollSeconds;
						}
						check();
					},
					onDeath: (reason, retryMs) => {
						deaths.push(reason);
						listener.onDeath(reason, retryMs);
					},
				},
				log,
				captureCommand(hours.folder),
			);
			return capture;
		},
		onEvent: (event) => {
			if (event.is === "final") finals.push(event.utterance);
		},
		log,
		nowMs: () => feedStartMs + (samples * 1000) / rateHz,
	});
	const allProcessed = new Promise<void>((resolve) => {
		check = () => {
			if (samples >= seconds * rateHz || deaths.length > 0) resolve();
		};
	});
	microphone.start();
	const feed = await open(fifo, "w");
	const feeding = feedAll(feed, hours, lane);
	await allProcessed;
	const { stats } = microphone;
	await microphone.stop();
	await feeding;
	await feed.close();
	return { samples, finals, stats, recognitions: lane.opened, deaths };
}

/** @returns the pipe that the device `mic` plays. */
function makeCard(folder: string): string {
	const fifo = join(folder, "card.fifo");
	execFileSync("mkfifo", [fifo]);
	writeFileSync(
		join(folder, "asoundrc"),
		`pcm.null { type null }\npcm.mic { type file slave.pcm "null" file "/dev/null" infile "${fifo}" format "raw" }\n`,
	);
	return fifo;
}

function captureCommand(folder: string) {
	const main = fileURLToPath(
		new URL("../../../runtime/main.js", import.meta.url),
	);
	return {
		file: process.execPath,
		args: [main, "capture"],
		environment: { ALSA_CONFIG_PATH: join(folder, "asoundrc") },
	};
}

/**
 * A second at a time, and none while the engine has enough. Nobody may be there any more to read it. A period in each write, which a pipe takes whole or not
 * at all (PIPE_BUF): where a full pipe took the beginning of one, ALSA's plugin would read it alone and take it for a whole one.
 */
async function feedAll(
	pipe: FileHandle,
	{ seconds, spoken }: Hours,
	lane: CountingLane,
): Promise<void> {
	const room = roomNoise();
	const waiting = [...spoken];
	let open: SpokenClip[] = [];
	let unwritten = new Uint8Array(0);
	for (let second = 0; second < seconds; second++) {
		const at = (second % roomSeconds) * rateHz;
		const piece = room.slice(at, at + rateHz);
		while (waiting[0] && waiting[0].atSeconds < second + 1)
			open.push(waiting.shift() as SpokenClip);
		for (const { atSeconds, samples } of open)
			mix(piece, samples, Math.round((atSeconds - second) * rateHz));
		open = open.filter(
			(it) => it.atSeconds + it.samples.length / rateHz > second + 1,
		);
		await lane.room();
		try {
			const bytes = Buffer.concat([unwritten, new Uint8Array(piece.buffer)]);
			const whole = bytes.length - (bytes.length % periodBytes);
			unwritten = bytes.subarray(whole);
			for (let from = 0; from < whole; from += periodBytes)
				await pipe.write(bytes, from, periodBytes);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === "EPIPE") return;
			throw error;
		}
	}
}

/** @param at of the first sample in the piece; may lie outside. */
function mix(piece: Int16Array, samples: Int16Array, at: number): void {
	const from = Math.max(0, at);
	const to = Math.min(piece.length, at + samples.length);
	for (let i = from; i < to; i++)
		piece[i] = (piece[i] as number) + (samples[i - at] as number);
}

function roomNoise(): Int16Array {
	const room = new Int16Array(roomSeconds * rateHz);
	let state = 1;
	for (let i = 0; i < room.length; i++) {
		state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
		room[i] = ((state >> 8) % (2 * roomSize + 1)) - roomSize;
	}
	return room;
}

/** Counts recognitions, and says when the newest one takes more. */
class CountingLane implements Lane {
	readonly #lane: Lane;
	opened = 0;
	#full = false;
	#wake = () => {};

	constructor(lane: Lane) {
		this.#lane = lane;
	}

	async open(
		options: RecognitionOptions,
		caller: RecognitionCaller,
		signal?: AbortSignal,
	): Promise<Recognition> {
		const recognition = await this.#lane.open(options, caller, signal);
		this.opened++;
		this.#drained();
		recognition.onDrain(() => this.#drained());
		return {
			events: recognition.events,
			write: (bytes) => {
				const takes = recognition.write(bytes);
				this.#full = !takes;
				return takes;
			},
			onDrain: (listener) => recognition.onDrain(listener),
			endSentence: () => recognition.endSentence(),
			finish: () => recognition.finish(),
			cancel: () => recognition.cancel(),
		};
	}

	async room(): Promise<void> {
		while (this.#full)
			await new Promise<void>((wake) => {
				this.#wake = wake;
			});
	}

	#drained(): void {
		this.#full = false;
		this.#wake();
	}
}
