/**
 * Logs what the broker refuses to take, usually by its access rules: nothing else shows that a state, an announcement or a reply never arrives. Each topic once,
 * and only some of them: whoever sends commands names the topics of the replies.
 */
import type { LogPort } from "../../log/log-port.js";

const topicsMax = 20;

export class RefusedTopics {
	readonly #log: LogPort;
	readonly #topics = new Set<string>();

	constructor(log: LogPort) {
		this.#log = log;
	}

	note(topic: string, reason: string): void {
		if (this.#topics.size >= topicsMax || this.#topics.has(topic)) return;
		this.#topics.add(topic);
		this.#log.warn({ topic, reason }, "message refused by the broker");
	}
}
