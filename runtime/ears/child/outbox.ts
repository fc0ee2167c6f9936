/**
 * What waits for the main process: a few periods of sound, the oldest dropped and counted when it does not keep up. Other messages are never dropped.
 */
import type { FromCapture } from "../protocol.js";

/** Messages on their way at once: what the channel's buffer takes without growing. */
const underWayMax = 8;

export class Outbox {
	readonly #send: (message: FromCapture, sent: () => void) => void;
	readonly #waitingMax: number;
	readonly #waiting: FromCapture[] = [];
	#underWay = 0;
	#dropped = 0;

	/**
	 * @param send calls back when the message left.
	 * @param waitingMax periods of sound.
	 */
	constructor(
		send: (message: FromCapture, sent: () => void) => void,
		waitingMax: number,
	) {
		this.#send = send;
		this.#waitingMax = waitingMax;
	}

	get dropped(): number {
		return this.#dropped;
	}

	push(message: FromCapture): void {
		this.#waiting.push(message);
		if (message.is === "audio") this.#dropOldest();
		this.#flush();
	}

	#dropOldest(): void {
		const sounds = this.#waiting.filter((it) => it.is === "audio");
		if (sounds.length <= this.#waitingMax) return;
		const oldest = sounds[0] as FromCapture;
		this.#waiting.splice(this.#waiting.indexOf(oldest), 1);
		this.#dropped++;
	}

	#flush(): void {
		while (this.#underWay < underWayMax) {
			const next = this.#waiting.shift();
			if (!next) return;
			this.#underWay++;
			this.#send(next, () => {
				this.#underWay--;
				this.#flush();
			});
		}
	}
}
