/**
 * How far a task has come, and the consequences of an engine's death. Pure: this state is stored with the task and determines its next job.
 *
 * A span that was tried when an engine died is a suspect until it is recognized. While there are suspects, segments are tried one at a time, to find the one
 * that is fatal; at its third death it is left out. If engines keep dying while nothing is left out or recognized, the task fails.
 */
import type {
	Channel,
	ChannelSpan,
	Resume,
	UtterancesEvent,
} from "../engine/file-job.js";

export interface Suspect {
	readonly stretch: ChannelSpan;
	/** Engines that died while it was tried. */
	readonly deaths: number;
}

export interface Work {
	/** By channel. */
	readonly resume: readonly Resume[];
	/** 0 to 99, of the whole task. */
	readonly progress: number;
	readonly suspects: readonly Suspect[];
	/** Spans that are never tried again. */
	readonly skip: readonly ChannelSpan[];
	/** Engines that died since the last progress. */
	readonly deathsInVain: number;
	/** Starts since the last progress. */
	readonly startsInVain: number;
	/** Set when recognition is complete; the file's length by its samples. */
	readonly audioMs?: number;
	/** Set when diarization has succeeded or failed; `missing`: why it failed. */
	readonly voices?: { readonly missing?: string };
}

/** What to do after a death. */
export type Verdict =
	| { readonly is: "go-on"; readonly work: Work }
	/** The engine keeps dying. */
	| { readonly is: "give-up"; readonly work: Work };

const deathsMax = 3;
/** Spans of one file that are left out before the file, or the engine, is considered broken. */
const skipsMax = 20;
/** A task that takes the whole program down must end as well. */
const startsMax = 30;

export function freshWork(channels: 1 | 2): Work {
	const beginning: Resume = { sample: 0, index: 1 };
	return {
		resume: channels === 2 ? [beginning, beginning] : [beginning],
		progress: 0,
		suspects: [],
		skip: [],
		deathsInVain: 0,
		startsInVain: 0,
	};
}

/** @returns undefined where it was started too often without progress. */
export function takenUp(work: Work): Work | undefined {
	const startsInVain = work.startsInVain + 1;
	return startsInVain > startsMax ? undefined : { ...work, startsInVain };
}

/** The missing progress was not the task's fault: the start is not counted. */
export function putBack(work: Work): Work {
	return { ...work, startsInVain: Math.max(0, work.startsInVain - 1) };
}

export function afterUtterances(
	work: Work,
	{ channel, resume }: UtterancesEvent,
	progress: number,
): Work {
	const isRecognized = (it: ChannelSpan) =>
		it.channel === channel && it.startSample < resume.sample;
	return {
		...progressed(work),
		resume: work.resume.map((it, index) =>
			index === channel - 1 ? resume : it,
		),
		progress: Math.max(work.progress, progress),
		suspects: work.suspects.filter((it) => !isRecognized(it.stretch)),
	};
}

export function afterRecognition(work: Work, audioMs: number): Work {
	return { ...progressed(work), audioMs, suspects: [] };
}

export function afterDiarization(work: Work, missing?: string): Work {
	const voices = missing === undefined ? {} : { missing };
	return { ...progressed(work), voices };
}

/** @param tried spans when the engine died; empty: the cause is unknown. */
export function afterDeath(work: Work, tried: readonly ChannelSpan[]): Verdict {
	const suspects = blame(work.suspects, tried);
	const fatal = suspects.filter(({ deaths }) => deaths >= deathsMax);
	const skip = [...work.skip, ...fatal.map((it) => it.stretch)];
	const after: Work = {
		...work,
		suspects: suspects.filter((it) => !fatal.includes(it)),
		skip,
		deathsInVain: fatal.length > 0 ? 0 : work.deathsInVain + 1,
		startsInVain: fatal.length > 0 ? 0 : work.startsInVain,
	};
	const isHopeless = after.deathsInVain >= deathsMax || skip.length > skipsMax;
	return { is: isHopeless ? "give-up" : "go-on", work: after };
}

/** Segments are to be tried one at a time: one of the suspects is fatal. */
export function isSuspicious(work: Work): boolean {
	return work.suspects.length > 0;
}

/** An engine died over it and nothing was recognized since: it must not take other tasks down. */
export function isDangerous(work: Work): boolean {
	return work.deathsInVain > 0 || isSuspicious(work);
}

function progressed(work: Work): Work {
	return { ...work, deathsInVain: 0, startsInVain: 0 };
}

function blame(
	suspects: readonly Suspect[],
	tried: readonly ChannelSpan[],
): readonly Suspect[] {
	const seen = new Set<Suspect>();
	const blamed = tried.map((span) => {
		const known = suspects.find((it) => isSame(it.stretch, span));
		if (known) seen.add(known);
		return { stretch: span, deaths: (known?.deaths ?? 0) + 1 };
	});
	return [...suspects.filter((it) => !seen.has(it)), ...blamed];
}

/** Started from another position, a span may be cut slightly differently: an overlap of more than half of the shorter one counts. */
function isSame(one: ChannelSpan, other: ChannelSpan): boolean {
	if (one.channel !== other.channel) return false;
	const begin = Math.max(one.startSample, other.startSample);
	const end = Math.min(one.endSample, other.endSample);
	return 2 * (end - begin) > Math.min(samplesOf(one), samplesOf(other));
}

function samplesOf({ startSample, endSample }: ChannelSpan): number {
	return endSample - startSample;
}

/** Describes a span that was left out. @param channel named where there are two. */
export function skipNote(
	{ channel, startSample, endSample }: ChannelSpan,
	channels: 1 | 2,
	timeCode: (milliseconds: number) => string,
): string {
	const [begin, end] = [startSample, endSample].map((it) => timeCode(it / 16));
	const where =
		channels === 2 ? ` of channel ${channel satisfies Channel}` : "";
	return `not transcribed${where}: ${begin} to ${end}, the recognition engine died ${deathsMax} times while processing it`;
}
