/**
 * Takes a client's messages one by one and in order, at most a few milliseconds of work in one turn of the event loop: one read of a socket may bring ten
 * thousands of them. All clients together have one slice of a turn (event-loop/shared-turn.ts); a message that comes alone is handled at once. Messages that have
 * to wait hold the socket, so that no more than was read already is kept; the bytes of binary ones that follow each other are then joined. A client is refused
 * where they are so many that only taking them from the library would hold the loop.
 */

import { CodedError } from "../../errors.js";
import { sharedTurn, unitsOfSlice } from "../../event-loop/slices.js";
import type { LiveSocket } from "../live-socket.js";
import { JoinedBytes } from "./joined-bytes.js";

/** A text, or the bytes of a binary message. */
export type Arrived = string | Uint8Array;

/** A read of 512 KiB brings more where a frame has less than 26 bytes: the library takes half a microsecond for each. */
const waitingMax = 20_000;
const noBytes = new Uint8Array(0);

export interface InboxParts {
	/** @returns a promise where a message takes longer; it never rejects. */
	readonly handle: (message: Arrived) => Promise<void> | undefined;
	/** More messages wait than are kept: the connection is to be closed. */
	readonly refuse: (error: CodedError) => void;
	readonly socket: Pick<LiveSocket, "hold" | "release">;
}

export class Inbox {
	readonly #parts: InboxParts;
	#waiting: (Arrived | JoinedBytes | (() => void))[] = [];
	/** Of those that wait: a list of ten thousands is not moved for each. */
	#next = 0;
	/** Messages that wait, those that are joined included. */
	#count = 0;
	#isBusy = false;
	#isClosed = false;

	constructor(parts: InboxParts) {
		this.#parts = parts;
	}

	/** @param message bytes are copied where they have to wait. */
	accept(message: Arrived): void {
		if (this.#isClosed) return;
		if (this.#isBusy || sharedTurn.isOver) {
			this.#keep(message);
			return;
		}
		const pending = this.#parts.handle(message);
		if (pending) void this.#work(pending);
	}

	/** Acts when everything that has arrived is handled, or was dropped: at once where nothing waits. @param act never throws */
	behind(act: () => void): void {
		if (this.#isBusy) this.#waiting.push(act);
		else act();
	}

	/** No message is handled before that has ended. @param begun never rejects */
	waitFor(begun: Promise<void>): void {
		void this.#work(begun);
	}

	/** No message that waits is handled any more, or kept. */
	close(): void {
		this.#isClosed = true;
		this.#waiting = this.#waiting
			.slice(this.#next)
			.filter((it) => typeof it === "function");
		this.#next = 0;
	}

	#keep(message: Arrived): void {
		if (++this.#count > waitingMax) {
			this.close();
			this.#parts.refuse(
				new CodedError(
					"230001",
					`more than ${waitingMax} messages at once: send longer ones`,
				),
			);
			return;
		}
		if (this.#isJoined(message)) return;
		if (typeof message === "string") this.#waiting.push(message);
		else
			this.#waiting.push(message.length ? new JoinedBytes(message) : noBytes);
		if (!this.#isBusy) void this.#work(undefined);
	}

	/** With the last one that waits. An empty message may have a meaning of its own. */
	#isJoined(message: Arrived): boolean {
		if (typeof message === "string" || message.length === 0) return false;
		const last =
			this.#waiting.length > this.#next ? this.#waiting.at(-1) : undefined;
		return last instanceof JoinedBytes && last.add(message);
	}

	/** Handles what waits, between other turns of the loop. @param pending what has to end first */
	async #work(pending: Promise<void> | undefined): Promise<void> {
		this.#isBusy = true;
		this.#parts.socket.hold();
		await pending;
		for (;;) {
			if (sharedTurn.isOver)
				await sharedTurn.wait(sharedTurn.place(unitsOfSlice));
			const next = this.#waiting[this.#next++];
			if (next === undefined) break;
			if (typeof next === "function") {
				next();
				continue;
			}
			this.#count -= next instanceof JoinedBytes ? next.messages : 1;
			if (!this.#isClosed) {
				const taking = this.#parts.handle(
					next instanceof JoinedBytes ? next.bytes : next,
				);
				if (taking) await taking;
			}
		}
		this.#waiting = [];
		this.#next = 0;
		this.#isBusy = false;
		this.#parts.socket.release();
	}
}
