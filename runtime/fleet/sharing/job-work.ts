/** A job on its way to another device: without the path, which is local, and with the contents of its word lists, whose keys mean nothing there. */
import type { JobRequest } from "../../engine/remote-job.js";
import { plainOptionsOf } from "../../session/options.js";
import { inlineKey } from "../../words/list-key.js";
import type { WordList } from "../../words/word-list.js";
import type { JobWork } from "../payloads/jobs.js";

export function workOf(job: JobRequest): JobWork {
	const { path: _, ...source } = job.source;
	if (job.is === "voices")
		return {
			is: "voices",
			source,
			regions: [...job.regions],
			count: job.count,
		};
	const { hotwords, corrections, forbidden, ...others } = job.options;
	return {
		is: "hear",
		source,
		options: {
			...plainOptionsOf(others),
			...(hotwords && {
				hotwords: { list: sentListOf(hotwords.list), weight: hotwords.weight },
			}),
			...(corrections && { corrections: corrections.map(sentListOf) }),
			...(forbidden && { forbidden: forbidden.map(sentListOf) }),
		},
		resume: [...job.resume],
		skip: [...job.skip],
		oneByOne: job.oneByOne,
	};
}

function sentListOf({ entries }: WordList) {
	return { entries: [...entries] };
}

/** @param path of the file as fetched. */
export function wantedJob(work: JobWork, path: string): JobRequest {
	const source = { ...work.source, path };
	if (work.is === "voices") return { ...work, source };
	const { hotwords, corrections, forbidden, ...others } = work.options;
	return {
		...work,
		source,
		options: {
			...others,
			...(hotwords && {
				hotwords: {
					list: receivedListOf(hotwords.list),
					weight: hotwords.weight,
				},
			}),
			...(corrections && { corrections: corrections.map(receivedListOf) }),
			...(forbidden && { forbidden: forbidden.map(receivedListOf) }),
		},
	};
}

/** Named by its content, so that lists of different devices are never confused. */
function receivedListOf({ entries }: Pick<WordList, "entries">): WordList {
	return { key: inlineKey(entries), entries };
}
