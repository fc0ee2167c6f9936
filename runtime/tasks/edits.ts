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

/** @param original the transcript, where there is one. @returns whether there is. @throws CodedError 200002 for a segment that does not exist */
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
		const missing = await finishInSlices(firstMissing(texts, result));
		if (missing !== undefined)
			throw new CodedError(
				"200002",
				`segments: this transcript has no seg_num ${missing}`,
			);
		const names = speakers && renamed(edits.speakers(id), speakers);
		await edits.change(id, texts, names, nowSeconds);
		return true;
	});
}

/** Without any pause it would read hours of transcript at once. */
function* firstMissing(
	texts: ReadonlyMap<number, unknown>,
	result: StoredResult,
): Piecewise<number | undefined> {
	const missing = new Set(texts.keys());
	if (missing.size === 0) return undefined;
	for (const { seg_num } of result.segments()) {
		missing.delete(seg_num);
		if (missing.size === 0) return undefined;
		yield;
	}
	return missing.values().next().value;
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
