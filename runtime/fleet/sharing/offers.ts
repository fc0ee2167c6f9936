/** Offers of waiting files to the idle devices of the site: each reaches one of them, which accepts or declines within seconds. */
import { randomBytes } from "node:crypto";
import type { BrokerConnection } from "../broker/connection.js";
import { ConnectionLost } from "../broker/connection-lost.js";
import { jobProtocol } from "../payloads/jobs.js";
import { schemaVersion } from "../payloads/schema-version.js";
import type { Topics } from "../topics.js";
import type { JobMessageSender } from "./job-message-sender.js";
import type { SharingPort } from "./sharing-port.js";

export interface OffersParts {
	readonly appliance: SharingPort;
	readonly topics: Topics;
	readonly sender: JobMessageSender;
	readonly connection: () => BrokerConnection | undefined;
	/** Nobody took one; a task may be offered again after that pause. */
	readonly onUntaken: (pauseMs: number) => void;
}

/** An offer without an answer for this long is made to another device. */
const offerMs = 3000;
/** Pause after an offer was declined, or reached no device. */
const againMs = 500;
/** So many offers that nobody took follow each other quickly; the devices of the site have work of their own then. */
const quickMax = 20;
/** Pause after those. */
const slowMs = 10_000;
/** Delay of offers, so that a worker receives the end of its last lease first and has a free slot. */
export const gatherMs = 20;

export class Offers {
	readonly #parts: OffersParts;
	readonly #open = new Map<string, { taskId: string; timer: NodeJS.Timeout }>();
	/** Offers since one was taken, or something changed. */
	#untaken = 0;

	constructor(parts: OffersParts) {
		this.#parts = parts;
	}

	stop(): void {
		for (const { timer } of this.#open.values()) clearTimeout(timer);
	}

	get taskIds(): readonly string[] {
		return [...this.#open.values()].map((it) => it.taskId);
	}

	/** Something has changed: a device may be free. */
	hurry(): void {
		this.#untaken = 0;
	}

	async make(taskId: string): Promise<void> {
		const { appliance, topics, sender, connection } = this.#parts;
		const task = appliance.shareable(taskId);
		const broker = connection();
		if (!task || !broker) {
			this.#parts.onUntaken(offerMs);
			return;
		}
		const offer = randomBytes(16).toString("hex");
		const timer = setTimeout(() => {
			if (this.#take(offer)) this.#onUntaken(gatherMs);
		}, offerMs);
		this.#open.set(offer, { taskId, timer });
		try {
			const published = await broker.publish({
				topic: topics.offers,
				payload: JSON.stringify({
					schema: schemaVersion,
					is: "offer",
					protocol: jobProtocol,
					from: sender.device,
					offer,
					model: appliance.modelOf(task.language),
					language: task.language,
					audio_ms: Math.round(task.audioMs),
				}),
				qos: 1,
				expirySeconds: Math.ceil(offerMs / 1000),
			});
			if (published.is === "accepted" && published.reached) return;
		} catch (error) {
			if (!(error instanceof ConnectionLost)) throw error;
		}
		this.decline(offer);
	}

	/** @returns its task; undefined for an offer that is not open. */
	accept(offer: string): string | undefined {
		const taskId = this.#take(offer);
		if (taskId !== undefined) this.hurry();
		return taskId;
	}

	decline(offer: string): void {
		if (this.#take(offer)) this.#onUntaken(againMs);
	}

	#onUntaken(pauseMs: number): void {
		this.#untaken++;
		this.#parts.onUntaken(this.#untaken < quickMax ? pauseMs : slowMs);
	}

	#take(offer: string): string | undefined {
		const open = this.#open.get(offer);
		if (!open) return undefined;
		clearTimeout(open.timer);
		this.#open.delete(offer);
		return open.taskId;
	}
}
