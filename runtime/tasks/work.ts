/**
 * How far a task has come, and what is made of an engine that died over it. Pure: what is here is kept with the task and decides how its next job is asked for.
 *
 * A stretch that was tried when an engine died is a suspect until it is heard. While there are suspects, segments are tried one at a time, so that the one
 * that kills is found; at its third death it is left out. An engine that keeps dying without anything left out or heard ends the task.
 */
import type {
	Channel,
	ChannelSpan,
	FileEvent,
	Resume,
} from "../engine/file-job.js";

export interface Suspect {
	readonly stretch: ChannelSpan;
	/** Engines that died while it was tried. */
	readonly deaths: number;
}

export interface Work {
	/** By channel. */
	readonly resume: readonly Resume[];
	/** 0 to 99: of the whole task. */
	readonly progress: number;
	readonly suspects: readonly Suspect[];
	/** Never to be tried again. */
	readonly skip: readonly ChannelSpan[];
	/** Engines that died since it last came further. */
	readonly deathsInVain: number;
	/** Taken up so often since it last came further. */
	readonly startsInVain: number;
	/** Everything is heard; the file's length by its samples. */
	readonly audioMs?: number;
	/** Voices were told apart, or can't be: why not. */
	readonly voices?: { readonly missing?: string };
}

/** What to do after a death. */
export type Verdict =
	| { readonly is: "go-on"; readonly work: Work }
	/** The engine keeps dying. */
	| { readonly is: "give-up"; readonly work: Work };

const deathsMax = 3;
/** Stretches of one file that are left out before it is called the file's, or the engine's, fault. */
const skipsMax = 20;
/** Also a task that takes the whole program down must end. */
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

/** @returns undefined where it was taken up in vain too often. */
export function takenUp(work: Work): Work | undefined {
	const startsInVain = work.startsInVain + 1;
	return startsInVain > startsMax ? undefined : { ...work, startsInVain };
}

/** It was not its fault that it came no further. */
export function putBack(work: Work): Work {
	return { ...work, startsInVain: Math.max(0, work.startsInVain - 1) };
}

export function afterUtterances(
	work: Work,
	{ channel, resume }: Extract<FileEvent, { readonly is: "heard" }>,
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
		suspects: work.suspects.filter(({ stretch }) => !isRecognized(stretch)),
	};
}

export function afterRecognition(work: Work, audioMs: number): Work {
	return { ...progressed(work), audioMs, suspects: [] };
}

export function afterDiarization(work: Work, missing?: string): Work {
	const voices = missing === undefined ? {} : { missing };
	return { ...progressed(work), voices };
}

/** @param tried when the engine died; empty: nobody knows what it died of. */
export function afterDeath(work: Work, tried: readonly ChannelSpan[]): Verdict {
	const suspects = blame(work.suspects, tried);
	const guilty = suspects.filter(({ deaths }) => deaths >= deathsMax);
	const skip = [...work.skip, ...guilty.map((it) => it.stretch)];
	const after: Work = {
		...work,
		suspects: suspects.filter((it) => !guilty.includes(it)),
		skip,
		deathsInVain: guilty.length > 0 ? 0 : work.deathsInVain + 1,
		startsInVain: guilty.length > 0 ? 0 : work.startsInVain,
	};
	const isHopeless = after.deathsInVain >= deathsMax || skip.length > skipsMax;
	return { is: isHopeless ? "give-up" : "go-on", work: after };
}

/** One segment at a time: one of several is the one that kills. */
export function isSuspicious(work: Work): boolean {
	return work.suspects.length > 0;
}

/** It was worked on by an engine that died, and nothing was heard since: it is not to take others along. */
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
	const blamed = tried.map((stretch) => {
		const known = suspects.find((it) => isSame(it.stretch, stretch));
		if (known) seen.add(known);
		return { stretch, deaths: (known?.deaths ?? 0) + 1 };
	});
	return [...suspects.filter((it) => !seen.has(it)), ...blamed];
}

/** Begun from elsewhere, a stretch may be cut a little differently: more than half of the shorter one. */
function isSame(one: ChannelSpan, other: ChannelSpan): boolean {
	if (one.channel !== other.channel) return false;
	const begin = Math.max(one.startSample, other.startSample);
	const end = Math.min(one.endSample, other.endSample);
	return 2 * (end - begin) > Math.min(samplesOf(one), samplesOf(other));
}

function samplesOf({ startSample, endSample }: ChannelSpan): number {
	return endSample - startSample;
}

/** How a stretch that was left out is told to people. @param channel said where there are two. */
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
