/**
 * The recognitions of a standing one that are open: at most one gets the audio that comes, the others have left the backlog to it and have not ended. Each is
 * read to its end: its events are emitted as those of a single one, and what would be lost with it is known.
 */
import { CodedError } from "../errors.js";
import type { AudioBacklog } from "./audio-backlog.js";
import {
	ContinuedEvents,
	type StandingListener,
	type Unended,
} from "./continued-events.js";
import type { FedRecognition } from "./fed-recognition.js";

export interface OpenRecognition {
	readonly is: "open";
	readonly fed: FedRecognition;
	readonly unended: Unended;
}

export type Ending =
	| { readonly is: "completed" }
	| {
			readonly is: "failed";
			readonly why: string;
			/** What it took in vain, unless that has been counted. */
			readonly lostSamples: number;
	  };

export class OpenRecognitions {
	readonly #backlog: AudioBacklog;
	readonly #events: ContinuedEvents;
	readonly #onEnd: (open: OpenRecognition, ending: Ending) => void;
	readonly #all = new Set<OpenRecognition>();

	/** @param onEnd called in the turn in which it ends. */
	constructor(
		listener: StandingListener,
		backlog: AudioBacklog,
		onEnd: (open: OpenRecognition, ending: Ending) => void,
	) {
		this.#backlog = backlog;
		this.#events = new ContinuedEvents(listener, backlog);
		this.#onEnd = onEnd;
	}

	/** Until its end. Never rejects. */
	async read(open: OpenRecognition): Promise<void> {
		const { fed, unended } = open;
		let ending: Ending = { is: "completed" };
		this.#all.add(open);
		try {
			for await (const event of fed.recognition.events) {
				this.#events.accept(event, fed.startSample, unended);
				if (event.is === "final") fed.noteFinal(event.utterance.endMs);
			}
		} catch (error) {
			ending = {
				is: "failed",
				why: error instanceof CodedError ? error.message : String(error),
				lostSamples: this.#all.has(open) ? takenInVain(open) : 0,
			};
		}
		this.#all.delete(open);
		this.#onEnd(open, ending);
	}

	/** It is to be cancelled, and what it took is no loss: another one gets it, or it has been counted. */
	forget(open: OpenRecognition): void {
		this.#all.delete(open);
	}

	/** All are to be cancelled: what they took in vain is counted as lost. */
	giveUp(): void {
		for (const open of this.#all) this.#backlog.countLost(takenInVain(open));
		this.#all.clear();
	}
}

function takenInVain({ fed, unended }: OpenRecognition): number {
	return fed.takenInVain(unended.isSpeech);
}
