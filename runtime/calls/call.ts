/**
 * A call: up to two legs, each recognized by itself, on one clock. It is a task: its utterances are stored before anybody is told of them, and become speakers
 * 1 and 2 of one transcript.
 *
 * INVARIANTS
 * - A final that was told to anybody is on the disk.
 * - Events of a leg are told in the order in which they came.
 * - A call without a second of audio leaves no task.
 */
import { asCodedError, CodedError } from "../errors.js";
import type { Utterance } from "../session/events.js";
import type { NewLiveTask } from "../tasks/live-tasks.js";
import type {
	CallEvent,
	CallNews,
	CallPlace,
	LegPlace,
	Speaker,
} from "./call-events.js";
import { Leg, type LegParts } from "./leg.js";

/** Where its transcript is stored. */
export interface CallTasks {
	/** @throws StoreError */
	begin(task: NewLiveTask): Promise<void>;
	/** Resolves when it is on the disk. @throws StoreError */
	add(id: string, speaker: Speaker, utterance: Utterance): Promise<void>;
	/** Never rejects. */
	finish(id: string, audioMs: number, notes: readonly string[]): Promise<void>;
}

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

/** What its connection holds. */
export interface LegInCall {
	readonly place: CallPlace & LegPlace;
	/** @param bytes whole samples, mono; kept. */
	accept(bytes: Uint8Array): void;
	/** The client is faster than speech, and should wait for `onRoom`. */
	readonly mustWait: boolean;
	/** It hangs up. Resolves when its last final was told. */
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
	"lane" | "caller" | "options" | "format" | "silentSeconds"
> & {
	/** As it names itself; absent: the first that is not connected. */
	readonly name?: string;
	readonly listener: LegListener;
};

interface Seat {
	readonly place: LegPlace;
	/** Undefined while it is not connected. */
	connected: { readonly leg: Leg; readonly listener: LegListener } | undefined;
	utterances: number;
	audioMs: number;
	lostSeconds: number;
}

/** Of all legs together, before there is a task. */
const audioMsMin = 1000;
const speakers = [1, 2] as const;
const recentMax = 50;

export class Call {
	readonly place: CallPlace;
	readonly #parts: CallParts;
	readonly #beganMs: number;
	readonly #seats = new Map<Speaker, Seat>();
	readonly #recent: CallEvent[] = [];
	#telling: Promise<void> = Promise.resolve();
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
		return [...this.#seats.values()]
			.filter((it) => it.connected)
			.map((it) => it.place);
	}

	/** It can't be stored: it has no legs any more, and nothing is told of those that join. */
	get hasFailed(): boolean {
		return this.#hasFailed;
	}

	/** @returns undefined where two other legs are part of the call. */
	join(given: NewLeg): LegInCall | undefined {
		const seat = this.#seatFor(given.name);
		if (!seat) return undefined;
		const before = seat.connected;
		if (before) {
			this.#disconnect(seat, before.leg);
			before.leg.cancel();
			before.listener.onFailed(replaced());
		}
		const { listener } = given;
		const leg = new Leg({
			...given,
			utterancesBefore: seat.utterances,
			nowMs: () => this.#parts.nowMs() - this.#beganMs,
			onUtterance: (is, utterance) => {
				if (is === "final")
					seat.utterances = Math.max(seat.utterances, utterance.index);
				this.#onUtterance(seat, listener, is, utterance);
			},
			onSpeech: () => listener.onSpeech?.(),
			onRoom: () => listener.onRoom(),
		});
		seat.connected = { leg, listener };
		this.#tell(() => this.#emit({ ...seat.place, is: "joined" }));
		return {
			place: { ...this.place, ...seat.place },
			accept: (bytes) => {
				leg.accept(bytes);
				if (!this.#task && this.#audioMs >= audioMsMin) this.#begin();
			},
			get mustWait() {
				return leg.mustWait;
			},
			leave: () => this.#leave(seat, leg),
		};
	}

	/** No leg is left: the transcript is completed. */
	async end(): Promise<void> {
		await this.#telling;
		this.#emit({ is: "ended" });
		if (!this.#task) return;
		await this.#task.catch(() => {}); // reported
		const seats = [...this.#seats.values()];
		const notes = seats
			.filter((it) => it.lostSeconds >= 1)
			.map(
				({ place, lostSeconds }) =>
					`not transcribed of speaker ${place.speaker}: ${Math.round(lostSeconds)} s, no engine was free`,
			);
		const audioMs = Math.max(...seats.map((it) => it.audioMs));
		await this.#parts.tasks.finish(this.place.taskId, audioMs, notes);
	}

	async #leave(seat: Seat, leg: Leg): Promise<void> {
		if (seat.connected?.leg !== leg) return; // it left before, or came again
		await leg.finish();
		await this.#telling;
		if (seat.connected?.leg !== leg) return;
		this.#disconnect(seat, leg);
		this.#tell(() => this.#emit({ ...seat.place, is: "left" }));
		await this.#telling;
		this.#parts.onLegs();
	}

	#disconnect(seat: Seat, leg: Leg): void {
		seat.audioMs = leg.audioMs;
		seat.lostSeconds += leg.lostSeconds;
		seat.connected = undefined;
	}

	#seatFor(name: string | undefined): Seat | undefined {
		const seats = [...this.#seats.values()];
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
			...{ utterances: 0, audioMs: 0, lostSeconds: 0 },
		};
		this.#seats.set(speaker, seat);
		return seat;
	}

	get #audioMs(): number {
		let ms = 0;
		for (const { audioMs, connected } of this.#seats.values())
			ms += connected?.leg.audioMs ?? audioMs;
		return ms;
	}

	#onUtterance(
		seat: Seat,
		listener: LegListener,
		is: "partial" | "final",
		utterance: Utterance,
	): void {
		if (utterance.text === "") return;
		this.#tell(async () => {
			if (is === "final") await this.#store(seat.place.speaker, utterance);
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
	#tell(act: () => unknown): void {
		this.#telling = this.#telling
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
		for (const seat of this.#seats.values()) {
			const { connected } = seat;
			if (!connected) continue;
			this.#disconnect(seat, connected.leg);
			connected.leg.cancel();
			connected.listener.onFailed(asCodedError(error));
		}
		this.#parts.onLegs();
	}

	#emit(news: CallNews): void {
		const event: CallEvent = { ...this.place, ...news };
		if (event.is === "final") {
			this.#recent.push(event);
			if (this.#recent.length > recentMax) this.#recent.shift();
		}
		this.#parts.emit(event);
	}
}

function replaced(): CodedError {
	return new CodedError(
		"200002",
		"this leg of the call came again on another connection",
		{ param: "leg" },
	);
}
