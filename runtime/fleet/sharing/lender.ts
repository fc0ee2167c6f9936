/**
 * Offers waiting files to idle devices of the site: each offer reaches one of them (a shared subscription), which accepts or declines; a device that accepts
 * gets a lease and the link to the audio, and the task once it has the audio. Files that no device takes are offered again, and run here when their turn comes.
 */

import { randomBytes } from "node:crypto";
import type { LogPort } from "../../log/log-port.js";
import type { BrokerConnection } from "../broker/connection.js";
import { ConnectionLost } from "../broker/connection-lost.js";
import { type JobMessage, jobProtocol } from "../payloads/jobs.js";
import { schemaVersion } from "../payloads/schema-version.js";
import type { Topics } from "../topics.js";
import type { JobMessageSender } from "./job-message-sender.js";
import { Lease } from "./lease.js";
import { LeaseLosses } from "./lease-losses.js";
import type { SharingPort } from "./sharing-port.js";

export interface LenderParts {
	readonly appliance: SharingPort;
	readonly topics: Topics;
	readonly sender: JobMessageSender;
	readonly connection: () => BrokerConnection | undefined;
	readonly leaseMs: number;
	readonly log: LogPort;
}

/** An offer without an answer for this long is made to another device. */
const offerMs = 3000;
/** Pause after an offer was declined, or reached no device. */
const againMs = 500;
/** Delay of offers, so that a worker receives the end of its last lease first and has a free slot. */
const gatherMs = 20;
const offersMax = 4;

interface Grant {
	readonly taskId: string;
	readonly worker: string;
	/** Runs until the worker reports that it has the audio. */
	readonly timer: NodeJS.Timeout;
}

export class Lender {
	readonly #parts: LenderParts;
	/** Tasks by offer. */
	readonly #offers = new Map<
		string,
		{ taskId: string; timer: NodeJS.Timeout }
	>();
	readonly #grants = new Map<string, Grant>();
	readonly #leases = new Map<string, Lease>();
	#waiting: readonly string[] = [];
	readonly #losses = new LeaseLosses();
	#timer: NodeJS.Timeout | undefined;
	#timerAtMs = Number.POSITIVE_INFINITY;
	#given = 0;
	#isStopped = false;

	constructor(parts: LenderParts) {
		this.#parts = parts;
		parts.appliance.onWaiting((ids) => {
			this.#waiting = ids;
			this.#offerSoon(gatherMs);
		});
	}

	/** Lent tasks are resumed after the next start. */
	stop(): void {
		this.#isStopped = true;
		clearTimeout(this.#timer);
		for (const { timer } of this.#offers.values()) clearTimeout(timer);
		for (const { timer } of this.#grants.values()) clearTimeout(timer);
		for (const lease of this.#leases.values()) lease.close();
	}

	get stats() {
		return {
			lent: this.#leases.size,
			given: this.#given,
			lost: this.#losses.count,
		};
	}

	onMessage(message: JobMessage): void {
		switch (message.is) {
			case "accept":
				void this.#grant(message.offer, message.from);
				return;
			case "decline":
				if (this.#takeOffer(message.offer)) this.#offerSoon(againMs);
				return;
			case "ready":
				this.#lend(message.lease, message.from);
				return;
			case "event":
			case "failed": {
				const lease = this.#leaseOf(message);
				lease?.keepAlive();
				lease?.onMessage(message);
				return;
			}
			case "alive": {
				const lease = this.#leaseOf(message);
				if (lease) lease.onAlive(message);
				else if (message.job !== undefined)
					this.#lend(message.lease, message.from); // its "ready" was lost
				else if (!this.#grants.has(message.lease)) this.#sendEnd(message);
				return;
			}
			case "end": {
				this.#leaseOf(message)?.lose("the device returned it");
				const isGranted =
					this.#grants.get(message.lease)?.worker === message.from;
				if (isGranted && this.#takeGrant(message.lease))
					this.#offerSoon(againMs);
				return;
			}
		}
	}

	/** A device that sends messages about an unknown lease has lost it. */
	#leaseOf(message: { lease: string; from: string }): Lease | undefined {
		const lease = this.#leases.get(message.lease);
		return lease?.worker === message.from ? lease : undefined;
	}

	#sendEnd({ from, lease }: { lease: string; from: string }): void {
		void this.#parts.sender.send(from, { is: "end", lease });
	}

	/** At the earliest time requested: repeated calls do not postpone it. */
	#offerSoon(afterMs: number): void {
		const atMs = performance.now() + afterMs;
		if (this.#isStopped || atMs >= this.#timerAtMs) return;
		clearTimeout(this.#timer);
		this.#timerAtMs = atMs;
		this.#timer = setTimeout(() => this.#offerSome(), afterMs);
	}

	#offerSome(): void {
		this.#timerAtMs = Number.POSITIVE_INFINITY;
		const busy = new Set(
			[this.#offers, this.#grants, this.#leases].flatMap((map) =>
				[...map.values()].map((it) => it.taskId),
			),
		);
		const nowMs = performance.now();
		for (const taskId of this.#waiting) {
			const untilMs = this.#losses.untilMs(taskId);
			if (this.#offers.size >= offersMax || busy.has(taskId)) continue;
			if (untilMs <= nowMs) void this.#offer(taskId);
			else if (Number.isFinite(untilMs)) this.#offerSoon(untilMs - nowMs);
		}
	}

	async #offer(taskId: string): Promise<void> {
		const { appliance, topics, sender, connection } = this.#parts;
		const task = appliance.shareable(taskId);
		const broker = connection();
		if (!task || !broker) {
			this.#offerSoon(offerMs);
			return;
		}
		const offer = randomBytes(16).toString("hex");
		const timer = setTimeout(() => {
			if (this.#takeOffer(offer)) this.#offerSoon(gatherMs);
		}, offerMs);
		this.#offers.set(offer, { taskId, timer });
		try {
			const published = await broker.publish({
				topic: topics.offers,
				payload: JSON.stringify({
					schema: schemaVersion,
					is: "offer",
					protocol: jobProtocol,
					from: sender.device,
					offer,
					model: appliance.model,
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
		if (this.#takeOffer(offer)) this.#offerSoon(againMs);
	}

	#takeOffer(offer: string): string | undefined {
		const open = this.#offers.get(offer);
		if (!open) return undefined;
		clearTimeout(open.timer);
		this.#offers.delete(offer);
		return open.taskId;
	}

	#takeGrant(lease: string): Grant | undefined {
		const grant = this.#grants.get(lease);
		if (!grant) return undefined;
		clearTimeout(grant.timer);
		this.#grants.delete(lease);
		return grant;
	}

	async #grant(offer: string, worker: string): Promise<void> {
		const { appliance, sender, connection, leaseMs } = this.#parts;
		const taskId = this.#takeOffer(offer);
		const task = taskId === undefined ? undefined : appliance.shareable(taskId);
		const sendGone = () => void sender.send(worker, { is: "gone", offer });
		if (taskId === undefined || !task) {
			sendGone();
			return;
		}
		const lease = randomBytes(16).toString("hex");
		const timer = setTimeout(() => {
			if (this.#takeGrant(lease)) this.#offerSoon(gatherMs);
		}, leaseMs);
		this.#grants.set(lease, { taskId, worker, timer }); // it is not offered to others meanwhile
		const bytes = await appliance
			.audioBytes(task.audioId)
			.catch(() => undefined);
		if (this.#isStopped) return;
		if (bytes === undefined || !this.#grants.has(lease)) {
			this.#takeGrant(lease);
			sendGone();
			return;
		}
		const url = appliance.audioUrl(task.audioId, connection()?.localAddress);
		void sender.send(worker, {
			is: "grant",
			...{ offer, lease, url, bytes, lease_seconds: leaseMs / 1000 },
		});
	}

	#lend(id: string, from: string): void {
		const { appliance, sender, leaseMs, log } = this.#parts;
		if (this.#leaseOf({ lease: id, from })) return; // repeated after a broken connection
		const grant = this.#grants.get(id);
		if (grant?.worker !== from) {
			this.#sendEnd({ from, lease: id });
			return;
		}
		this.#takeGrant(id);
		const { taskId, worker } = grant;
		const { audioMs = 0 } = appliance.shareable(taskId) ?? {};
		const lease = new Lease({
			...{ id, taskId, audioMs, worker, leaseMs, sender },
			onEnd: (end) => {
				this.#leases.delete(id);
				if (end.is === "lost") {
					this.#losses.note(taskId, end.isOurs);
					const fields = { task: taskId, device: worker, why: end.why };
					log.warn(fields, "shared file returned by the device");
				} else this.#losses.forget(taskId);
				this.#offerSoon(gatherMs);
			},
		});
		this.#leases.set(id, lease);
		const ended = appliance.lend(taskId, lease);
		if (!ended) {
			lease.close();
			return;
		}
		this.#given++;
		log.info({ task: taskId, device: worker }, "file shared");
		void ended.then(() => lease.close());
	}
}
