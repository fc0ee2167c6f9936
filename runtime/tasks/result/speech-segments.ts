/** The segments of speech that is no stored task, all at once: from the same rules as those of a file. */
import type { FileOptions } from "../file-options.js";
import { composeResult } from "./compose.js";
import type { ResultParts } from "./parts.js";
import type { ResultSegment } from "./result.js";

const times = { insert_time: "", process_time: "", finish_time: "" };

export async function segmentsOf(
	options: FileOptions,
	{ channels, turns }: Pick<ResultParts, "channels" | "turns">,
): Promise<readonly ResultSegment[]> {
	const pieces = composeResult({
		options,
		channels,
		turns,
		times,
		keywords: { find: async () => [] },
	});
	const segments: ResultSegment[] = [];
	for await (const piece of pieces)
		if (piece.is === "segments") segments.push(...piece.segments);
	return segments;
}
