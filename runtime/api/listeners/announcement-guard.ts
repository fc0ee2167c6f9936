/**
 * Stands between the local network and the library that answers multicast DNS there: whoever is on that network sends what they like, and everybody else waits
 * while it is decoded and answered.
 *
 * The library offers no place for it, so methods of its own are put in place of it. They are private: its version is exact (package.json), and a test fails when
 * they are gone (test/hostile/announcement.test.ts).
 */
import { TokenBucket } from "../../limits/token-bucket.js";
import type { Logger } from "../../log/log.js";
import { workMax, workOf } from "./dns-message.js";

interface GuardedResponder {
	readonly server: {
		/** Of each socket: decodes a datagram and gives it to the responder. */
		handleMessage(
			network: string,
			bytes: Buffer,
			sender: { readonly port: number },
			family: string,
		): void;
	};
	handleQuery(query: unknown, sender: unknown): void;
	republishService(...values: readonly unknown[]): Promise<void>;
}

/** Some 200 small messages at once. A turn of the event loop reads 32 of a socket at most. */
const budget = { perSecond: 8 * workMax, burst: 4 * workMax };
/** Of each message, besides what is in it. */
const messageWork = 512;
/** Of the header's third byte: the message is an answer; more of it follows. */
const answerFlag = 0x80;
const truncationFlag = 0x02;

/** @throws TypeError where the library has no such methods. */
export function guardAnnouncement(library: object, log: Logger): void {
	const responder = library as GuardedResponder;
	const { server } = responder;
	const bucket = new TokenBucket(budget);

	const handleMessage = server.handleMessage.bind(server);
	server.handleMessage = (network, bytes, sender, family) => {
		const work = workOf(bytes, sender.port);
		if (work === undefined || !bucket.take(messageWork + work)) return;
		asWhole(bytes);
		handleMessage(network, bytes, sender, family);
	};

	// the library writes the stack of each error to standard error
	const handleQuery = responder.handleQuery.bind(responder);
	responder.handleQuery = (query, sender) => {
		try {
			handleQuery(query, sender);
		} catch (error) {
			log.debug({ err: error }, "a multicast DNS query can't be answered");
		}
	};

	// of two answers that contradict ours, the second may find it in a state that it does not expect: nobody handles that, and the process would end
	const republishService = responder.republishService.bind(responder);
	responder.republishService = (...values) =>
		republishService(...values).catch((error: unknown) =>
			log.debug({ err: error }, "not announced again yet"),
		);
}

/**
 * The library would collect what a querier truncates for as long as more of it comes, and answer it at once. A query is answered by itself: at worst the querier
 * gets an answer that it was about to name as known.
 */
function asWhole(bytes: Buffer): void {
	const flags = bytes.readUInt8(2);
	if ((flags & answerFlag) === 0) bytes.writeUInt8(flags & ~truncationFlag, 2);
}
