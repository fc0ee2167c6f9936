/**
 * Which lists of words one engine process has, as the main process knows it: a list is sent once, however many recognitions name it, and what was not
 * used for longest is given up when there is too much of it.
 *
 * INVARIANTS
 * - What names a list goes after its last piece, and before anything that makes the engine forget it.
 * - One sender at a time, with a turn of the event loop between handfuls of pieces: a big list holds up neither other requests nor a ping.
 */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { RecognitionOptions } from "../session/options.js";
import type { WordList } from "../words/word-list.js";
import { type ToEngine, wordListUnitsMax } from "./protocol.js";
import type { SentOptions } from "./sent-options.js";

/** Of all lists that an engine keeps, in UTF-16 units: some fifteen full databases, and four times as much again once they are compiled. */
const keptUnitsMax = 8 * 1024 * 1024;
/** Sent without a pause. */
const unitsBetweenTurns = 256 * 1024;

interface Supply {
	readonly lists: readonly WordList[];
	readonly then: () => void;
}

export class SentWordLists {
	readonly #send: (message: ToEngine) => void;
	readonly #keptUnitsMax: number;
	/** Units by key; used last is last. */
	readonly #kept = new Map<string, number>();
	readonly #waiting: Supply[] = [];
	#keptUnits = 0;
	#sending = false;

	constructor(send: (message: ToEngine) => void, unitsMax = keptUnitsMax) {
		this.#send = send;
		this.#keptUnitsMax = unitsMax;
	}

	/** @param then called when every list is there, or on its way in front of what is sent next: at once where nothing big is missing. */
	supply(lists: readonly WordList[], then: () => void): void {
		this.#waiting.push({ lists, then });
		if (!this.#sending) void this.#run();
	}

	async #run(): Promise<void> {
		this.#sending = true;
		for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
			let sentUnits = 0;
			for (const list of next.lists)
				for (const piece of this.#missing(list)) {
					this.#send(piece.message);
					sentUnits += piece.units;
					if (sentUnits < unitsBetweenTurns) continue;
					sentUnits = 0;
					await yieldToEventLoop();
				}
			this.#giveUp(next.lists);
			next.then();
		}
		this.#sending = false;
	}

	/** What is to be sent of a list; nothing where it is there. */
	*#missing({ key, entries }: WordList) {
		const known = this.#kept.get(key);
		this.#kept.delete(key);
		if (known !== undefined) {
			this.#kept.set(key, known);
			return;
		}
		let total = 0;
		for (let from = 0, last = false; !last; ) {
			let to = from;
			let units = 0;
			while (to < entries.length && units < wordListUnitsMax)
				units += entries[to++]?.length ?? 0;
			last = to === entries.length;
			const piece = entries.slice(from, to);
			total += units + piece.length * unitsPerEntry;
			const message = { is: "word-list", key, entries: piece, last } as const;
			yield { message, units };
			from = to;
		}
		this.#kept.set(key, total);
		this.#keptUnits += total;
	}

	/** @param staying named by what is sent next. */
	#giveUp(staying: readonly WordList[]): void {
		const stay = new Set(staying.map((it) => it.key));
		const keys: string[] = [];
		for (const [key, units] of this.#kept) {
			if (this.#keptUnits <= this.#keptUnitsMax) break;
			if (stay.has(key)) continue;
			this.#kept.delete(key);
			this.#keptUnits -= units;
			keys.push(key);
		}
		if (keys.length > 0) this.#send({ is: "forget-words", keys });
	}
}

/** What an entry takes beside its letters. */
const unitsPerEntry = 16;

/** The options as they are sent: keys in place of lists. */
export function sentOptions(options: RecognitionOptions): SentOptions {
	const { hotwords, corrections, forbidden, ...others } = options;
	return {
		...others,
		...(hotwords && {
			hotwords: { key: hotwords.list.key, weight: hotwords.weight },
		}),
		...(corrections && { corrections: corrections.map((it) => it.key) }),
		...(forbidden && { forbidden: forbidden.map((it) => it.key) }),
	};
}
