/**
 * Offers waiting files to idle devices of the site: each offer reaches one of them (a shared subscription), which accepts or declines; a device that accepts
 * gets a lease and the link to the audio, and the task once it has the audio. Files that no device takes are offered again, less often as time goes by, and run
 * here when their turn comes.
 */

import type { LogPort } from "../../log/log-port.js";
import type { BrokerConnection } from "../broker/connection.js";
import type { JobMessage } from "../payloads/jobs.js";
import type { Topics } from "../topics.js";
import { type Grant, Grants } from "./grants.js";
import type { JobMessageSender } from "./job-message-sender.js";
import { Lease } from "./lease.js";
import { LeaseLosses } from "./lease-losses.js";
import { gatherMs, Offers } from "./offers.js";
import type { SharingPort } from "./sharing-port.js";

export interface LenderParts {
	readonly appliance: SharingPort;
	readonly topics: Topics;
	readonly sender: JobMessageSender;
	readonly connection: () => BrokerConnection | undefined;
	readonly leaseMs: number;
	readonly log: LogPort;
	/** Before files that wait are offered. */
	readonly onWaiting: () => void;
	/** Of a monotonic clock; default: this process's. */
	readonly nowMs?: () => number;
}

const offersMax = 4;
/** Number of devices whose failed downloads are logged once each. */
const failingMax = 100;

export class Lender {
	readonly #parts: LenderParts;
	readonly #nowMs: () => number;
	readonly #offers: Offers;
	readonly #grants: Grants;
	readonly #leases = new Map<string, Lease>();
	#waiting: readonly string[] = [];
	readonly #losses = new LeaseLosses();
	/** Devices that did not get the audio of their last grant. */
	readonly #failing = new Set<string>();
	#timer: NodeJS.Timeout | undefined;
	#timerAtMs = Number.POSITIVE_INFINITY;
	#given = 0;
	#isStopped = false;

	constructor(parts: LenderParts) {
		this.#parts = parts;
		const { sender, leaseMs } = parts;
		this.#nowMs = parts.nowMs ?? (() => performance.now());
		this.#offers = new Offers({
			...parts,
			onUntaken: (pauseMs) => this.#offerSoon(pauseMs),
		});
		this.#grants = new Grants({
			sender,
			leaseMs,
			onFailed: (grant, why) => this.#onFailedGrant(grant, why),
		});
		parts.appliance.onWaiting((ids) => {
			parts.onWaiting();
			this.#waiting = ids;
			this.#grants.keepOnly(ids);
			this.#offers.hurry();
			this.#offerSoon(gatherMs);
		});
	}

	/** Lent tasks are resumed after the next start. */
	stop(): void {
		this.#isStopped = true;
		clearTimeout(this.#timer);
		this.#offers.stop();
		this.#grants.stop();
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
				this.#offers.decline(message.offer);
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
				else if (!this.#grants.keepAlive(message.lease, message.from))
					this.#sendEnd(message);
				return;
			}
			case "end": {
				this.#leaseOf(message)?.lose("the device returned it");
				this.#grants.onReturned(message.lease, message.from);
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
		const atMs = this.#nowMs() + afterMs;
		if (this.#isStopped || atMs >= this.#timerAtMs) return;
		clearTimeout(this.#timer);
		this.#timerAtMs = atMs;
		this.#timer = setTimeout(() => this.#offerSome(), afterMs);
	}

	#offerSome(): void {
		this.#timerAtMs = Number.POSITIVE_INFINITY;
		const busy = new Set([
			...this.#offers.taskIds,
			...this.#grants.taskIds,
			...[...this.#leases.values()].map((it) => it.taskId),
		]);
		const nowMs = this.#nowMs();
		for (const taskId of this.#waiting) {
			const untilMs = this.#losses.untilMs(taskId);
			if (this.#offers.taskIds.length >= offersMax || busy.has(taskId))
				continue;
			if (untilMs <= nowMs) void this.#offers.make(taskId);
			else if (Number.isFinite(untilMs)) this.#offerSoon(untilMs - nowMs);
		}
	}

	async #grant(offer: string, worker: string): Promise<void> {
		const { appliance, sender, connection } = this.#parts;
		const taskId = this.#offers.accept(offer);
		const task = taskId === undefined ? undefined : appliance.shareable(taskId);
		const sendGone = () => void sender.send(worker, { is: "gone", offer });
		if (taskId === undefined || !task) {
			sendGone();
			return;
		}
		const { audioId, audioMs } = task;
		const lease = this.#grants.open({ taskId, audioMs, worker }); // it is not offered to others meanwhile
		const bytes = await appliance.audioBytes(audioId).catch(() => undefined);
		if (this.#isStopped) return;
		if (bytes === undefined || !this.#grants.has(lease)) {
			this.#grants.withdraw(lease);
			sendGone();
			return;
		}
		const url = appliance.audioUrl(audioId, connection()?.localAddress);
		this.#grants.send({ offer, lease, url, bytes });
	}

	#onFailedGrant({ taskId, worker }: Grant, why: string): void {
		this.#losses.noteFailedGrant(taskId);
		this.#offerSoon(gatherMs);
		if (this.#failing.has(worker)) return;
		if (this.#failing.size >= failingMax) this.#failing.clear();
		this.#failing.add(worker);
		const fields = { task: taskId, device: worker, why };
		this.#parts.log.warn(fields, "the device got no audio of a shared file");
	}

	#lend(id: string, from: string): void {
		const { appliance, sender, leaseMs, log } = this.#parts;
		if (this.#leaseOf({ lease: id, from })) return; // repeated after a broken connection
		const grant = this.#grants.take(id, from);
		if (!grant) {
			this.#sendEnd({ from, lease: id });
			return;
		}
		this.#failing.delete(from);
		const { taskId, audioMs, worker } = grant;
		const lease = new Lease({
			id,
			taskId,
			audioMs,
			worker,
			leaseMs,
			sender,
			onEnd: (end) => {
				this.#leases.delete(id);
				if (end.is === "lost") {
					this.#losses.note(taskId, end.isOurs);
					const fields = { task: taskId, device: worker, why: end.why };
					log.warn(fields, "shared file returned by the device");
				} else this.#losses.forget(taskId);
				this.#offers.hurry();
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
