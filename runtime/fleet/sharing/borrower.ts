/** Transcribes files of other devices while this one has no tasks of its own. While it has some, it is not subscribed to offers. */
import type { LogPort } from "../../log/log-port.js";
import type { BrokerConnection } from "../broker/connection.js";
import { ConnectionLost } from "../broker/connection-lost.js";
import type { JobMessage, OfferMessage } from "../payloads/jobs.js";
import type { Topics } from "../topics.js";
import type { JobMessageSender } from "./job-message-sender.js";
import { type Grant, Loan } from "./loan.js";
import type { SharingPort } from "./sharing-port.js";

export interface BorrowerParts {
	readonly appliance: SharingPort;
	readonly topics: Topics;
	readonly sender: JobMessageSender;
	readonly log: LogPort;
}

interface Accepted {
	readonly from: string;
	readonly language: string;
	/** Runs while the owner does not answer. */
	readonly timer: NodeJS.Timeout;
}

const checkMs = 500;
/** How long an accepted offer waits for the owner's grant. */
const grantMsMax = 5000;

export class Borrower {
	readonly #parts: BorrowerParts;
	readonly #loans = new Map<string, Loan>();
	/** Offers that we have accepted. */
	readonly #accepted = new Map<string, Accepted>();
	#connection: BrokerConnection | undefined;
	#isSubscribed = false;
	#timer: NodeJS.Timeout | undefined;
	#taken = 0;
	#lastWarning = "";

	constructor(parts: BorrowerParts) {
		this.#parts = parts;
	}

	start(): void {
		this.#timer = setInterval(() => this.check(), checkMs);
		this.#timer.unref();
	}

	stop(): void {
		clearInterval(this.#timer);
		this.#connection = undefined;
		for (const { timer } of this.#accepted.values()) clearTimeout(timer);
		for (const loan of this.#loans.values())
			loan.end("the device is shutting down");
	}

	/** Reads offers, or no longer, as the device is idle or not. */
	check(): void {
		void this.#updateSubscription();
	}

	/** @param connection new, without subscriptions; undefined: disconnected. */
	use(connection: BrokerConnection | undefined): void {
		this.#connection = connection;
		this.#isSubscribed = false;
		void this.#updateSubscription();
	}

	get stats() {
		return { borrowed: this.#loans.size, taken: this.#taken };
	}

	onOffer({ offer, from, model, language }: OfferMessage): void {
		const { appliance, sender } = this.#parts;
		if (from === sender.device || this.#accepted.has(offer)) return;
		const fits =
			model === appliance.modelOf(language) && appliance.recognizes(language);
		const free =
			appliance.unfinished() === 0 &&
			this.#loans.size + this.#accepted.size < appliance.slots;
		if (!fits || !free) {
			void sender.send(from, { is: "decline", offer });
			return;
		}
		const timer = setTimeout(() => this.#accepted.delete(offer), grantMsMax);
		this.#accepted.set(offer, { from, language, timer });
		void sender.send(from, { is: "accept", offer });
	}

	/** Whether it is a message from an owner to a borrower about one of our loans. */
	isFor(message: JobMessage): boolean {
		switch (message.is) {
			case "gone":
			case "grant":
			case "job":
			case "cancel":
				return true;
			case "alive":
			case "end":
				return this.#loans.has(message.lease);
			default:
				return false;
		}
	}

	onMessage(message: JobMessage): void {
		switch (message.is) {
			case "gone":
				this.#takeAccepted(message);
				return;
			case "grant":
				this.#take(message);
				return;
			case "job":
			case "cancel":
			case "alive":
			case "end": {
				const loan = this.#loans.get(message.lease);
				if (loan?.owner === message.from) loan.onMessage(message);
			}
		}
	}

	/** Only the device that made the offer may take it. */
	#takeAccepted({
		offer,
		from,
	}: Pick<Grant, "offer" | "from">): Accepted | undefined {
		const accepted = this.#accepted.get(offer);
		if (accepted?.from !== from) return undefined;
		clearTimeout(accepted.timer);
		this.#accepted.delete(offer);
		return accepted;
	}

	#take(grant: Grant): void {
		const { appliance, sender, log } = this.#parts;
		const { lease, from } = grant;
		if (this.#loans.has(lease)) return; // repeated, or of another owner
		const accepted = this.#takeAccepted(grant);
		if (!accepted) {
			void sender.send(from, { is: "end", lease }); // not requested, or too late
			return;
		}
		this.#taken++;
		const { language } = accepted;
		const loan = new Loan({
			grant,
			language,
			sender,
			lane: appliance.lane,
			fetch: (url, bytes, signal) => appliance.fetch(url, bytes, signal),
			onEnd: (why) => {
				this.#loans.delete(lease);
				if (why !== undefined && why !== this.#lastWarning)
					log.warn({ device: from, why }, "file of another device returned");
				this.#lastWarning = why ?? "";
			},
		});
		this.#loans.set(lease, loan);
	}

	/** Subscribed only while this device has no tasks of its own. */
	async #updateSubscription(): Promise<void> {
		const connection = this.#connection;
		const { appliance, topics } = this.#parts;
		const wanted = appliance.unfinished() === 0;
		if (!connection || wanted === this.#isSubscribed) return;
		this.#isSubscribed = wanted;
		try {
			if (wanted) await connection.subscribe(topics.sharedOffers);
			else await connection.unsubscribe(topics.sharedOffers);
		} catch (error) {
			if (error instanceof ConnectionLost) return;
			const { message: reason } = error as Error;
			if (this.#lastWarning !== reason)
				this.#parts.log.warn(
					{ reason },
					"failed to subscribe to the offers of other devices",
				);
			this.#lastWarning = reason;
		}
	}
}
