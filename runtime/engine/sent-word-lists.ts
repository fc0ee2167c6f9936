/**
 * The word lists that one engine process has, as the main process knows it: a list is sent once, however many recognitions name it, and the least
 * recently used lists are dropped when they take too much memory.
 *
 * INVARIANTS
 * - A message that names a list is sent after the list's last piece, and before any message that makes the engine forget it.
 * - Lists are sent one after another, with a turn of the event loop between batches of pieces: a big list delays neither other requests nor a ping.
 */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { RecognitionOptions } from "../session/options.js";
import { mapLists } from "../words/referred-lists.js";
import type { WordList } from "../words/word-list.js";
import { type ToEngine, wordListUnitsMax } from "./protocol.js";
import type { SentOptions } from "./sent-options.js";

/** Of all lists that an engine keeps, in UTF-16 units: about fifteen full databases; compiled they take another four times as much. */
const keptUnitsMax = 8 * 1024 * 1024;
/** Sent before yielding to the event loop. */
const unitsBetweenTurns = 256 * 1024;

interface Supply {
	readonly lists: readonly WordList[];
	readonly then: () => void;
}

export class SentWordLists {
	readonly #send: (message: ToEngine) => void;
	readonly #keptUnitsMax: number;
	/** Units by key; least recently used first. */
	readonly #kept = new Map<string, number>();
	readonly #waiting: Supply[] = [];
	#keptUnits = 0;
	#sending = false;

	constructor(send: (message: ToEngine) => void, unitsMax = keptUnitsMax) {
		this.#send = send;
		this.#keptUnitsMax = unitsMax;
	}

	/** @param then called when every list is there, or sent ahead of the next message: at once where nothing big is missing. */
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

	/** The pieces of a list to be sent; none if the engine has it. */
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

	/** @param staying lists that the next message names. */
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

/** Memory of an entry beyond its characters. */
const unitsPerEntry = 16;

/** The options as they are sent: keys in place of lists. */
export function sentOptions(options: RecognitionOptions): SentOptions {
	const { hotwords: _, corrections: __, forbidden: ___, ...others } = options;
	return { ...others, ...mapLists(options, (list) => list.key) };
}
