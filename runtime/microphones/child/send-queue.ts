/**
 * Messages waiting for the main process: a few periods of audio, of which the oldest is dropped when main does not keep up; the next one reports how much was
 * lost. Other messages are never dropped.
 */
import type { FromCapture } from "../protocol.js";

type Sound = Extract<FromCapture, { is: "audio" }>;

/** Messages in flight: as many as the channel buffers without growing. */
const inFlightMax = 8;
const bytesPerSample = 2;

export class SendQueue {
	readonly #send: (message: FromCapture, sent: () => void) => void;
	readonly #waitingMax: number;
	readonly #waiting: FromCapture[] = [];
	#inFlight = 0;
	#wakeSender: (() => void) | undefined;

	/**
	 * @param send calls back when the message was sent.
	 * @param waitingMax periods of audio.
	 */
	constructor(
		send: (message: FromCapture, sent: () => void) => void,
		waitingMax: number,
	) {
		this.#send = send;
		this.#waitingMax = waitingMax;
	}

	push(message: FromCapture): void {
		this.#waiting.push(message);
		if (message.is === "audio") this.#dropOldest();
		this.#flush();
	}

	/** For a sender that can wait: settles when the queue is empty. */
	async drained(): Promise<void> {
		while (this.#waiting.length > 0)
			await new Promise<void>((wake) => {
				this.#wakeSender = wake;
			});
	}

	#dropOldest(): void {
		const sounds = this.#waiting.filter((it) => it.is === "audio");
		if (sounds.length <= this.#waitingMax) return;
		const [oldest, next] = sounds as [Sound, Sound, ...Sound[]];
		const at = this.#waiting.indexOf(next);
		const lost = samplesOf(oldest) + lostBefore(oldest) + lostBefore(next);
		this.#waiting[at] = {
			...next,
			audio: { ...next.audio, lostSamples: lost },
		};
		this.#waiting.splice(this.#waiting.indexOf(oldest), 1);
	}

	#flush(): void {
		while (this.#inFlight < inFlightMax) {
			const next = this.#waiting.shift();
			if (!next) break;
			this.#inFlight++;
			this.#send(next, () => {
				this.#inFlight--;
				this.#flush();
			});
		}
		if (this.#waiting.length > 0) return;
		const wake = this.#wakeSender;
		this.#wakeSender = undefined;
		wake?.();
	}
}

function samplesOf({ audio }: Sound): number {
	return audio.bytes.length / bytesPerSample;
}

function lostBefore({ audio }: Sound): number {
	return audio.lostSamples ?? 0;
}
