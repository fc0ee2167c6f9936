/** Corrections of a transcript by people. The recognized text stays beside them; every format is made from the corrected text. */
import { CodedError } from "../errors.js";
import type { Piecewise } from "../event-loop/piecewise.js";
import { finishInSlices } from "../event-loop/slices.js";
import type { TaskEditRepository } from "../store/task-edits.js";
import type { ResultSegment } from "./result/result.js";
import type {
	StoredResult,
	TranscriptEdit,
	TranscriptEdits,
} from "./task-service.js";

const speakersMax = 100;

/** The result with its corrections. */
export function withEdits(
	result: StoredResult,
	edits: TaskEditRepository,
	id: string,
): StoredResult {
	const names = edits.speakers(id);
	const hasEdits = edits.hasSegments(id);
	if (!hasEdits && Object.keys(names).length === 0) return result;
	return {
		statistics: result.statistics,
		*segments() {
			const changed = edits.changed(id);
			let next = changed.next();
			for (const segment of result.segments()) {
				while (!next.done && next.value < segment.seg_num)
					next = changed.next();
				const isChanged = !next.done && next.value === segment.seg_num;
				const text = isChanged
					? edits.segment(id, segment.seg_num)?.versions.at(-1)?.text
					: undefined;
				yield corrected(segment, text ?? undefined, names);
			}
		},
	};
}

function corrected(
	segment: ResultSegment,
	text: string | undefined,
	names: Readonly<Record<string, string>>,
): ResultSegment {
	const name = names[String(segment.cluster_id)];
	return {
		...segment,
		...(text !== undefined && {
			transcript: text,
			original: segment.transcript,
		}),
		...(name !== undefined && { speaker: name }),
	};
}

/** What people changed; segments are read when they are asked for. */
export function editsOf(
	edits: TaskEditRepository,
	id: string,
): TranscriptEdits {
	return {
		speakers: edits.speakers(id),
		*segments() {
			for (const number of edits.changed(id)) {
				const edit = edits.segment(id, number);
				if (edit) yield { number, ...edit };
			}
		},
	};
}

/** @param original the transcript, where there is one. @returns whether there is. @throws CodedError 200002 for a segment or a speaker that does not exist */
export function applyEdit(
	edits: TaskEditRepository,
	id: string,
	original: () => StoredResult | undefined,
	{ speakers, segments = [] }: TranscriptEdit,
	nowSeconds: number,
): Promise<boolean> {
	const texts = new Map(
		segments.map(({ seg_num, transcript }) => [
			seg_num,
			transcript?.trim() ?? null,
		]),
	);
	return edits.alone(id, async () => {
		const result = original();
		if (!result) return false;
		const named = Object.keys(speakers ?? {}).filter(
			(it) => speakers?.[it]?.trim() !== "",
		);
		const missing = await finishInSlices(
			firstMissing([...texts.keys()], named, result),
		);
		if (missing !== undefined) throw new CodedError("200002", missing);
		const names = speakers && renamed(edits.speakers(id), speakers);
		await edits.change(id, texts, names, nowSeconds);
		return true;
	});
}

/** Without any pause it would read hours of transcript at once. @returns what is wrong. */
function* firstMissing(
	numbers: readonly number[],
	named: readonly string[],
	result: StoredResult,
): Piecewise<string | undefined> {
	const segments = new Set(numbers);
	const speakers = new Set(named);
	if (segments.size + speakers.size === 0) return undefined;
	for (const segment of result.segments()) {
		segments.delete(segment.seg_num);
		for (const id of speakersOf(segment)) speakers.delete(String(id));
		if (segments.size + speakers.size === 0) return undefined;
		yield;
	}
	const [segment] = segments;
	const [speaker] = speakers;
	return segment === undefined
		? `speakers: this transcript has no cluster_id ${speaker}`
		: `segments: this transcript has no seg_num ${segment}`;
}

function speakersOf(segment: ResultSegment): readonly number[] {
	const { cluster_id, overlap_cluster_ids = [] } = segment;
	return cluster_id === undefined
		? overlap_cluster_ids
		: [cluster_id, ...overlap_cluster_ids];
}

function renamed(
	before: Readonly<Record<string, string>>,
	changes: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
	const names = new Map(Object.entries(before));
	for (const [number, name] of Object.entries(changes)) {
		const trimmed = name.trim();
		if (trimmed === "") names.delete(number);
		else names.set(number, trimmed);
	}
	if (names.size > speakersMax)
		throw new CodedError(
			"200002",
			`speakers must be at most ${speakersMax}, got ${names.size}`,
		);
	return Object.fromEntries(names);
}
