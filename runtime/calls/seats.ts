/**
 * The two places of a call. A leg keeps its place, and with it its speaker and the count of its utterances, however often it connects again; what an older
 * connection has sent is recognized to its end meanwhile.
 */
import { CodedError } from "../errors.js";
import type { Utterance } from "../session/events.js";
import type { LegPlace, Speaker } from "./call-events.js";
import type { Leg } from "./leg.js";

export interface LegListener {
	/** Speech began. */
	onSpeech?(): void;
	/** Partials and finals of this leg. */
	onUtterance(is: "partial" | "final", utterance: Utterance): void;
	/** It may send more (`LegInCall.mustWait`). */
	onRoom(): void;
	/** The leg has ended: it came again on another connection, or its finals can't be stored. */
	onFailed(error: CodedError): void;
}

export interface Connected {
	readonly leg: Leg;
	readonly listener: LegListener;
	/** From when on its utterances are emitted: the connections before it are recognized to their end. Resolves with the number of their finals. */
	readonly turn: Promise<number>;
}

export interface Seat {
	readonly place: LegPlace;
	/** Undefined while it is not connected. */
	connected: Connected | undefined;
	/** Legs whose connection was replaced: the audio that they have got is still recognized. */
	readonly replaced: Set<Leg>;
	/** Settles when there are none. Never rejects. */
	recognized: Promise<unknown>;
	/** Finals. */
	utterances: number;
	/** Until when its connections that have ended sent, on the call's clock. */
	audioMs: number;
	lostSeconds: number;
}

const speakers = [1, 2] as const;

export class Seats {
	readonly #seats = new Map<Speaker, Seat>();

	[Symbol.iterator](): Iterator<Seat> {
		return this.#seats.values();
	}

	/** Of all legs together, received so far. */
	get audioMs(): number {
		let ms = 0;
		for (const { audioMs, connected } of this)
			ms += Math.max(audioMs, connected?.leg.audioMs ?? 0);
		return ms;
	}

	/** @returns undefined where two others have been taken. */
	take(name: string | undefined): Seat | undefined {
		const seats = [...this];
		const known =
			name === undefined
				? seats.find((it) => !it.connected)
				: seats.find((it) => it.place.leg === name);
		if (known) return known;
		const numbered = speakers.find((it) => String(it) === name);
		const speaker =
			numbered && !this.#seats.has(numbered)
				? numbered
				: speakers.find((it) => !this.#seats.has(it));
		if (!speaker) return undefined;
		const seat: Seat = {
			place: { leg: name ?? String(speaker), speaker },
			connected: undefined,
			replaced: new Set(),
			recognized: Promise.resolve(),
			utterances: 0,
			audioMs: 0,
			lostSeconds: 0,
		};
		this.#seats.set(speaker, seat);
		return seat;
	}
}

/** The leg has come again: its older connection ends, and its utterances are emitted before those of the new one. */
export function replaceConnection(seat: Seat): void {
	if (!seat.connected) return;
	const { leg, listener, turn } = seat.connected;
	seat.audioMs = Math.max(seat.audioMs, leg.audioMs);
	seat.connected = undefined;
	seat.replaced.add(leg);
	const finished = leg.finish().then(() => {
		seat.lostSeconds += leg.lostSeconds;
		seat.replaced.delete(leg);
	});
	seat.recognized = Promise.all([turn, finished]);
	listener.onFailed(replaced());
}

export function disconnect(seat: Seat, leg: Leg): void {
	seat.audioMs = Math.max(seat.audioMs, leg.audioMs);
	seat.lostSeconds += leg.lostSeconds;
	seat.connected = undefined;
}

function replaced(): CodedError {
	return new CodedError(
		"200002",
		"this leg of the call came again on another connection",
		{ param: "leg" },
	);
}
