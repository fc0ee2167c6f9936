/** Sharing of files between the devices of a site (`fleet.share`): tasks that wait here are lent to others and vice versa, each by a lease. */

import { TokenBucket } from "../../limits/token-bucket.js";
import type { LogPort } from "../../log/log-port.js";
import type { BrokerConnection } from "../broker/connection.js";
import type { IncomingMessage } from "../broker/messages.js";
import { readJobMessage, readOffer } from "../payloads/jobs.js";
import type { Topics } from "../topics.js";
import { Borrower } from "./borrower.js";
import { JobMessageSender } from "./job-message-sender.js";
import { Lender } from "./lender.js";
import type { SharingPort } from "./sharing-port.js";

export interface SharingParts {
	readonly appliance: SharingPort;
	readonly device: string;
	readonly topics: Topics;
	readonly connection: () => BrokerConnection | undefined;
	readonly leaseSeconds: number;
	readonly log: LogPort;
}

/** Enough for fifty devices that work for this one; messages above that are ignored and only cost a comparison. */
const messagesPerSecond = 1000;
const bytesPerSecond = 2 * 1024 * 1024;
const secondsAtOnce = 2;

export class Sharing {
	readonly #topics: Topics;
	readonly #device: string;
	readonly #messages = bucketOf(messagesPerSecond);
	readonly #bytes = bucketOf(bytesPerSecond);
	#ignored = 0;
	readonly #lender: Lender;
	readonly #borrower: Borrower;

	constructor(parts: SharingParts) {
		const { device, topics, connection, leaseSeconds } = parts;
		this.#topics = topics;
		this.#device = device;
		const sender = new JobMessageSender({ device, topics, connection });
		this.#lender = new Lender({
			...parts,
			sender,
			leaseMs: leaseSeconds * 1000,
			// or the broker might give the offer of a file back to its own device
			onWaiting: () => this.#borrower.check(),
		});
		this.#borrower = new Borrower({ ...parts, sender });
	}

	start(): void {
		this.#borrower.start();
	}

	stop(): void {
		this.#borrower.stop();
		this.#lender.stop();
	}

	/** @throws ConnectionLost */
	async use(connection: BrokerConnection): Promise<void> {
		await connection.subscribe(this.#topics.inboxOf(this.#device));
		this.#borrower.use(connection);
	}

	/** The connection is lost; leases continue until they expire. */
	drop(): void {
		this.#borrower.use(undefined);
	}

	/** Never rejects. @returns when it has been handled: the next message waits for that. */
	async onMessage({
		topic,
		payload,
		retained,
	}: IncomingMessage): Promise<void> {
		const isOffer = topic === this.#topics.offers;
		if (!isOffer && topic !== this.#topics.inboxOf(this.#device)) return;
		const isTooMuch =
			!this.#messages.take() || !this.#bytes.take(payload.length);
		const isUnderstood =
			!retained &&
			!isTooMuch &&
			(isOffer ? this.#onOffer(payload) : await this.#onJobMessage(payload));
		if (!isUnderstood) this.#ignored++;
	}

	#onOffer(payload: Uint8Array): boolean {
		const offer = readOffer(payload);
		if (offer) this.#borrower.onOffer(offer);
		return offer !== undefined;
	}

	async #onJobMessage(payload: Uint8Array): Promise<boolean> {
		const message = await readJobMessage(payload);
		if (!message || message.from === this.#device) return false;
		// a lease is known to borrower or lender; the lender answers for unknown ones
		if (this.#borrower.isFor(message)) this.#borrower.onMessage(message);
		else this.#lender.onMessage(message);
		return true;
	}

	get stats() {
		return {
			...this.#lender.stats,
			...this.#borrower.stats,
			ignored: this.#ignored,
		};
	}
}

function bucketOf(perSecond: number): TokenBucket {
	return new TokenBucket({ perSecond, burst: secondsAtOnce * perSecond });
}
