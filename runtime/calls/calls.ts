/** The calls that are going on: legs with the same name of a call, of one owner, are one call. */
import { randomBytes } from "node:crypto";
import { CodedError, serverStopping } from "../errors.js";
import type { LogPort } from "../log/log-port.js";
import type { Owner } from "../owner.js";
import { AudioRoom } from "../session/audio-room.js";
import type { Lane, RecognitionCaller } from "../session/lane-port.js";
import type { RecognitionOptions } from "../session/options.js";
import type { FileOptions } from "../tasks/file-options.js";
import { Call, type CallTasks, type LegInCall } from "./call.js";
import type {
	CallEvent,
	CallEvents,
	CallPlace,
	LegPlace,
} from "./call-events.js";
import type { LegFormat } from "./leg.js";
import type { LegListener } from "./seats.js";

export interface CallsParts {
	readonly lane: Lane;
	readonly tasks: CallTasks;
	/** After so many seconds without sound a leg gives its slot back. */
	readonly silentSeconds: number;
	/** How long a call waits for a leg to come again before it has ended. */
	readonly returnSeconds: number;
	readonly log: LogPort;
}

export interface LegRequest {
	/** Absent: a call of its own. */
	readonly call?: string;
	readonly leg?: string;
	readonly owner: Owner;
	/** Whose share of the slots it takes. */
	readonly caller: RecognitionCaller;
	/** For each recognition of this leg. */
	readonly recognition: () => RecognitionOptions;
	readonly format: LegFormat;
	/** Of the transcript; those of the first leg count. */
	readonly transcript: FileOptions;
	readonly listener: LegListener;
}

/** A call, to be watched. */
export interface GoingCall {
	readonly place: CallPlace;
	/** Those that are connected. */
	readonly legs: readonly LegPlace[];
	/** The last finals, oldest first. */
	readonly recent: readonly CallEvent[];
}

const idBytes = 16;
const nameBytes = 9;
/** Audio that legs keep until it is recognized: 40 s of 160 telephone legs. */
const keptBytesMax = 128 * 1024 * 1024;

export class Calls implements CallEvents {
	readonly #parts: CallsParts;
	readonly #room = new AudioRoom(keptBytesMax);
	readonly #calls = new Map<string, Call>();
	readonly #endings = new Map<Call, NodeJS.Timeout>();
	readonly #ending = new Set<Promise<void>>();
	readonly #listeners = new Set<(event: CallEvent) => void>();
	#isStopping = false;

	constructor(parts: CallsParts) {
		this.#parts = parts;
	}

	onEvent(listener: (event: CallEvent) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Those that are going on, for /metrics. */
	get size(): number {
		return this.#calls.size;
	}

	/** @param maySee the calls of an owner. @returns the call of that name. */
	watched(
		name: string,
		maySee: (owner: Owner) => boolean,
	): GoingCall | undefined {
		for (const call of this.#calls.values())
			if (call.place.call === name && maySee(call.place.owner)) return call;
		return undefined;
	}

	/** @throws CodedError 100004 while stopping; 200002 where two other legs are part of the call. */
	join(request: LegRequest): LegInCall {
		if (this.#isStopping) throw serverStopping();
		const { owner, leg: name, caller, format, listener } = request;
		const { lane, silentSeconds } = this.#parts;
		const call =
			request.call ?? `call-${randomBytes(nameBytes).toString("hex")}`;
		const going = this.#usable(owner, call) ?? this.#begin(call, request);
		const leg = going.join({
			lane,
			caller,
			format,
			room: this.#room,
			silentSeconds,
			listener,
			options: request.recognition,
			...(name !== undefined && { name }),
		});
		if (!leg)
			throw new CodedError(
				"200002",
				"leg must be one of the call's two: two others have joined it",
				{ param: "leg" },
			);
		clearTimeout(this.#endings.get(going));
		this.#endings.delete(going);
		return leg;
	}

	/** Calls whose legs have left end at once; their transcripts are stored when it resolves. */
	async stop(): Promise<void> {
		this.#isStopping = true;
		for (const call of [...this.#calls.values()]) this.#end(call);
		await Promise.all(this.#ending);
	}

	/** A call that can't be stored ends, and makes room for another of its name. */
	#usable(owner: Owner, name: string): Call | undefined {
		const call = this.#calls.get(keyOf(owner, name));
		if (!call?.hasFailed) return call;
		this.#end(call);
		return undefined;
	}

	#begin(name: string, { owner, transcript }: LegRequest): Call {
		const call: Call = new Call({
			place: {
				call: name,
				owner,
				taskId: randomBytes(idBytes).toString("hex"),
				language: transcript.language,
				beganAtMs: Date.now(),
			},
			task: { options: transcript },
			tasks: this.#parts.tasks,
			nowMs: () => performance.now(),
			emit: (event) => {
				for (const listener of this.#listeners) listener(event);
			},
			onLegs: () => this.#onLegs(call),
			onTrouble: (error) =>
				this.#parts.log.error(
					{ task: call.place.taskId, err: error },
					"a call can't be stored",
				),
		});
		this.#calls.set(keyOf(owner, name), call);
		return call;
	}

	#onLegs(call: Call): void {
		if (call.legs.length > 0) return;
		if (this.#isStopping) {
			this.#end(call);
			return;
		}
		const { returnSeconds } = this.#parts;
		clearTimeout(this.#endings.get(call));
		this.#endings.set(
			call,
			setTimeout(() => this.#end(call), returnSeconds * 1000),
		);
	}

	#end(call: Call): void {
		clearTimeout(this.#endings.get(call));
		this.#endings.delete(call);
		const { owner, call: name } = call.place;
		if (!this.#calls.delete(keyOf(owner, name))) return;
		const ending = call.end().finally(() => this.#ending.delete(ending));
		this.#ending.add(ending);
	}
}

function keyOf(owner: Owner, call: string): string {
	return `${call.length} ${call} ${owner}`;
}
