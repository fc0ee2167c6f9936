/** Pending messages and those in flight: their order in each stream and overall. Their text is read from the disk when it is sent, unless the disk did not take it. */
import type { FleetMessageRow } from "../../store/fleet-outbox.js";

/** Where the message is. */
export type Kept =
	/** Not committed yet. */
	| { readonly is: "being-written" }
	| { readonly is: "on-disk" }
	/** The disk did not take it. */
	| { readonly is: "in-memory"; readonly row: FleetMessageRow };

export interface PendingSend {
	readonly key: string;
	readonly stream: string;
	readonly bytes: number;
	readonly mayBeDropped: boolean;
	kept: Kept;
	/** That failed; the disk may not have taken the last ones. */
	tries: number;
	isInFlight: boolean;
	/** By the monotonic clock. */
	notBeforeMs: number;
}

export interface PendingBounds {
	readonly messagesMax: number;
	readonly bytesMax: number;
	/** Of those that are not on the disk. */
	readonly inMemoryMax: number;
}

/** Size of a row without its text: key, topic, numbers. */
const rowBytes = 150;

export class PendingSends {
	/** Oldest first. */
	readonly #all = new Map<string, PendingSend>();
	readonly #streams = new Map<string, Map<string, PendingSend>>();
	readonly #inMemory = new Set<PendingSend>();
	#bytes = 0;

	get size(): number {
		return this.#all.size;
	}

	get bytes(): number {
		return this.#bytes;
	}

	has(key: string): boolean {
		return this.#all.has(key);
	}

	/** Oldest first; entries may be removed during the iteration. */
	values(): Iterable<PendingSend> {
		return this.#all.values();
	}

	/** Those that are not on the disk. */
	get inMemory(): ReadonlySet<PendingSend> {
		return this.#inMemory;
	}

	keepOnDisk(waiting: PendingSend): void {
		waiting.kept = { is: "on-disk" };
		this.#inMemory.delete(waiting);
	}

	keepInMemory(waiting: PendingSend, row: FleetMessageRow): void {
		waiting.kept = { is: "in-memory", row };
		this.#inMemory.add(waiting);
	}

	add(
		key: string,
		{ stream, body, tries }: FleetMessageRow,
		kept: Kept,
	): PendingSend {
		const text = body.is === "text" ? Buffer.byteLength(body.text) : 0;
		const waiting: PendingSend = {
			key,
			stream,
			bytes: text + rowBytes,
			mayBeDropped: body.is === "text",
			kept,
			tries,
			isInFlight: false,
			notBeforeMs: 0,
		};
		this.#all.set(key, waiting);
		const others = this.#streams.get(stream) ?? new Map<string, PendingSend>();
		others.set(key, waiting);
		this.#streams.set(stream, others);
		this.#bytes += waiting.bytes;
		return waiting;
	}

	/** Does nothing if it was removed before. */
	remove(waiting: PendingSend): void {
		const { key, stream, bytes } = waiting;
		if (!this.#all.delete(key)) return;
		this.#inMemory.delete(waiting);
		this.#bytes -= bytes;
		const others = this.#streams.get(stream);
		others?.delete(key);
		if (others?.size === 0) this.#streams.delete(stream);
	}

	/** The oldest messages, which must be removed during the iteration until the bounds are kept; those in flight or being written can't be. */
	*overflow(bounds: PendingBounds): Generator<PendingSend> {
		const { messagesMax, bytesMax, inMemoryMax } = bounds;
		const isFull = () => this.size > messagesMax || this.#bytes > bytesMax;
		if (isFull()) yield* droppable(this.#all.values(), isFull);
		const isTooMuch = () => this.#inMemory.size > inMemoryMax;
		if (isTooMuch()) yield* droppable(this.#inMemory, isTooMuch);
	}

	/** The messages that may be sent now: at most the first of each stream. */
	*ready(nowMs: number): Generator<PendingSend> {
		for (const stream of this.#streams.values()) {
			const [first] = stream.values();
			if (!first || first.isInFlight || first.kept.is === "being-written")
				continue;
			if (first.notBeforeMs <= nowMs) yield first;
		}
	}

	/** When the next message may be sent that may not be sent now. */
	nextMs(nowMs: number): number | undefined {
		let next: number | undefined;
		for (const stream of this.#streams.values()) {
			const [first] = stream.values();
			if (!first || first.isInFlight || first.notBeforeMs <= nowMs) continue;
			next = Math.min(next ?? first.notBeforeMs, first.notBeforeMs);
		}
		return next;
	}
}

function* droppable(
	oldestFirst: Iterable<PendingSend>,
	isTooMuch: () => boolean,
): Generator<PendingSend> {
	for (const waiting of oldestFirst) {
		if (!isTooMuch()) return;
		const { isInFlight, mayBeDropped, kept } = waiting;
		if (!isInFlight && mayBeDropped && kept.is !== "being-written")
			yield waiting;
	}
}
