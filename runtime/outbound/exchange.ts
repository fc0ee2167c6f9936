/** One request over one separate connection, to addresses that were checked: Node's client with a pinned lookup. No keep-alive, no decompression. */
import {
	type ClientRequest,
	type IncomingHttpHeaders,
	type IncomingMessage,
	request as requestPlain,
} from "node:http";
import { request as requestSecure } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { OutboundError } from "./outbound-error.js";
import type { OutboundLimits, OutboundRequest } from "./outbound-request.js";
import { bodySent, pour } from "./request-body.js";
import type { Target } from "./target.js";

const headerBytesMax = 16 * 1024;
/** The size that `pieceSecondsMax` refers to. */
const pieceBytes = 32 * 1024;

/** @throws OutboundError; the signal's reason when aborted */
export async function exchange(
	target: Target,
	addresses: readonly string[],
	request: OutboundRequest,
	signal: AbortSignal,
): Promise<OutboundAnswer> {
	signal.throwIfAborted();
	const client = start(target, addresses, request);
	let answer: OutboundAnswer | undefined;
	const fail = (reason: Error) =>
		answer ? answer.fail(reason) : client.destroy(reason);
	const abort = () => fail(signal.reason as Error);
	signal.addEventListener("abort", abort);
	const { idleSecondsMax } = request.limits;
	client.on("timeout", () => fail(slow(`no data for ${idleSecondsMax} s`)));
	try {
		const response = await answerOf(client, request);
		response.on("error", () => {}); // the reader of the body gets it
		if (isAccepted(response)) await bodySent(client);
		signal.throwIfAborted();
		answer = new OutboundAnswer(response, request.limits, () => {
			signal.removeEventListener("abort", abort);
			client.destroy();
		});
		return answer;
	} catch (thrown) {
		signal.removeEventListener("abort", abort);
		client.destroy();
		throw broken(thrown, signal);
	}
}

export class OutboundAnswer {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly #response: IncomingMessage;
	readonly #limits: OutboundLimits;
	readonly #onClose: (() => void)[] = [];
	#failure: Error | undefined;

	constructor(
		response: IncomingMessage,
		limits: OutboundLimits,
		onClose: () => void,
	) {
		this.#response = response;
		this.#limits = limits;
		this.#onClose.push(onClose);
		this.status = response.statusCode ?? 0;
		this.headers = response.headers;
	}

	endingWith(act: () => void): this {
		this.#onClose.push(act);
		return this;
	}

	/** The body as it arrives; closes at its end. @throws OutboundError; the signal's reason when aborted */
	async *body(): AsyncGenerator<Uint8Array> {
		const { bytesMax } = this.#limits;
		const declared = Number(this.headers["content-length"] ?? 0);
		try {
			if (declared > bytesMax) throw tooLarge(bytesMax);
			let bytes = 0;
			for await (const chunk of this.#paced()) {
				bytes += chunk.byteLength;
				if (bytes > bytesMax) throw tooLarge(bytesMax);
				yield chunk;
			}
		} catch (thrown) {
			throw this.#failure ?? broken(thrown);
		} finally {
			this.close();
		}
	}

	/** Enforces a minimum rate: an occasional byte is not silence, but too slow for a file. Time that the reader takes is not counted. */
	async *#paced(): AsyncGenerator<Uint8Array> {
		const { pieceSecondsMax } = this.#limits;
		let missingBytes = pieceBytes;
		let waitedMs = 0;
		let sinceMs = performance.now();
		for await (const chunk of this.#response as AsyncIterable<Buffer>) {
			waitedMs += performance.now() - sinceMs;
			missingBytes -= chunk.byteLength;
			if (missingBytes <= 0) {
				missingBytes = pieceBytes;
				waitedMs = 0;
			} else if (waitedMs > pieceSecondsMax * 1000) {
				const pace = `${pieceBytes} bytes took over ${pieceSecondsMax} s`;
				throw slow(`it sends too slowly: ${pace}`);
			}
			yield chunk;
			sinceMs = performance.now();
		}
	}

	/** The reader of the body gets the error. */
	fail(reason: Error): void {
		this.#failure ??= reason;
		this.#response.destroy(reason);
	}

	/** The rest is not needed. */
	close(): void {
		for (const act of this.#onClose.splice(0)) act();
		this.#response.destroy();
	}
}

function start(
	{ url, secure, host, port }: Target,
	addresses: readonly string[],
	{ method, headers, body, limits }: OutboundRequest,
): ClientRequest {
	const send = secure ? requestSecure : requestPlain;
	const client = send({
		host,
		port,
		method,
		path: `${url.pathname}${url.search}`,
		headers: {
			Host: url.host,
			"User-Agent": "earshot",
			"Accept-Encoding": "identity",
			...headers,
		},
		lookup: pinned(addresses),
		agent: false,
		maxHeaderSize: headerBytesMax,
		timeout: limits.idleSecondsMax * 1000,
		...attemptsOf(addresses, limits),
		// an IP address can't be a server name (SNI)
		...(secure && isIP(host) === 0 && { servername: host }),
	});
	if (body) void pour(body, client);
	else client.end();
	return client;
}

/** A first address that never answers (IPv6 that is routed nowhere) costs this. */
const attemptMsMax = 2500;

/**
 * Node gives each address but the last a quarter of a second, which is less than an answer takes by satellite. Missing in the types of requests, which hand it
 * on to `net.connect`.
 */
function attemptsOf(
	addresses: readonly string[],
	{ connectSecondsMax }: OutboundRequest["limits"],
): object {
	const shareMs = Math.floor((connectSecondsMax * 1000) / addresses.length);
	const ms = Math.min(attemptMsMax, shareMs);
	return { autoSelectFamilyAttemptTimeout: ms };
}

/** Whoever refuses a body does not want the rest of it. */
function isAccepted({ statusCode = 0 }: IncomingMessage): boolean {
	return statusCode >= 200 && statusCode < 300;
}

/** Connects only to the addresses that were checked. */
function pinned(addresses: readonly string[]): LookupFunction {
	const answers = addresses.map((address) => ({
		address,
		family: isIP(address),
	}));
	return (_host, options, callback) => {
		const first = answers[0] as (typeof answers)[number];
		if (options.all) callback(null, answers);
		else callback(null, first.address, first.family);
	};
}

function answerOf(
	client: ClientRequest,
	{ limits }: OutboundRequest,
): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		const within = (seconds: number, what: string) =>
			setTimeout(
				() => client.destroy(slow(`${what} took over ${seconds} s`)),
				seconds * 1000,
			);
		const connecting = within(limits.connectSecondsMax, "connecting");
		let answering: NodeJS.Timeout | undefined;
		client.on("socket", (socket) => {
			const ready = client.protocol === "https:" ? "secureConnect" : "connect";
			socket.once(ready, () => clearTimeout(connecting));
		});
		const onSent = () => {
			answering = within(limits.headersSecondsMax, "its answer");
		};
		client.once("finish", onSent);
		const settle = () => {
			client.off("finish", onSent); // it may answer before it has read everything
			clearTimeout(connecting);
			clearTimeout(answering);
		};
		client.once("response", (response) => {
			settle();
			resolve(response);
		});
		client.on("error", (error) => {
			settle();
			reject(error);
		});
	});
}

function broken(thrown: unknown, signal?: AbortSignal): unknown {
	if (thrown instanceof OutboundError) return thrown;
	if (signal?.aborted) return signal.reason;
	const { code } = thrown as NodeJS.ErrnoException;
	const reason = sentences[code ?? ""] ?? "the connection was interrupted";
	return new OutboundError("unreachable", reason, thrown);
}

const sentences: Readonly<Record<string, string>> = {
	ECONNREFUSED: "connection refused",
	ENETUNREACH: "its network can't be reached",
	EHOSTUNREACH: "its host can't be reached",
	ETIMEDOUT: "connecting took too long",
	HPE_HEADER_OVERFLOW: `its headers are longer than ${headerBytesMax} bytes`,
	CERT_HAS_EXPIRED: "its certificate has expired",
	DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is not trusted",
	SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not trusted",
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not trusted",
	ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

function slow(why: string): OutboundError {
	return new OutboundError("unreachable", why);
}

function tooLarge(bytesMax: number): OutboundError {
	return new OutboundError("too-large", `it is larger than ${bytesMax} bytes`);
}
