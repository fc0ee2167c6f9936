/** The same request with a callback for each piece of its body, called before the reader gets the piece. */
import type { ApiRequest } from "./exchange.js";

/** @param onBytes an error that it throws is passed to the reader. */
export function withCountedBody(
	request: ApiRequest,
	onBytes: (bytes: number) => void,
): ApiRequest {
	async function* body(limitBytes: number): AsyncGenerator<Uint8Array> {
		for await (const chunk of request.body(limitBytes)) {
			onBytes(chunk.byteLength);
			yield chunk;
		}
	}
	return {
		method: request.method,
		path: request.path,
		query: request.query,
		remoteAddress: request.remoteAddress,
		host: request.host,
		isSecure: request.isSecure,
		prefix: request.prefix,
		contentLength: request.contentLength,
		signal: request.signal,
		whenOver: (act) => request.whenOver(act),
		header: (name) => request.header(name),
		body,
	};
}
