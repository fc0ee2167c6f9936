/**
 * Limits the events of a job on a lent file, in kind and amount. The borrowing device may be faulty or compromised: its events are checked before they become
 * part of a task. Bounds of single values are in the schema (payloads/jobs.ts).
 */
import type {
	ChannelSpan,
	FileEvent,
	Resume,
	UtterancesEvent,
} from "../../engine/file-job.js";
import type { JobRequest } from "../../engine/remote-job.js";
import type { Utterance } from "../../session/events.js";

/** UTF-16 units of text, plus overhead for an event, a word or a turn. An hour of fast speech with its words is under 3 MB. */
const unitsMin = 1_000_000;
const unitsPerSecond = 4000;
const unitsBeside = 64;

export class JobEventValidator {
	readonly #job: JobRequest;
	/** By channel. */
	readonly #resume: Resume[];
	#unitsLeft: number;

	/** @param audioMs length of the file, as far as it is known. */
	constructor(job: JobRequest, audioMs: number) {
		this.#job = job;
		this.#resume = job.is === "hear" ? [...job.resume] : [];
		this.#unitsLeft = unitsMin + unitsPerSecond * (audioMs / 1000);
	}

	/** @returns why the event can't come from such a job; undefined for a plausible event. */
	fault(event: FileEvent): string | undefined {
		this.#unitsLeft -= unitsOf(event);
		if (this.#unitsLeft < 0) return "more text than its audio can hold";
		switch (event.is) {
			case "trying":
				return this.#job.is === "hear" &&
					event.stretches.every((it) => this.#isSpan(it))
					? undefined
					: "a span that does not exist";
			case "heard":
				return this.#faultOfUtterances(event);
			case "voices":
				return this.#job.is === "voices"
					? undefined
					: "speakers that were not requested";
			case "progress":
			case "done":
				return undefined;
		}
	}

	#isSpan({ channel, startSample, endSample }: ChannelSpan): boolean {
		return this.#resume[channel - 1] !== undefined && startSample < endSample;
	}

	#faultOfUtterances({
		channel,
		utterances,
		resume,
	}: UtterancesEvent): string | undefined {
		const before = this.#resume[channel - 1];
		if (!before) return "a channel that was not requested";
		if (resume.sample < before.sample) return "a position before the last one";
		const isCounted = utterances.every(
			({ index }, i) => index === before.index + i,
		);
		if (!isCounted || resume.index !== before.index + utterances.length)
			return "wrong utterance numbers";
		this.#resume[channel - 1] = resume;
		return undefined;
	}
}

function unitsOf(event: FileEvent): number {
	const utterances = event.is === "heard" ? event.utterances : [];
	const inText = utterances.reduce((sum, it) => sum + unitsOfUtterance(it), 0);
	const turns = event.is === "voices" ? event.turns.length : 0;
	return unitsBeside * (1 + turns) + inText;
}

function unitsOfUtterance({ text, spoken = "", words }: Utterance): number {
	const inWords = words.reduce(
		(sum, it) => sum + it.text.length + unitsBeside,
		0,
	);
	return text.length + spoken.length + inWords;
}

/** Checks for jobs that no well-behaved owner sends. @returns undefined for a valid job. */
export function faultOfJob(job: JobRequest): string | undefined {
	if (job.is === "voices")
		return job.regions.every(({ startMs, endMs }) => startMs < endMs)
			? undefined
			: "a region that ends before it begins";
	if (job.resume.length !== job.source.channels)
		return "resume positions that do not match its channels";
	return job.skip.every(({ startSample, endSample }) => startSample < endSample)
		? undefined
		: "a span that ends before it begins";
}
