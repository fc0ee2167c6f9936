/** Corrections of a transcript by people. What was heard stays beside them; every format is made from the corrected text. */
import { CodedError } from "../errors.js";
import type { TaskEditRepository } from "../store/task-edits.js";
import type { ResultSegment } from "./result/result.js";
import type { StoredResult, TranscriptEdit } from "./task-service.js";

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

/** @throws CodedError 200002 for a segment that does not exist */
export async function applyEdit(
	edits: TaskEditRepository,
	id: string,
	result: StoredResult,
	{ speakers, segments = [] }: TranscriptEdit,
	nowSeconds: number,
): Promise<void> {
	const texts = new Map(
		segments.map(({ seg_num, transcript }) => [
			seg_num,
			transcript?.trim() ?? null,
		]),
	);
	const missing = new Set(texts.keys());
	if (missing.size > 0)
		for (const { seg_num } of result.segments()) {
			missing.delete(seg_num);
			if (missing.size === 0) break;
		}
	const [first] = missing;
	if (first !== undefined)
		throw new CodedError(
			"200002",
			`segments: this transcript has no seg_num ${first}`,
		);
	await edits.change(
		id,
		texts,
		speakers && renamed(edits.speakers(id), speakers),
		nowSeconds,
	);
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
