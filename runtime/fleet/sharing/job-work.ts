/** A job on its way to another device: without the path, which is local, and with the contents of its word lists, whose keys mean nothing there. */
import type { JobRequest } from "../../engine/remote-job.js";
import { plainOptionsOf } from "../../session/options.js";
import { inlineKey } from "../../words/list-key.js";
import { mapLists } from "../../words/referred-lists.js";
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
	return {
		is: "hear",
		source,
		options: {
			...plainOptionsOf(job.options),
			...mapLists(job.options, sentListOf),
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
	const {
		hotwords: _,
		corrections: __,
		forbidden: ___,
		...others
	} = work.options;
	return {
		...work,
		source,
		options: { ...others, ...mapLists(work.options, receivedListOf) },
	};
}

/** Named by its content, so that lists of different devices are never confused. */
function receivedListOf({ entries }: Pick<WordList, "entries">): WordList {
	return { key: inlineKey(entries), entries };
}
