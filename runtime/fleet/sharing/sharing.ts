/** Sharing of files between the devices of a site (`fleet.share`): what waits here goes to others, what waits there comes here, each by leases. */
import type { EngineLog } from "../../engine/log-port.js";
import { TokenBucket } from "../../token-bucket.js";
import type {
	BrokerConnection,
	IncomingMessage,
} from "../broker/connection.js";
import { readJobMessage, readOffer } from "../payloads/jobs.js";
import type { Topics } from "../topics.js";
import { Borrower } from "./borrower.js";
import { Lender } from "./lender.js";
import { Post } from "./post.js";
import type { SharingHouse } from "./sharing-port.js";

export interface SharingParts {
	readonly house: SharingHouse;
	readonly device: string;
	readonly topics: Topics;
	readonly connection: () => BrokerConnection | undefined;
	readonly leaseSeconds: number;
	readonly log: EngineLog;
}

/** What fifty devices at work for one say; more is not looked at, so that it costs a comparison. */
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
		const post = new Post({ device, topics, connection });
		this.#lender = new Lender({ ...parts, post, leaseMs: leaseSeconds * 1000 });
		this.#borrower = new Borrower({ ...parts, post });
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

	/** The connection is gone; leases outlive it for as long as they last. */
	drop(): void {
		this.#borrower.use(undefined);
	}

	/** Never throws. */
	accept({ topic, payload, retained }: IncomingMessage): void {
		const isOffer = topic === this.#topics.offers;
		if (!isOffer && topic !== this.#topics.inboxOf(this.#device)) return;
		const isTooMuch =
			!this.#messages.take() || !this.#bytes.take(payload.length);
		const isUnderstood =
			!retained &&
			!isTooMuch &&
			(isOffer ? this.#acceptOffer(payload) : this.#acceptMessage(payload));
		if (!isUnderstood) this.#ignored++;
	}

	#acceptOffer(payload: Uint8Array): boolean {
		const offer = readOffer(payload);
		if (offer) this.#borrower.offered(offer);
		return offer !== undefined;
	}

	#acceptMessage(payload: Uint8Array): boolean {
		const message = readJobMessage(payload);
		if (!message || message.from === this.#device) return false;
		// a lease is known to one of the two; who knows none says so
		if (this.#borrower.isFor(message)) this.#borrower.accept(message);
		else this.#lender.accept(message);
		return true;
	}

	get figures() {
		return {
			...this.#lender.figures,
			...this.#borrower.figures,
			ignored: this.#ignored,
		};
	}
}

function bucketOf(perSecond: number): TokenBucket {
	return new TokenBucket({ perSecond, burst: secondsAtOnce * perSecond });
}
