/** Emits the events of one microphone: with its place and the time, counted, and its state only where that has changed. */
import type {
	MicrophoneEvent,
	MicrophonePlace,
	MicrophoneState,
	MicrophoneStats,
} from "./microphone-events.js";
import type { MicrophoneParts } from "./microphone-parts.js";

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown
	? Omit<T, K>
	: never;
type UnplacedEvent = DistributiveOmit<
	MicrophoneEvent,
	keyof MicrophonePlace | "atMs"
>;

export class MicrophoneEmitter {
	readonly #parts: Pick<MicrophoneParts, "place" | "nowMs" | "onEvent">;
	readonly #counts = {
		wake: 0,
		"speech-begin": 0,
		partial: 0,
		final: 0,
		state: 0,
	};
	#lastState = "";

	constructor(parts: Pick<MicrophoneParts, "place" | "nowMs" | "onEvent">) {
		this.#parts = parts;
	}

	/** Events emitted so far, by kind. */
	get counts(): MicrophoneStats["events"] {
		return { ...this.#counts };
	}

	/** Emits the state if it has changed. */
	emitState(state: MicrophoneState): void {
		const { driftPpm, ...reported } = state;
		const text = JSON.stringify(reported);
		if (text === this.#lastState) return;
		this.#lastState = text;
		this.emit({ is: "state", state });
	}

	emit(event: UnplacedEvent): void {
		const atMs = this.#parts.nowMs();
		this.#counts[event.is]++;
		this.#parts.onEvent({ ...this.#parts.place, atMs, ...event });
	}
}
