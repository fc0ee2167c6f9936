/** Pending messages and those in flight: their order in each stream and overall. In memory only; their text is read when it is sent. */
import type { FleetMessageRow } from "../../store/fleet-outbox.js";

export interface PendingSend {
	readonly key: string;
	readonly stream: string;
	readonly bytes: number;
	readonly mayBeDropped: boolean;
	/** It has been committed. */
	onDisk: boolean;
	isInFlight: boolean;
	/** By the monotonic clock. */
	notBeforeMs: number;
}

/** Size of a row without its text: key, topic, numbers. */
const rowBytes = 150;

export class PendingSends {
	/** Oldest first. */
	readonly #all = new Map<string, PendingSend>();
	readonly #streams = new Map<string, Map<string, PendingSend>>();
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

	add(
		key: string,
		{ stream, body }: FleetMessageRow,
		onDisk: boolean,
	): PendingSend {
		const text = body.is === "text" ? Buffer.byteLength(body.text) : 0;
		const waiting: PendingSend = {
			key,
			stream,
			bytes: text + rowBytes,
			mayBeDropped: body.is === "text",
			onDisk,
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
	remove({ key, stream, bytes }: PendingSend): void {
		if (!this.#all.delete(key)) return;
		this.#bytes -= bytes;
		const others = this.#streams.get(stream);
		others?.delete(key);
		if (others?.size === 0) this.#streams.delete(stream);
	}

	/** The messages that may be sent now: at most the first of each stream. */
	*ready(nowMs: number): Generator<PendingSend> {
		for (const stream of this.#streams.values()) {
			const [first] = stream.values();
			if (!first || first.isInFlight || !first.onDisk) continue;
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
