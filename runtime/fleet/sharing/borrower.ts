/**
 * Files of other devices, worked on while this one has nothing of its own to do. While it has, it does not listen to offers.
 */
import type { EngineLog } from "../../engine/log-port.js";
import type { BrokerConnection } from "../broker/connection.js";
import { ConnectionLost } from "../broker/connection-lost.js";
import type { JobMessage, OfferMessage } from "../payloads/jobs.js";
import type { Topics } from "../topics.js";
import { type Grant, Loan } from "./loan.js";
import type { Post } from "./post.js";
import type { SharingHouse } from "./sharing-port.js";

export interface BorrowerParts {
	readonly house: SharingHouse;
	readonly topics: Topics;
	readonly post: Post;
	readonly log: EngineLog;
}

interface Accepted {
	readonly from: string;
	readonly language: string;
	/** The owner says nothing. */
	readonly timer: NodeJS.Timeout;
}

const lookMs = 500;
/** An owner that was told that we accept, and says nothing. */
const grantMsMax = 5000;

export class Borrower {
	readonly #parts: BorrowerParts;
	readonly #loans = new Map<string, Loan>();
	/** Offers that we have accepted. */
	readonly #accepted = new Map<string, Accepted>();
	#connection: BrokerConnection | undefined;
	#listens = false;
	#timer: NodeJS.Timeout | undefined;
	#taken = 0;
	#told = "";

	constructor(parts: BorrowerParts) {
		this.#parts = parts;
	}

	start(): void {
		this.#timer = setInterval(() => void this.#look(), lookMs);
		this.#timer.unref();
	}

	stop(): void {
		clearInterval(this.#timer);
		this.#connection = undefined;
		for (const { timer } of this.#accepted.values()) clearTimeout(timer);
		for (const loan of this.#loans.values()) loan.end("the device stops");
	}

	/** @param connection where we listen to nothing yet; undefined: none. */
	use(connection: BrokerConnection | undefined): void {
		this.#connection = connection;
		this.#listens = false;
		void this.#look();
	}

	get figures() {
		return { borrowed: this.#loans.size, taken: this.#taken };
	}

	offered({ offer, from, model, language }: OfferMessage): void {
		const { house, post } = this.#parts;
		if (from === post.device || this.#accepted.has(offer)) return;
		const fits = model === house.model && house.languages.includes(language);
		const free =
			house.unfinished() === 0 &&
			this.#loans.size + this.#accepted.size < house.slots;
		if (!fits || !free) {
			void post.send(from, { is: "decline", offer });
			return;
		}
		const timer = setTimeout(() => this.#accepted.delete(offer), grantMsMax);
		this.#accepted.set(offer, { from, language, timer });
		void post.send(from, { is: "accept", offer });
	}

	/** What owners say, of our loans. */
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

	accept(message: JobMessage): void {
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
				if (loan?.owner === message.from) loan.accept(message);
			}
		}
	}

	/** Of who offered it, and of nobody else. */
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
		const { house, post, log } = this.#parts;
		const { lease, from } = grant;
		if (this.#loans.has(lease)) return; // said twice, or somebody else's
		const accepted = this.#takeAccepted(grant);
		if (!accepted) {
			void post.send(from, { is: "end", lease }); // nobody asked, or too late
			return;
		}
		this.#taken++;
		const { language } = accepted;
		const loan = new Loan({
			...{ grant, language, post },
			lane: house.lane,
			fetch: (url, bytes, signal) => house.fetch(url, bytes, signal),
			onEnd: (why) => {
				this.#loans.delete(lease);
				if (why !== undefined && why !== this.#told)
					log.warn(
						{ device: from, why },
						"a file of another device is given back",
					);
				this.#told = why ?? "";
			},
		});
		this.#loans.set(lease, loan);
	}

	/** Listens exactly while there is nothing of our own to do. */
	async #look(): Promise<void> {
		const connection = this.#connection;
		const { house, topics } = this.#parts;
		const wanted = house.unfinished() === 0;
		if (!connection || wanted === this.#listens) return;
		this.#listens = wanted;
		try {
			if (wanted) await connection.subscribe(topics.sharedOffers);
			else await connection.unsubscribe(topics.sharedOffers);
		} catch (error) {
			if (error instanceof ConnectionLost) return;
			const { message: reason } = error as Error;
			if (this.#told !== reason)
				this.#parts.log.warn(
					{ reason },
					"offers of other devices can't be read",
				);
			this.#told = reason;
		}
	}
}
