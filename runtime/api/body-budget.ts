/**
 * Memory for bodies that are kept whole until they are worked off. One is bounded by its own limit; how many there are at once is up to the clients, so
 * all together are bounded here. Past that the answer is "come back later": to wait would only fill the memory more slowly.
 */
import { CodedError } from "../errors.js";
import type { ApiRequest } from "./exchange.js";

const retryAfterSeconds = 2;

export class BodyBudget {
	readonly #bytesMax: number;
	#bytes = 0;

	constructor(bytesMax: number) {
		this.#bytesMax = bytesMax;
	}

	/** What the bodies that are worked on take. */
	get bytes(): number {
		return this.#bytes;
	}

	/** @param act what is done with the request; its body counts until that is over. @throws CodedError 100004 from its body, once all are too much. */
	async spend<T>(
		request: ApiRequest,
		act: (request: ApiRequest) => Promise<T>,
	): Promise<T> {
		let mine = 0;
		const count = (bytes: number) => {
			if (this.#bytes + bytes > this.#bytesMax)
				throw new CodedError(
					"100004",
					"too much is being sent at once, try again later",
					{ retryAfterSeconds },
				);
			mine += bytes;
			this.#bytes += bytes;
		};
		try {
			return await act(counted(request, count));
		} finally {
			this.#bytes -= mine;
		}
	}
}

function counted(
	request: ApiRequest,
	count: (bytes: number) => void,
): ApiRequest {
	async function* body(limitBytes: number): AsyncGenerator<Uint8Array> {
		for await (const chunk of request.body(limitBytes)) {
			count(chunk.byteLength);
			yield chunk;
		}
	}
	return {
		method: request.method,
		path: request.path,
		query: request.query,
		remoteAddress: request.remoteAddress,
		contentLength: request.contentLength,
		signal: request.signal,
		header: (name) => request.header(name),
		body,
	};
}
