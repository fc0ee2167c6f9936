/**
 * Offers that a device has accepted, until it has the audio: the task waits meanwhile, and is not offered to others. Signs of life of both sides keep a grant, as
 * they keep a lease, so that a download may take longer than a lease lasts.
 */
import { randomBytes } from "node:crypto";
import { Heartbeat } from "./heartbeat.js";
import type {
	JobMessageSender,
	OutgoingJobMessage,
} from "./job-message-sender.js";

export interface Grant {
	readonly taskId: string;
	/** Length of its file. */
	readonly audioMs: number;
	readonly worker: string;
}

export interface GrantsParts {
	readonly sender: JobMessageSender;
	readonly leaseMs: number;
	/** The device did not get the audio. */
	readonly onFailed: (grant: Grant, why: string) => void;
}

type GrantMessage = Extract<OutgoingJobMessage, { readonly is: "grant" }>;

interface OpenGrant extends Grant {
	readonly heartbeat: Heartbeat;
	readonly life: NodeJS.Timeout;
	isSent: boolean;
}

/** Plus the length of the file: what is downloaded more slowly than it was spoken is transcribed sooner here. */
const lifeMsMin = 600_000;

export class Grants {
	readonly #parts: GrantsParts;
	/** By the lease that each becomes. */
	readonly #open = new Map<string, OpenGrant>();

	constructor(parts: GrantsParts) {
		this.#parts = parts;
	}

	stop(): void {
		for (const lease of this.#open.keys()) this.withdraw(lease);
	}

	get taskIds(): readonly string[] {
		return [...this.#open.values()].map((it) => it.taskId);
	}

	/** @returns the lease. */
	open(grant: Grant): string {
		const { sender, leaseMs } = this.#parts;
		const lease = randomBytes(16).toString("hex");
		const open: OpenGrant = {
			...grant,
			heartbeat: new Heartbeat(
				leaseMs,
				() => {
					if (open.isSent)
						void sender.send(grant.worker, { is: "alive", lease });
				},
				() => this.#fail(lease, "it no longer responds"),
			),
			life: setTimeout(
				() => this.#fail(lease, "the download takes too long"),
				lifeMsMin + grant.audioMs,
			),
			isSent: false,
		};
		this.#open.set(lease, open);
		return lease;
	}

	has(lease: string): boolean {
		return this.#open.has(lease);
	}

	send(message: Omit<GrantMessage, "is" | "lease_seconds">): void {
		const open = this.#open.get(message.lease);
		if (!open) return;
		const { sender, leaseMs } = this.#parts;
		open.isSent = true;
		void sender.send(open.worker, {
			is: "grant",
			...message,
			lease_seconds: leaseMs / 1000,
		});
	}

	/** @returns false where the device has no such grant. */
	keepAlive(lease: string, worker: string): boolean {
		const open = this.#open.get(lease);
		if (open?.worker !== worker) return false;
		open.heartbeat.keepAlive();
		return true;
	}

	/** The device has the audio. @returns undefined where it has no such grant. */
	take(lease: string, worker: string): Grant | undefined {
		const open = this.#open.get(lease);
		return open?.worker === worker ? this.withdraw(lease) : undefined;
	}

	/** The device has returned it. */
	onReturned(lease: string, worker: string): void {
		const grant = this.take(lease, worker);
		if (grant) this.#parts.onFailed(grant, "it returned it, see its log");
	}

	/** Those of other tasks are over: their turn has come here. */
	keepOnly(taskIds: readonly string[]): void {
		for (const [lease, { taskId }] of this.#open)
			if (!taskIds.includes(taskId)) this.#end(lease);
	}

	/** Without a word to the device. */
	withdraw(lease: string): Grant | undefined {
		const open = this.#open.get(lease);
		if (!open) return undefined;
		open.heartbeat.stop();
		clearTimeout(open.life);
		this.#open.delete(lease);
		return open;
	}

	#fail(lease: string, why: string): void {
		const grant = this.#end(lease);
		if (grant) this.#parts.onFailed(grant, why);
	}

	#end(lease: string): Grant | undefined {
		const isSent = this.#open.get(lease)?.isSent;
		const grant = this.withdraw(lease);
		if (grant && isSent)
			void this.#parts.sender.send(grant.worker, { is: "end", lease });
		return grant;
	}
}
