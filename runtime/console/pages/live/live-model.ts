/** What Live shows: one session of speech, from the first frame to the last word. */
import { effect, signal, untracked } from "@preact/signals";
import type { Result } from "../../../client/messages.js";
import { remembered } from "../../app/remembered.js";
import { checkSession, isIn } from "../../app/session.js";
import {
	type Capture,
	type Frame,
	frameMs,
	rateHz,
	startCapture,
} from "../../audio/capture.js";
import { LevelWatch, noLevel } from "../../audio/level-watch.js";
import { LiveStream } from "../../audio/live-stream.js";
import { wavOf } from "../../audio/wav.js";
import { reasonOf } from "../../parts/notice.js";
import {
	languageInUse,
	requestOptions,
} from "../../parts/recognition-options.js";
import { recognizeClip } from "../../parts/recognize-clip.js";
import { ofBrowser, partials, setPartial } from "./partials.js";
import { refusalOfDevice, troubleOf } from "./refused.js";
import type { Sentence } from "./sentence.js";
import { add, clearSentences, wasSilent } from "./sentences.js";
import { stablePart, Timing } from "./timing.js";

export type Phase =
	| "idle"
	| "starting"
	| "speaking"
	| "finishing"
	| "transcribing";

/** The last ten minutes are kept, for "send to files". */
const keptFramesMax = (10 * 60 * 1000) / frameMs;
/** A microphone does not stay on for much longer after a token was revoked. */
const checkSessionMs = 10_000;

export const phase = signal<Phase>("idle");
/** What stopped it. */
export const trouble = signal<
	| {
			readonly is:
				| "refused"
				| "no-microphone"
				| "failed"
				| "gone"
				| "socket"
				| "lost"
				| "ended"
				| "unheard";
			readonly why: string;
	  }
	| undefined
>(undefined);
export const level = signal(noLevel);
export const measurements = signal<{
	firstWordMs?: number | undefined;
	finalMs?: number | undefined;
	audioMs: number;
	lagMs: number;
	dropped: number;
}>({ audioMs: 0, lagMs: 0, dropped: 0 });
export const devices = signal<readonly MediaDeviceInfo[]>([]);
const keptDevice = remembered("microphone", "");
export const deviceId = signal(keptDevice.get());
effect(() => keptDevice.set(deviceId.value));

let capture: Capture | undefined;
let stream: LiveStream | undefined;
let kept: Int16Array[] = [];
/** Of a recording as a whole. */
let request: AbortController | undefined;
/** When the microphone was turned on, of whose recording the last minutes are kept. */
export const recordedAt = signal(new Date());
/** Of microphones and recordings: what an earlier one brings after the next has begun, or after its speaker has left, is too late. */
let runs = 0;

effect(() => {
	if (!isIn.value) untracked(leave);
});

effect(() => {
	if (phase.value === "idle") return;
	const timer = setInterval(() => void checkSession(), checkSessionMs);
	return () => clearInterval(timer);
});

export function recording(): Blob | undefined {
	return kept.length > 0 ? wavOf(kept, rateHz) : undefined;
}

export function clear(): void {
	clearSentences();
	partials.value = new Map();
	kept = [];
	if (trouble.peek()?.is === "unheard") trouble.value = undefined;
}

/** Whoever has signed out is not heard any more, and the next one reads nothing of it. */
function leave(): void {
	runs++;
	clear();
	trouble.value = undefined;
	request?.abort();
	stream?.close(); // it ends the capture as well; one that is still beginning ends itself
	// one that was refused is over already, and its reason is not waited for
	if (!stream && !capture) return;
	stream = undefined;
	void endCapture().then(idle);
}

export async function speak(): Promise<void> {
	if (phase.value !== "idle") return;
	phase.value = "starting";
	trouble.value = undefined;
	wasSilent.value = false;
	kept = [];
	recordedAt.value = new Date();
	const mine = ++runs;
	const run = {
		timing: new Timing(),
		frames: 0,
		level: new LevelWatch(),
		wasStarted: false,
	};
	try {
		const onFrame = ({ samples, peak }: Frame) => {
			if (mine !== runs) return;
			const nowMs = performance.now();
			run.timing.sent(run.frames * frameMs, nowMs);
			run.frames++;
			kept.push(samples);
			if (kept.length > keptFramesMax) kept.shift();
			stream?.send(samples.slice());
			// without a stream, what is kept is all there will be
			const isFull = !stream && kept.length === keptFramesMax;
			if (isFull && phase.value === "speaking") void stop();
			level.value = run.level.next(peak, nowMs);
			measurements.value = {
				firstWordMs: run.timing.firstWordMs,
				finalMs: run.timing.finalMs,
				audioMs: run.frames * frameMs,
				lagMs: ((stream?.lagBytes ?? 0) / (rateHz * 2)) * 1000,
				dropped: stream?.dropped ?? 0,
			};
		};
		const onGone = () => {
			if (mine !== runs) return;
			trouble.value = { is: "gone", why: "" };
			void stop();
		};
		const opened = await startCapture(deviceId.value, onFrame, onGone);
		// its speaker has left, or the microphone has gone meanwhile
		if (mine !== runs || phase.peek() !== "starting") {
			await opened.stop();
			if (mine !== runs) phase.value = "idle";
			return;
		}
		capture = opened;
	} catch (thrown) {
		if (mine === runs) trouble.value = troubleOf(thrown);
		phase.value = "idle";
		return;
	}
	devices.value = capture.devices;
	stream = new LiveStream(
		{
			...requestOptions(),
			format: "pcm_s16le",
			sample_rate: rateHz,
			enable_intermediate_result: true,
			enable_words: true,
		},
		{
			onStarted: () => {
				run.wasStarted = true;
				phase.value = "speaking";
			},
			onResult: (result) => show(result, run.timing),
			onOver: (reason) => void over(reason, run.wasStarted),
			onSilent: () => void goOnWithout(),
		},
	);
}

/** Lets the last words come. */
export async function stop(): Promise<void> {
	if (phase.value !== "speaking" && phase.value !== "starting") return;
	phase.value = "finishing";
	const mine = stream; // one that is refused meanwhile transcribes by itself
	await endCapture();
	if (mine) mine.stop();
	else await transcribeRecorded();
}

function idle(): void {
	phase.value = "idle";
}

async function over(
	reason: string | undefined,
	wasStarted: boolean,
): Promise<void> {
	const mine = runs;
	const isRefusal = !wasStarted && reason === "";
	const refusal = isRefusal ? await refusalOfDevice() : reason;
	if (mine !== runs) return; // its speaker has left meanwhile
	if (isRefusal && refusal === undefined) return goOnWithout();
	stream = undefined;
	setPartial(ofBrowser, undefined);
	measurements.value = { ...measurements.value, lagMs: 0 };
	await endCapture();
	idle();
	if (refusal !== undefined && mine === runs)
		trouble.value = { is: refusal ? "ended" : "lost", why: refusal };
}

/** There will be no live connection: it is recorded until it is stopped. */
async function goOnWithout(): Promise<void> {
	stream = undefined;
	trouble.value = { is: "socket", why: "" };
	if (phase.value === "finishing") await transcribeRecorded();
	else phase.value = "speaking";
}

/** What was said without a live connection, as a whole; it is kept, and sent once more where that failed. */
export async function transcribeRecorded(): Promise<void> {
	idle();
	const recorded = recording();
	if (!recorded) return;
	if (trouble.value?.is === "unheard") trouble.value = undefined;
	const mine = kept;
	await transcribe(recorded, "wav").catch((thrown: unknown) => {
		// else its speaker has left
		if (kept === mine) trouble.value = { is: "unheard", why: reasonOf(thrown) };
	});
}

async function endCapture(): Promise<void> {
	const ended = capture;
	capture = undefined;
	await ended?.stop();
	level.value = noLevel;
}

function show(result: Result, timing: Timing): void {
	const nowMs = performance.now();
	if (result.is === "partial") {
		const { text, index, beginMs } = result;
		const last = partials.value.get(ofBrowser);
		const stable = stablePart(last ? last.stable + last.rest : "", text);
		const rest = text.slice(stable.length);
		setPartial(ofBrowser, { stable, rest, language: languageInUse() });
		if (text) timing.partial(index, beginMs, nowMs);
	} else if (result.is === "sentence") {
		const { text, index, beginMs, confidence, words } = result;
		setPartial(ofBrowser, undefined);
		timing.final(index, words.at(-1)?.end_time ?? result.timeMs, nowMs);
		const { firstWordMs, finalMs } = timing;
		measurements.value = { ...measurements.value, firstWordMs, finalMs };
		if (text)
			add({ key: `${runs}/${index}`, beginMs, confidence, words, text });
	}
}

/** A recording as a whole, where there is no live connection; one at a time, and none while a microphone is on. @throws ApiError */
export async function transcribe(audio: Blob, format: string): Promise<void> {
	if (phase.value !== "idle") return;
	phase.value = "transcribing";
	wasSilent.value = false;
	const mine = ++runs;
	const { hotwords_list, ...options } = requestOptions();
	request = new AbortController();
	const query = {
		...Object.fromEntries(
			Object.entries(options).map(([name, value]) => [name, String(value)]),
		),
		...(hotwords_list && { hotwords_list: JSON.stringify(hotwords_list) }),
		enable_words: "true",
	};
	try {
		const { result, words } = await recognizeClip<{
			result: string;
			words?: Sentence["words"];
		}>(audio, format, query, request);
		if (mine !== runs) return;
		wasSilent.value = result === "";
		if (result)
			add({ key: `recording/${mine}`, text: result, ...(words && { words }) });
	} finally {
		phase.value = "idle";
	}
}
