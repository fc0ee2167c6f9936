/**
 * One leg of a call: its audio, as it arrives, becomes utterances on the call's clock, whatever engines die meanwhile. It holds a slot only while there is
 * sound on the line.
 */
import { PieceJoiner } from "../audio/piece-joiner.js";
import { bytesPerSample, type SampleCodec } from "../audio/sample-codec.js";
import { samplesToMs } from "../audio/sample-rate.js";
import { onsetLeadSamples } from "../segmentation/rules.js";
import type { AudioRoom } from "../session/audio-room.js";
import type { Utterance } from "../session/events.js";
import type { Lane, RecognitionCaller } from "../session/lane-port.js";
import type { RecognitionOptions } from "../session/options.js";
import { StandingRecognition } from "../session/standing-recognition.js";
import { EarlyAudio } from "./early-audio.js";
import { LegClock } from "./leg-clock.js";
import { SoundGate } from "./sound-gate.js";

export interface LegFormat {
	readonly codec: SampleCodec;
	readonly rateHz: number;
}

export interface LegParts {
	readonly lane: Lane;
	readonly caller: RecognitionCaller;
	/** For each recognition of the leg: word lists may have changed. */
	readonly options: () => RecognitionOptions;
	readonly format: LegFormat;
	/** Of all legs, for what they keep. */
	readonly room: AudioRoom;
	/** After so many seconds without sound it gives its slot back. */
	readonly silentSeconds: number;
	/** Milliseconds since the call began. */
	readonly nowMs: () => number;
	/** Its index counts from 1 within this leg. */
	readonly onUtterance: (is: "partial" | "final", utterance: Utterance) => void;
	readonly onSpeech: () => void;
	/** It may send more: the client was told to wait. */
	readonly onRoom: () => void;
}

/** What a client that sends faster than speech may be ahead, seconds. */
const aheadSecondsMax = 2;
/** Audio that waits to be sent in one piece; more waits for a slot. */
const waitingSeconds = 0.3;
/** Frames may be smaller: each piece is looked at and kept by itself. */
const pieceSecondsMin = 0.02;
/** How long early audio is waited for where it hangs up. */
const earlyMsMax = 60_000;
const pollMs = 250;
/** An utterance begins up to this long before its first sound. */
const leadMs = samplesToMs(onsetLeadSamples);
/** How long the last finals are waited for; an engine that died has to start again within this. */
const lastFinalsMsMax = 30_000;

export class Leg {
	readonly #parts: LegParts;
	readonly #standing: StandingRecognition;
	readonly #clock: LegClock;
	readonly #gate: SoundGate;
	readonly #beganMs: number;
	readonly #timer: NodeJS.Timeout;
	/** It takes no more audio. */
	#isOver = false;
	#finished: Promise<void> = Promise.resolve();
	#mustWait = false;
	readonly #pieces: PieceJoiner;
	readonly #early: EarlyAudio;

	constructor(parts: LegParts) {
		this.#parts = parts;
		const { format, silentSeconds } = parts;
		const { codec, rateHz } = format;
		const width = bytesPerSample[codec];
		this.#pieces = new PieceJoiner(Math.ceil(pieceSecondsMin * rateHz) * width);
		this.#early = new EarlyAudio(parts.room);
		this.#beganMs = parts.nowMs();
		this.#clock = new LegClock(rateHz);
		this.#gate = new SoundGate(format, silentSeconds * 1000, this.#beganMs);
		this.#standing = new StandingRecognition(
			parts.lane,
			parts.options,
			{
				onWake: () => {},
				onSleep: () => {},
				onAvailability: () => {},
				onBegin: () => parts.onSpeech(),
				onUtterance: (is, utterance, index, startSample) => {
					parts.onUtterance(is, {
						...this.#placed(utterance, startSample),
						index,
					});
				},
			},
			{
				caller: parts.caller,
				format: { rateHz, bytesPerSample: width },
				room: parts.room,
			},
		);
		this.#timer = setInterval(() => this.#poll(), pollMs);
		this.#timer.unref();
	}

	/** @param bytes whole samples, mono; kept. */
	accept(bytes: Uint8Array): void {
		if (this.#isOver || bytes.length === 0) return;
		const piece = this.#pieces.accept(bytes);
		if (piece) this.#acceptPiece(piece);
	}

	#acceptPiece(bytes: Uint8Array): void {
		if (this.#mustWait) this.#early.push(bytes);
		else {
			this.#take(bytes);
			this.#mustWait = this.#isTooFast();
		}
	}

	/** The client should send no more until `onRoom`: it is faster than speech, and the engine does not keep up. A leg that comes at the pace of speech never waits. */
	get mustWait(): boolean {
		return this.#mustWait;
	}

	/** Received so far. */
	get audioMs(): number {
		return this.#clock.atMs(this.#standing.backlog.endSample);
	}

	/** Audio that no engine took, or recognized, in time. */
	get lostSeconds(): number {
		const { codec, rateHz } = this.#parts.format;
		const dropped = this.#early.droppedBytes / bytesPerSample[codec];
		return (this.#standing.backlog.lostSamples + dropped) / rateHz;
	}

	/** No more audio comes. Resolves when the last final was emitted; at once after `cancel`. */
	finish(): Promise<void> {
		if (!this.#isOver) this.#finished = this.#finish();
		return this.#finished;
	}

	async #finish(): Promise<void> {
		this.#isOver = true;
		const rest = this.#pieces.take();
		if (rest.length > 0) this.#acceptPiece(rest);
		const untilMs = performance.now() + earlyMsMax;
		while (!this.#early.isEmpty && performance.now() < untilMs) {
			await new Promise((resolve) => setTimeout(resolve, pollMs / 5));
			this.#takeEarly();
		}
		this.#early.dropAll();
		clearInterval(this.#timer);
		const timer = setTimeout(() => this.#standing.cancel(), lastFinalsMsMax);
		await this.#standing.finish();
		clearTimeout(timer);
		this.#standing.cancel(); // what it has kept is needed no more
	}

	/** At once, without the last finals. */
	cancel(): void {
		this.#isOver = true;
		this.#early.clear();
		clearInterval(this.#timer);
		this.#standing.cancel();
	}

	/** On the call's clock, each time by itself: an interruption may lie inside the utterance, or inside the lead, which then is from before it. */
	#placed(utterance: Utterance, startSample: number): Utterance {
		const { rateHz } = this.#parts.format;
		const at = (ms: number) =>
			this.#clock.atMs(startSample + Math.round((ms * rateHz) / 1000));
		const soundMs = Math.min(utterance.beginMs + leadMs, utterance.endMs);
		const beginMs = Math.max(at(utterance.beginMs), at(soundMs) - leadMs);
		return {
			...utterance,
			beginMs,
			endMs: Math.max(beginMs, at(utterance.endMs)),
			words: utterance.words.map((it) => {
				const startMs = Math.max(beginMs, at(it.startMs));
				return { ...it, startMs, endMs: Math.max(startMs, at(it.endMs)) };
			}),
		};
	}

	#take(bytes: Uint8Array): void {
		const { format, nowMs } = this.#parts;
		this.#clock.note(bytes.length / bytesPerSample[format.codec], nowMs());
		this.#standing.accept(bytes);
		if (this.#gate.accept(bytes, nowMs())) this.#standing.open();
	}

	#poll(): void {
		const nowMs = this.#parts.nowMs();
		if (this.#mustWait) this.#gate.pause(nowMs);
		// behind the reads of this turn: what came while this process stood still is audio, too
		if (this.#isSilent(nowMs)) setImmediate(() => this.#closeWhereSilent());
		if (!this.#mustWait) return;
		this.#takeEarly();
		if (!this.#early.isEmpty || this.#isTooFast()) return;
		this.#mustWait = false;
		this.#parts.onRoom();
	}

	#closeWhereSilent(): void {
		if (!this.#isOver && this.#isSilent(this.#parts.nowMs()))
			this.#standing.close();
	}

	/** Speech may be too quiet to count as sound and is recognized to its end; where no audio comes, it has none. */
	#isSilent(nowMs: number): boolean {
		const isWaiting =
			this.#standing.waitingSamples >
			waitingSeconds * this.#parts.format.rateHz;
		if (isWaiting || !this.#gate.isSilent(nowMs)) return false;
		return !this.#standing.isSpeech || this.#gate.hasStopped(nowMs);
	}

	#takeEarly(): void {
		while (!this.#early.isEmpty && !this.#isTooFast())
			this.#take(this.#early.shift() as Uint8Array);
	}

	#isTooFast(): boolean {
		const { format, nowMs } = this.#parts;
		const { endSample, samplesMax } = this.#standing.backlog;
		const elapsedSeconds = (nowMs() - this.#beganMs) / 1000;
		// of many samples a second less may be kept than it may be ahead
		const limit = Math.min(aheadSecondsMax * format.rateHz, samplesMax / 2);
		return (
			this.#standing.waitingSamples > limit &&
			endSample - elapsedSeconds * format.rateHz > limit
		);
	}
}
