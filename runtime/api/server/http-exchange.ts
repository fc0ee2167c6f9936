/**
 * One HTTP request and its response, over uWebSockets.js, whose rules are strict (breaking one ends the process):
 * - `onAborted` is registered first, and nothing is called on a response that was ended or aborted: `#alive` tracks that.
 * - Request headers and body chunks are only valid inside the callback: both are copied.
 * - Header values are sent unchanged: control characters are refused here.
 */

import type { HttpRequest, HttpResponse } from "uWebSockets.js";
import { STATUS_CODES } from "node:http";
import { CodedError } from "../../errors.js";
import { dialectAt } from "../error-dialect.js";
import type {
	Addressed,
	ApiRequest,
	ApiResponse,
	Principal,
	StreamedBody,
} from "../exchange.js";
import { BodyStream } from "./body-stream.js";
import type { BodySource } from "./body-valve.js";
import { BodyWriter } from "./body-writer.js";
import {
	contentLengthOf,
	framingErrorOf,
	type Headers,
	headerBytesOf,
} from "./framing.js";
import { LingeringClose } from "./lingering-close.js";
import { sendHeaders, sendLast, sendWhole } from "./whole-answer.js";

/** A refused body of at most this size is read to its end and discarded, and the connection stays in use; a longer one ends it. */
const drainBytesMax = 64 * 1024 * 1024;

/** What the client of a request addressed, by the address it comes from and its headers. */
export type AddressedBy = (
	remoteAddress: string,
	header: ApiRequest["header"],
) => Addressed;

export class HttpExchange implements ApiRequest {
	readonly method: string;
	readonly path: string;
	readonly query: string;
	readonly remoteAddress: string;
	readonly host: string | undefined;
	readonly isSecure: boolean;
	readonly prefix: string;
	readonly signedIn: Principal | undefined;
	readonly contentLength: number | undefined;
	readonly headerBytes: number;
	/** Two readings of where the body ends would allow request smuggling. */
	readonly framingError: string | undefined;
	readonly #headers: Headers;
	readonly #res: HttpResponse;
	readonly #source: BodySource;
	readonly #body: BodyStream;
	readonly #abort = new AbortController();
	readonly #onOver: (() => void)[];
	#alive = true;
	#isAnswered = false;
	/** The answer is out, and the connection ends once the client has had time to read it. */
	#lingering: LingeringClose | undefined;
	#wakeWriter: () => void = () => {};

	/** @param bytesPerSecondMin minimum pace of its body. */
	constructor(
		res: HttpResponse,
		req: HttpRequest,
		bytesPerSecondMin: number,
		addressedBy: AddressedBy,
		onOver: () => void,
	) {
		this.#res = res;
		this.#onOver = [onOver];
		this.#source = {
			pause: () => this.#alive && res.pause(),
			resume: () => this.#alive && res.resume(),
		};
		res.onAborted(() => this.#becomeOver(!this.#lingering));
		this.method = req.getMethod().toUpperCase();
		this.path = req.getUrl();
		this.query = req.getQuery() ?? "";
		this.#headers = copyHeaders(req);
		this.headerBytes =
			this.path.length + this.query.length + headerBytesOf(this.#headers);
		this.framingError = framingErrorOf(this.#headers);
		this.contentLength = contentLengthOf(this.#headers);
		this.remoteAddress = addressOf(res);
		const addressed = addressedBy(this.remoteAddress, (name) =>
			this.header(name),
		);
		this.host = addressed.host;
		this.isSecure = addressed.isSecure;
		this.prefix = addressed.prefix;
		this.signedIn = addressed.signedIn;
		this.#body = new BodyStream(this.#source, {
			declaredBytes: this.contentLength,
			bytesPerSecondMin,
		});
		res.onData((chunk, isLast) => {
			if (this.#lingering) this.#lingering.discard(chunk.byteLength, isLast);
			else this.#body.accept(new Uint8Array(chunk), isLast);
			// the library has just stopped the timer of an answer that is not taken: trying again restarts it
			if (isLast) this.#wakeWriter();
		});
	}

	get signal(): AbortSignal {
		return this.#abort.signal;
	}

	whenOver(act: () => void): void {
		if (this.#alive) this.#onOver.push(act);
		else act();
	}

	header(name: string): string | undefined {
		return this.#headers.get(name)?.join(", ");
	}

	/** Called once a second. */
	onSecond(): void {
		if (this.#lingering) this.#lingering.onSecond();
		else if (!this.#isAnswered) this.#body.onSecond();
	}

	body(limitBytes: number): AsyncIterable<Uint8Array> {
		return this.#body.read(limitBytes);
	}

	/** @param http overrides the answer's own HTTP status. */
	respond(
		response: ApiResponse,
		endConnection: boolean,
		http = response.http,
	): void {
		const { body } = response;
		const headers = Object.entries(response.headers);
		const isSound = headers.every(isSendable);
		const isOpen = this.#alive && !this.#isAnswered;
		const isRead = isOpen && isSound && this.method !== "HEAD";
		if (!isRead && typeof body !== "string") body.discard?.();
		if (!isOpen) return;
		if (!isSound) {
			this.respond(dialectAt(this.path)(new CodedError("100003")), true);
			return;
		}
		this.#isAnswered = true;
		this.#body.answered();
		const { bytesToCome = Number.POSITIVE_INFINITY, tooSlow } = this.#body;
		const end = endConnection || tooSlow || bytesToCome > drainBytesMax;
		const isComplete = this.#body.complete || (bytesToCome === 0 && http < 400);
		const lingers = end && typeof body === "string" && !isComplete;
		let next = () => {};
		this.#res.cork(() => {
			this.#res.writeStatus(`${http} ${STATUS_CODES[http] ?? ""}`);
			for (const [name, value] of headers) this.#res.writeHeader(name, value);
			if (lingers) this.#sendAndLinger(body);
			else next = this.#send(body, end);
		});
		next();
	}

	/**
	 * The server can't wait any longer. What works on the request is aborted for that reason, and if an answer has begun, it may still end with it before the
	 * server closes the connection.
	 * @param response sent if no answer has begun.
	 */
	refuse(response: ApiResponse, reason: CodedError): void {
		if (!this.#isAnswered) this.respond(response, true);
		this.#abortWork(reason);
	}

	/** Closes the connection. */
	giveUp(): void {
		if (!this.#alive) return;
		this.#res.close(); // runs onAborted
	}

	/** @returns what follows once the headers are out. */
	#send(body: string | StreamedBody, end: boolean): () => void {
		const over = () => this.#becomeOver(false);
		if (end) this.#res.writeHeader("Connection", "close");
		if (this.method === "HEAD") {
			sendHeaders(this.#res, lengthOf(body));
			return over;
		}
		const rest = typeof body === "string" ? sendWhole(this.#res, body) : body;
		return rest ? () => void this.#stream(rest) : over;
	}

	#sendAndLinger(body: string): void {
		if (this.method === "HEAD") sendLast(this.#res, "", lengthOf(body));
		else sendLast(this.#res, body);
		this.#lingering = new LingeringClose(this.#source, () => this.giveUp());
	}

	async #stream(body: StreamedBody): Promise<void> {
		const out = new BodyWriter(
			this.#res,
			body.bytes,
			() => this.#alive,
			() => this.#becomeOver(false),
		);
		this.#wakeWriter = () => out.wake();
		try {
			for await (const piece of body.pieces()) {
				await out.write(piece);
				if (!this.#alive) return; // leaving the loop ends the iterator
			}
			out.end();
		} catch {
			this.giveUp();
		}
	}

	#becomeOver(aborted: boolean): void {
		if (!this.#alive) return;
		this.#alive = false;
		if (aborted) this.#abortWork();
		for (const act of this.#onOver) act();
	}

	#abortWork(reason?: CodedError): void {
		this.#body.abort();
		this.#abort.abort(reason);
		this.#wakeWriter();
	}
}

/** @returns the remote address. */
export function addressOf(res: HttpResponse): string {
	return Buffer.from(res.getRemoteAddressAsText()).toString();
}

export function copyHeaders(req: HttpRequest): Headers {
	const headers = new Map<string, string[]>();
	req.forEach((name, value) => {
		const values = headers.get(name);
		if (values) values.push(value);
		else headers.set(name, [value]);
	});
	return headers;
}

function lengthOf(body: string | StreamedBody): number | undefined {
	return typeof body === "string" ? Buffer.byteLength(body) : body.bytes;
}

/** Control characters could end the header and begin another, or a body. */
function isSendable([name, value]: [string, string]): boolean {
	return /^[A-Za-z0-9-]+$/.test(name) && !/\p{Cc}/u.test(value);
}
