/** A recognition that forwards everything to another one: base class for wrappers that add something. */
import type { SessionEvent } from "./events.js";
import type { Mover, Recognition } from "./lane-port.js";

export abstract class ForwardedRecognition implements Recognition {
	readonly events: AsyncIterable<SessionEvent>;
	readonly #recognition: Recognition;

	/** @param events replace those of the wrapped recognition. */
	constructor(recognition: Recognition, events: AsyncIterable<SessionEvent>) {
		this.#recognition = recognition;
		this.events = events;
	}

	get unusedBytes(): number {
		return this.#recognition.unusedBytes ?? 0;
	}

	write(bytes: Uint8Array): boolean {
		return this.#recognition.write(bytes);
	}

	onDrain(listener: () => void): void {
		this.#recognition.onDrain(listener);
	}

	onReplace(mover: Mover): void {
		this.#recognition.onReplace?.(mover);
	}

	endSentence(): void {
		this.#recognition.endSentence();
	}

	finish(): void {
		this.#recognition.finish();
	}

	cancel(): void {
		this.#recognition.cancel();
	}
}
