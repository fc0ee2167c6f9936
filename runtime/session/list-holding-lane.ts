/**
 * A lane whose recognitions hold the stored lists that they use, from the request for a slot to their end, so that no list in use is removed
 * (docs/interface.md section 3.1).
 */
import type { ListUsage } from "../words/list-usage.js";
import { listsOf } from "../words/referred-lists.js";
import type { WordList } from "../words/word-list.js";
import type { SessionEvent } from "./events.js";
import { ForwardedRecognition } from "./forwarded-recognition.js";
import type { Lane, Recognition, RecognitionCaller } from "./lane-port.js";
import type { RecognitionOptions } from "./options.js";

export class ListHoldingLane implements Lane {
	readonly #lane: Lane;
	readonly #usage: ListUsage;

	constructor(lane: Lane, usage: ListUsage) {
		this.#lane = lane;
		this.#usage = usage;
	}

	async open(
		options: RecognitionOptions,
		caller: RecognitionCaller,
		signal?: AbortSignal,
		asksAgain?: boolean,
	): Promise<Recognition> {
		const used = withoutEmptyLists(options);
		const open = () => this.#lane.open(used, caller, signal, asksAgain);
		const lists = listsOf(options);
		if (lists.length === 0) return open();
		const release = this.#usage.hold(lists);
		try {
			const recognition = await open();
			return new HoldingRecognition(recognition, release);
		} catch (error) {
			release();
			throw error;
		}
	}
}

/** They are in use as others are, but nothing is looked for in them. */
function withoutEmptyLists(options: RecognitionOptions): RecognitionOptions {
	if (listsOf(options).every(hasEntries)) return options;
	const { hotwords, corrections = [], forbidden = [], ...others } = options;
	const lists = {
		corrections: corrections.filter(hasEntries),
		forbidden: forbidden.filter(hasEntries),
	};
	return {
		...others,
		...(hotwords && hasEntries(hotwords.list) && { hotwords }),
		...(lists.corrections.length > 0 && { corrections: lists.corrections }),
		...(lists.forbidden.length > 0 && { forbidden: lists.forbidden }),
	};
}

function hasEntries({ entries }: WordList): boolean {
	return entries.length > 0;
}

class HoldingRecognition extends ForwardedRecognition {
	readonly #release: () => void;

	constructor(recognition: Recognition, release: () => void) {
		super(recognition, heldUntilEnd(recognition.events, release));
		this.#release = release;
	}

	override cancel(): void {
		super.cancel();
		this.#release();
	}
}

async function* heldUntilEnd(
	events: AsyncIterable<SessionEvent>,
	release: () => void,
): AsyncGenerator<SessionEvent> {
	try {
		for await (const event of events) {
			if (event.is === "completed") release(); // before the client receives the event
			yield event;
		}
	} finally {
		release();
	}
}
