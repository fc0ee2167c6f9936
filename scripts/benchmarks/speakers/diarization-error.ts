/**
 * Diarization error rate as NIST's md-eval counts it: seconds that were missed, that nobody said, and that were given to somebody else, against the seconds
 * that were said; where two speak at once, each counts. Speakers are matched so that the error is least. With a collar, what lies that near to a border of
 * the reference is not looked at.
 */
export interface SpokenTurn {
	readonly startSeconds: number;
	readonly endSeconds: number;
	readonly speaker: string;
}

export interface DiarizationErrors {
	/** Seconds; of two who speak at once, both. */
	readonly spoken: number;
	readonly missed: number;
	readonly falseAlarm: number;
	readonly confused: number;
}

interface Moment {
	readonly seconds: number;
	readonly reference: readonly string[];
	readonly found: readonly string[];
}

/** More can't be matched by trying. */
const speakersMax = 16;

/** Share of what was said. */
export function errorRate(errors: DiarizationErrors): number {
	const { spoken, missed, falseAlarm, confused } = errors;
	return spoken > 0 ? (missed + falseAlarm + confused) / spoken : 0;
}

export function addErrors(
	a: DiarizationErrors,
	b: DiarizationErrors,
): DiarizationErrors {
	return {
		spoken: a.spoken + b.spoken,
		missed: a.missed + b.missed,
		falseAlarm: a.falseAlarm + b.falseAlarm,
		confused: a.confused + b.confused,
	};
}

export function diarizationErrors(
	reference: readonly SpokenTurn[],
	found: readonly SpokenTurn[],
	collarSeconds: number,
): DiarizationErrors {
	const moments = momentsOf(reference, found, collarSeconds);
	const match = bestMatch(moments);
	let errors = { spoken: 0, missed: 0, falseAlarm: 0, confused: 0 };
	for (const { seconds, reference, found } of moments) {
		const right = reference.filter((it) => found.includes(match.get(it) ?? ""));
		const surplus = found.length - reference.length;
		errors = addErrors(errors, {
			spoken: seconds * reference.length,
			missed: seconds * Math.max(0, -surplus),
			falseAlarm: seconds * Math.max(0, surplus),
			confused:
				seconds * (Math.min(reference.length, found.length) - right.length),
		});
	}
	return errors;
}

/** Stretches in which nothing changes. */
function momentsOf(
	reference: readonly SpokenTurn[],
	found: readonly SpokenTurn[],
	collar: number,
): Moment[] {
	const borders = reference.flatMap((it) => [it.startSeconds, it.endSeconds]);
	const cuts = [
		...borders.flatMap((it) => [it - collar, it, it + collar]),
		...found.flatMap((it) => [it.startSeconds, it.endSeconds]),
	].sort((a, b) => a - b);
	const moments: Moment[] = [];
	for (const [i, start] of cuts.entries()) {
		const end = cuts[i + 1] ?? start;
		const middle = (start + end) / 2;
		if (end <= start) continue;
		if (borders.some((it) => Math.abs(it - middle) < collar)) continue;
		moments.push({
			seconds: end - start,
			reference: speakersAt(reference, middle),
			found: speakersAt(found, middle),
		});
	}
	return moments;
}

function speakersAt(turns: readonly SpokenTurn[], seconds: number): string[] {
	const speakers = turns
		.filter((it) => it.startSeconds <= seconds && seconds < it.endSeconds)
		.map((it) => it.speaker);
	return [...new Set(speakers)];
}

/** Found speaker by reference speaker: the matching under which most seconds agree, by all subsets of the found ones. */
function bestMatch(moments: readonly Moment[]): Map<string, string> {
	const references = [...new Set(moments.flatMap((it) => it.reference))];
	const founds = [...new Set(moments.flatMap((it) => it.found))];
	if (founds.length > speakersMax)
		throw new Error(`${founds.length} speakers are too many to match`);
	const together = (reference: string, found: string) =>
		moments
			.filter(
				(it) => it.reference.includes(reference) && it.found.includes(found),
			)
			.reduce((sum, it) => sum + it.seconds, 0);
	type Best = { seconds: number; match: [string, string][] };
	let best = new Map<number, Best>([[0, { seconds: 0, match: [] }]]);
	for (const reference of references) {
		const next = new Map(best); // this one may stay alone
		for (const [index, found] of founds.entries()) {
			const seconds = together(reference, found);
			if (seconds === 0) continue;
			for (const [taken, before] of best) {
				if (taken & (1 << index)) continue;
				const total = before.seconds + seconds;
				const mask = taken | (1 << index);
				if (total <= (next.get(mask)?.seconds ?? -1)) continue;
				next.set(mask, {
					seconds: total,
					match: [...before.match, [reference, found]],
				});
			}
		}
		best = next;
	}
	const all = [...best.values()];
	const most = all.reduce((a, b) => (b.seconds > a.seconds ? b : a));
	return new Map(most.match);
}

/** Lines of NIST's RTTM. */
export function readRttm(text: string): SpokenTurn[] {
	return text
		.split("\n")
		.filter((line) => line.startsWith("SPEAKER "))
		.map((line) => {
			const [, , , start, duration, , , speaker = ""] = line.split(/\s+/);
			const startSeconds = Number(start);
			const endSeconds = startSeconds + Number(duration);
			return { startSeconds, endSeconds, speaker };
		});
}
