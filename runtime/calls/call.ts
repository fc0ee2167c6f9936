/**
 * A call: up to two legs, each recognized by itself, on one clock. It is a task: its utterances are stored before anybody gets them, and become speakers
 * 1 and 2 of one transcript.
 *
 * INVARIANTS
 * - A final that anybody has got is on the disk.
 * - Events of a leg are emitted in the order in which they came; those of a connection that another one replaced come before those of the other.
 * - A call without a second of audio leaves no task.
 */
import { asCodedError } from "../errors.js";
import type { Utterance } from "../session/events.js";
import type { NewLiveTask } from "../tasks/live-tasks.js";
import type {
	CallEvent,
	CallPlace,
	CallUpdate,
	LegPlace,
	Speaker,
} from "./call-events.js";
import { Leg, type LegParts } from "./leg.js";
import {
	type Connected,
	disconnect,
	type LegListener,
	replaceConnection,
	type Seat,
	Seats,
} from "./seats.js";

/** Where its transcript is stored. */
export interface CallTasks {
	/** @throws StoreError */
	begin(task: NewLiveTask): Promise<void>;
	/** Resolves when it is on the disk. @throws StoreError */
	add(id: string, speaker: Speaker, utterance: Utterance): Promise<void>;
	/** Never rejects. */
	finish(id: string, audioMs: number, notes: readonly string[]): Promise<void>;
}

/** What its connection holds. */
export interface LegInCall {
	readonly place: CallPlace & LegPlace;
	/** @param bytes whole samples, mono; kept. */
	accept(bytes: Uint8Array): void;
	/** The client is faster than speech, and should wait for `onRoom`. */
	readonly mustWait: boolean;
	/** It hangs up. Resolves when its last final was emitted. */
	leave(): Promise<void>;
}

export interface CallParts {
	readonly place: CallPlace;
	readonly task: Pick<NewLiveTask, "options">;
	readonly tasks: CallTasks;
	readonly nowMs: () => number;
	/** Called in the order of the events. */
	readonly emit: (event: CallEvent) => void;
	/** The last leg has left, or the first one of those that came again. */
	readonly onLegs: () => void;
	readonly onTrouble: (error: unknown) => void;
}

export type NewLeg = Pick<
	LegParts,
	"lane" | "caller" | "options" | "format" | "room" | "silentSeconds"
> & {
	/** As it names itself; absent: the first that is not connected. */
	readonly name?: string;
	readonly listener: LegListener;
};

/** Of all legs together, before there is a task. */
const audioMsMin = 1000;
const recentMax = 50;

export class Call {
	readonly place: CallPlace;
	readonly #parts: CallParts;
	readonly #beganMs: number;
	readonly #seats = new Seats();
	readonly #recent: CallEvent[] = [];
	#queue: Promise<void> = Promise.resolve();
	/** Its row is being written, or is on the disk. */
	#task: Promise<void> | undefined;
	#hasFailed = false;

	constructor(parts: CallParts) {
		this.#parts = parts;
		this.place = parts.place;
		this.#beganMs = parts.nowMs();
	}

	/** The last finals, oldest first: for who begins to watch now. */
	get recent(): readonly CallEvent[] {
		return this.#recent;
	}

	/** Those that are connected. */
	get legs(): readonly LegPlace[] {
		return [...this.#seats].filter((it) => it.connected).map((it) => it.place);
	}

	/** It can't be stored: it has no legs any more, and there are no events of those that join. */
	get hasFailed(): boolean {
		return this.#hasFailed;
	}

	/** @returns undefined where two other legs are part of the call. */
	join(given: NewLeg): LegInCall | undefined {
		const seat = this.#seats.take(given.name);
		if (!seat) return undefined;
		replaceConnection(seat);
		const { listener } = given;
		const turn = seat.recognized.then(() => seat.utterances);
		const leg = new Leg({
			...given,
			nowMs: () => this.#parts.nowMs() - this.#beganMs,
			onUtterance: (is, recognized) => {
				void turn.then((before) => {
					const utterance = { ...recognized, index: before + recognized.index };
					if (is === "final")
						seat.utterances = Math.max(seat.utterances, utterance.index);
					this.#onUtterance(seat, listener, is, utterance);
				});
			},
			onSpeech: () => listener.onSpeech?.(),
			onRoom: () => listener.onRoom(),
		});
		const connected = { leg, listener, turn };
		seat.connected = connected;
		this.#enqueue(() => this.#emit({ ...seat.place, is: "joined" }));
		return {
			place: { ...this.place, ...seat.place },
			accept: (bytes) => {
				leg.accept(bytes);
				if (!this.#task && this.#seats.audioMs >= audioMsMin) this.#begin();
			},
			get mustWait() {
				return leg.mustWait;
			},
			leave: () => this.#leave(seat, connected),
		};
	}

	/** No leg is left: the transcript is completed. */
	async end(): Promise<void> {
		const seats = [...this.#seats];
		await Promise.all(seats.map((it) => it.recognized));
		await this.#queue;
		this.#emit({ is: "ended" });
		if (!this.#task) return;
		await this.#task.catch(() => {}); // reported
		const notes = seats
			.filter((it) => it.lostSeconds >= 1)
			.map(
				({ place, lostSeconds }) =>
					`not transcribed of speaker ${place.speaker}: ${Math.round(lostSeconds)} s, no engine recognized it in time`,
			);
		const audioMs = Math.max(...seats.map((it) => it.audioMs));
		await this.#parts.tasks.finish(this.place.taskId, audioMs, notes);
	}

	async #leave(seat: Seat, { leg, turn }: Connected): Promise<void> {
		if (seat.connected?.leg !== leg) return; // it left before, or came again
		await Promise.all([turn, leg.finish()]);
		await this.#queue;
		if (seat.connected?.leg !== leg) return;
		disconnect(seat, leg);
		this.#enqueue(() => this.#emit({ ...seat.place, is: "left" }));
		await this.#queue;
		this.#parts.onLegs();
	}

	#onUtterance(
		seat: Seat,
		listener: LegListener,
		is: "partial" | "final",
		utterance: Utterance,
	): void {
		if (utterance.text === "") return;
		this.#enqueue(async () => {
			if (is === "final") await this.#store(seat.place.speaker, utterance);
			if (seat.connected?.listener === listener)
				listener.onUtterance(is, utterance);
			this.#emit({ ...seat.place, is, utterance });
		});
	}

	async #store(speaker: Speaker, utterance: Utterance): Promise<void> {
		const { tasks } = this.#parts;
		this.#begin();
		await this.#task;
		await tasks.add(this.place.taskId, speaker, utterance);
	}

	/** Its row is written; whoever needs it waits for it. */
	#begin(): void {
		const { tasks, task } = this.#parts;
		const { taskId: id, owner, call } = this.place;
		this.#task ??= tasks.begin({ id, owner, call, ...task });
		this.#task.catch((error: unknown) => this.#fail(error));
	}

	/** One after the other. */
	#enqueue(act: () => unknown): void {
		this.#queue = this.#queue
			.then(() => (this.#hasFailed ? undefined : act()))
			.then(
				() => {},
				(error: unknown) => this.#fail(error),
			);
	}

	/** What is said can't be stored. */
	#fail(error: unknown): void {
		if (this.#hasFailed) return;
		this.#hasFailed = true;
		this.#parts.onTrouble(error);
		for (const seat of this.#seats) {
			const { connected, replaced } = seat;
			for (const leg of replaced) leg.cancel();
			if (!connected) continue;
			disconnect(seat, connected.leg);
			connected.leg.cancel();
			connected.listener.onFailed(asCodedError(error));
		}
		this.#parts.onLegs();
	}

	#emit(update: CallUpdate): void {
		const event: CallEvent = { ...this.place, ...update };
		if (event.is === "final") {
			this.#recent.push(event);
			if (this.#recent.length > recentMax) this.#recent.shift();
		}
		this.#parts.emit(event);
	}
}
