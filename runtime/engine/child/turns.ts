/**
 * One recognizer, many recognitions: who decodes next. Finals go before anything speculative, and among equals everybody has their turn.
 */
import { setImmediate as breathe } from "node:timers/promises";
import type { Hypothesis, SpeechRecognizer } from "../../models/recognizer.js";
import type { Decode } from "../../session/decode-plan.js";
import type { RecognitionOptions } from "../../session/options.js";

/** A recognition that wants decodes. */
export interface Seat {
	readonly options: RecognitionOptions;
	readonly finalsOwed: number;
	nextDecode(urgency: Decode["urgency"]): Decode | undefined;
	/** Polled while the decode runs. */
	mayAbandon(decode: Decode, othersAreOwed: boolean): boolean;
	settle(decode: Decode, result: Hypothesis | "cancelled"): void;
	/** The recognizer could not. */
	fail(error: unknown): void;
}

const urgencies = ["final", "speculative"] as const;

export class Turns {
	readonly #recognizer: SpeechRecognizer;
	readonly #beam: number;
	/** The one that had its turn last is last. */
	#seats: Seat[] = [];
	#busy = false;
	#audioSeconds = 0;
	#decodeSeconds = 0;

	/** @param beam where a request does not say. */
	constructor(recognizer: SpeechRecognizer, beam: number) {
		this.#recognizer = recognizer;
		this.#beam = beam;
	}

	get audioSeconds(): number {
		return this.#audioSeconds;
	}

	get decodeSeconds(): number {
		return this.#decodeSeconds;
	}

	join(seat: Seat): void {
		this.#seats.push(seat);
	}

	leave(seat: Seat): void {
		this.#seats = this.#seats.filter((it) => it !== seat);
	}

	/** There may be something to decode. */
	wake(): void {
		if (this.#busy) return;
		this.#busy = true;
		void this.#run();
	}

	async #run(): Promise<void> {
		for (;;) {
			const turn = this.#pick();
			if (!turn) break;
			await this.#decode(turn.seat, turn.decode);
			await breathe(); // messages are read between decodes even where the recognizer never waits
		}
		this.#busy = false;
	}

	#pick(): { seat: Seat; decode: Decode } | undefined {
		for (const urgency of urgencies)
			for (const seat of this.#seats) {
				const decode = seat.nextDecode(urgency);
				if (!decode) continue;
				this.leave(seat);
				this.join(seat);
				return { seat, decode };
			}
		return undefined;
	}

	async #decode(seat: Seat, decode: Decode): Promise<void> {
		const { samples } = decode.segment;
		const { language, punctuation, words, beam } = seat.options;
		const since = performance.now();
		try {
			const result = await this.#recognizer.recognize({
				samples,
				language,
				punctuation,
				words,
				beam: beam ?? this.#beam,
				cancelled: () => seat.mayAbandon(decode, this.#othersAreOwed(seat)),
			});
			if (result !== "cancelled") this.#audioSeconds += samples.length / 16000;
			seat.settle(decode, result);
		} catch (error) {
			seat.fail(error);
		} finally {
			this.#decodeSeconds += (performance.now() - since) / 1000;
		}
	}

	#othersAreOwed(seat: Seat): boolean {
		return this.#seats.some((it) => it !== seat && it.finalsOwed > 0);
	}
}
