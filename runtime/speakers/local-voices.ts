/**
 * Voices of the looks (local-looks.ts) and voices of the recording: where one gives way to another a stretch is divided; what is known of one voice of a look
 * is put together; and where two speak at once, who the other one is.
 */
import { windowSamples } from "../segmentation/speech-detector.js";
import { type Group, groupOf, growTree, nearestGroup } from "./groups.js";
import { type LocalLooks, windowMs } from "./local-looks.js";
import type { SpeakerTurn } from "./turns.js";
import type { Region, VoiceWindow } from "./windows.js";

/** No stretch is cut nearer to its ends. */
const crumbMs = 250;
/** A window is a local voice's, if so much of it is that voice alone. */
const ownShareMin = 0.6;
/** A local voice of less speech tells nothing; a voice of the recording has more somewhere. */
const localSecondsMin = 1;
const foundingSecondsMin = 1.5;
/** In longer recordings each voice is in so many windows that those alone tell (voices.ts). */
const localsMax = 100;
/** Two at once for less is a border, drawn a little wrong. */
const overlapMsMin = 100;

/** One voice of one look. */
export interface LocalVoice {
	readonly look: number;
	readonly voice: number;
	/** The mean's direction. */
	readonly embedding: Float32Array;
	readonly seconds: number;
}

/** @returns the stretches, cut where within a look one voice gives way to another. */
export function dividedAtChanges(
	stretches: readonly Region[],
	looks: LocalLooks,
): Region[] {
	return stretches.flatMap(({ startMs, endMs }) => {
		const parts: Region[] = [];
		let fromMs = startMs;
		let last: { readonly look: number; readonly voice: number } | undefined;
		const first = Math.floor(startMs / windowMs);
		for (let window = first; window * windowMs < endMs; window++) {
			const look = looks.best(window);
			if (look === undefined) continue;
			const [voice, other] = looks.voicesIn(look, window);
			if (voice === undefined || other !== undefined) continue;
			const cutMs = window * windowMs;
			const isChange = last?.look === look && last.voice !== voice;
			if (isChange && cutMs - fromMs >= crumbMs && endMs - cutMs >= crumbMs) {
				parts.push({ startMs: fromMs, endMs: cutMs });
				fromMs = cutMs;
			}
			last = { look, voice };
		}
		return [...parts, { startMs: fromMs, endMs }];
	});
}

/** @param embeddings one for each window; undefined where nothing could be told. */
export function localVoicesOf(
	windows: readonly VoiceWindow[],
	embeddings: readonly (Float32Array | undefined)[],
	looks: LocalLooks,
): LocalVoice[] {
	const found = new Map<string, LocalVoice>();
	for (const [i, window] of windows.entries()) {
		const embedding = embeddings[i];
		if (!embedding) continue;
		const first = Math.floor(window.startSample / windowSamples);
		const end = Math.ceil(window.endSample / windowSamples);
		for (const look of looksOf(looks, first, end)) {
			const voice = onlyVoice(looks, look, first, end);
			if (voice === undefined) continue;
			const key = `${look}/${voice}`;
			const before = found.get(key);
			const seconds = ((end - first) * windowMs) / 1000;
			const sum = before?.embedding ?? new Float32Array(embedding.length);
			for (let k = 0; k < sum.length; k++)
				sum[k] = (sum[k] as number) + (embedding[k] as number) * seconds;
			found.set(key, {
				look,
				voice,
				embedding: sum,
				seconds: seconds + (before?.seconds ?? 0),
			});
		}
	}
	return [...found.values()].map((it) => ({
		...it,
		embedding: groupOf([it.embedding]).centre,
	}));
}

/**
 * Voices of the recording, by the local ones: those of one look are never the same.
 * @param distanceMax see growTree.
 */
export function groupsApart(
	locals: readonly LocalVoice[],
	distanceMax: number,
): Group[] {
	const told = locals.filter((it) => it.seconds >= localSecondsMin);
	if (told.length > localsMax) return [];
	const localOf = new Map(told.map((it) => [it.embedding, it]));
	const all = (group: Group) =>
		group.members.map((it) => localOf.get(it) as LocalVoice);
	const mayJoin = (a: Group, b: Group) =>
		!all(a).some(({ look }) => all(b).some((it) => it.look === look));
	return growTree(
		told.map((it) => it.embedding),
		distanceMax,
		Number.POSITIVE_INFINITY,
		mayJoin,
	).filter((it) =>
		all(it).some(({ seconds }) => seconds >= foundingSecondsMin),
	);
}

/**
 * Who else speaks, where at least half of the looks say two.
 * @param turns in order, none over another.
 * @param groups of each voice; numbers[i] is the number of groups[i].
 */
export function turnsBeside(
	turns: readonly SpeakerTurn[],
	stretches: readonly Region[],
	looks: LocalLooks,
	locals: readonly LocalVoice[],
	groups: readonly Group[],
	numbers: readonly number[],
): SpeakerTurn[] {
	if (groups.length < 2) return [];
	const speakers = new Map(
		locals.map(({ look, voice, embedding }) => [
			`${look}/${voice}`,
			numbers[nearestGroup(embedding, groups)] as number,
		]),
	);
	const beside: SpeakerTurn[] = [];
	let at = 0;
	for (const { startMs, endMs } of stretches) {
		let open: { startMs: number; endMs: number; speaker: number } | undefined;
		const close = () => {
			if (open && open.endMs - open.startMs >= overlapMsMin)
				beside.push({ ...open, beside: true });
			open = undefined;
		};
		for (
			let window = Math.ceil(startMs / windowMs);
			(window + 1) * windowMs <= endMs;
			window++
		) {
			const ms = window * windowMs;
			while ((turns[at]?.endMs ?? Number.POSITIVE_INFINITY) <= ms) at++;
			const speaker = otherAt(window, turns[at]?.speaker, looks, speakers);
			if (speaker !== open?.speaker) close();
			if (speaker === undefined) continue;
			open ??= { startMs: ms, endMs: ms, speaker };
			open.endMs = ms + windowMs;
		}
		close();
	}
	return beside;
}

/** @param speakers by look and voice. @returns who speaks in a window beside somebody. */
function otherAt(
	window: number,
	main: number | undefined,
	looks: LocalLooks,
	speakers: ReadonlyMap<string, number>,
): number | undefined {
	const places = looks.seeing(window);
	const votes = new Map<number, number>();
	let two = 0;
	for (const look of places) {
		const voices = looks.voicesIn(look, window);
		if (voices.length < 2) continue;
		two++;
		for (const voice of voices) {
			const speaker = speakers.get(`${look}/${voice}`);
			if (speaker === undefined || speaker === main) continue;
			votes.set(speaker, (votes.get(speaker) ?? 0) + 1);
		}
	}
	if (two === 0 || two * 2 < places.length) return undefined;
	return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** Looks that saw any of these windows. */
function looksOf(looks: LocalLooks, first: number, end: number): Set<number> {
	return new Set([...looks.seeing(first), ...looks.seeing(end - 1)]);
}

function onlyVoice(
	looks: LocalLooks,
	look: number,
	first: number,
	end: number,
): number | undefined {
	const alone = [0, 0, 0];
	for (let window = first; window < end; window++) {
		const [voice, other] = looks.voicesIn(look, window);
		if (voice !== undefined && other === undefined)
			alone[voice] = (alone[voice] as number) + 1;
	}
	const most = Math.max(...alone);
	return most >= ownShareMin * (end - first) ? alone.indexOf(most) : undefined;
}
