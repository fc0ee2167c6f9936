/**
 * What a speaker's client saw, and what is made of it: delays counted from the sound itself, and how restless the shown text was.
 * Pure, so that what the measurements mean is pinned by tests. Times are milliseconds since the first sample was spoken.
 */
export interface Shown {
	readonly atMs: number;
	/** Everything that is shown for the session at that moment. */
	readonly text: string;
}

export interface Timeline {
	readonly partials: readonly Shown[];
	/** The text that stays. */
	readonly final: Shown;
	/** When the client said that it has finished; absent where the service found the end itself. */
	readonly stoppedAtMs?: number;
}

/** Where speech lies in a clip. */
export interface SpeechBounds {
	readonly beginMs: number;
	/** Of the first word. */
	readonly firstWordEndMs: number;
	readonly endMs: number;
}

/** From the first sound of speech to the first text; undefined where the final was the first. */
export function firstPartialMs(
	{ partials }: Timeline,
	{ beginMs }: SpeechBounds,
): number | undefined {
	const first = partials.find((it) => it.text !== "");
	return first && first.atMs - beginMs;
}

/** Between one text and the next, while speech goes on. */
export function cadencesMs(
	{ partials }: Timeline,
	{ endMs }: SpeechBounds,
): readonly number[] {
	const spoken = partials.filter((it) => it.atMs <= endMs);
	return spoken.slice(1).map((it, at) => it.atMs - (spoken[at]?.atMs ?? 0));
}

/** A service that repeats itself is not steadier for it. */
export function changesOnly(timeline: Timeline): Timeline {
	const partials = timeline.partials.filter(
		({ text }, at) => text !== (timeline.partials[at - 1]?.text ?? ""),
	);
	return { ...timeline, partials };
}

/** When the text that stays was shown first, whether or not it was said to be final. */
export function lastChangeMs({ partials, final }: Timeline): number {
	const lastOther = partials.findLastIndex(({ text }) => text !== final.text);
	return partials[lastOther + 1]?.atMs ?? final.atMs;
}

export interface Restlessness {
	readonly messages: number;
	/** Messages that took back something shown. */
	readonly takingBack: number;
	readonly charactersShown: number;
	readonly charactersTakenBack: number;
}

/** Without the last partial where it is only the herald of the final text, sent in the same breath. */
export function withoutEcho(timeline: Timeline): Timeline {
	const { partials, final } = timeline;
	const last = partials.at(-1);
	const isEcho = last?.text === final.text && final.atMs - last.atMs < breathMs;
	return isEcho ? { ...timeline, partials: partials.slice(0, -1) } : timeline;
}

const breathMs = 20;

/** Only what is said: marks and spaces come and go without anybody's having misheard. */
export function lettersOnly(timeline: Timeline): Timeline {
	const bare = (shown: Shown): Shown => ({
		...shown,
		text: shown.text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase(),
	});
	const { partials, final } = timeline;
	return { ...timeline, partials: partials.map(bare), final: bare(final) };
}

/** @param withFinal whether the text that stays may take back, too. */
export function restlessness(
	{ partials, final }: Timeline,
	withFinal = false,
): Restlessness {
	let messages = 0;
	let takingBack = 0;
	let charactersShown = 0;
	let charactersTakenBack = 0;
	let before: readonly string[] = [];
	for (const { text } of withFinal ? [...partials, final] : partials) {
		const now = [...text];
		const kept = commonLength(before, now);
		messages++;
		if (before.length > kept) takingBack++;
		charactersTakenBack += before.length - kept;
		charactersShown += now.length - kept;
		before = now;
	}
	return { messages, takingBack, charactersShown, charactersTakenBack };
}

export function addRestlessness(all: readonly Restlessness[]): Restlessness {
	const total = (of: keyof Restlessness) =>
		all.reduce((sum, one) => sum + one[of], 0);
	return {
		messages: total("messages"),
		takingBack: total("takingBack"),
		charactersShown: total("charactersShown"),
		charactersTakenBack: total("charactersTakenBack"),
	};
}

function commonLength(
	one: readonly string[],
	other: readonly string[],
): number {
	let length = 0;
	while (length < one.length && one[length] === other[length]) length++;
	return length;
}
