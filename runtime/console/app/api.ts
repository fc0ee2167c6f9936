/** Requests to the device. Its address is that of this document without `console/`, whatever is in front. */

const apiBase = new URL("../", document.baseURI);

export function apiUrl(
	path: string,
	query: Record<string, string> = {},
): string {
	const url = new URL(path.replace(/^\//, ""), apiBase);
	for (const [name, value] of Object.entries(query))
		if (value !== "") url.searchParams.set(name, value);
	return url.href;
}

export function socketUrl(path: string): string {
	return apiUrl(path).replace(/^http/, "ws");
}

/** An error that the device answered, or why there was no answer. */
export class ApiError extends Error {
	override readonly name = "ApiError";
	constructor(
		/** 0: no answer. */
		readonly http: number,
		readonly status: string,
		message: string,
		/** `data` of the envelope. */
		readonly data: unknown = null,
	) {
		super(message);
	}
}

export interface Envelope<T> {
	readonly status: string;
	readonly message: string;
	readonly data: T;
}

/** Tells this server that the request is the console's own, not that of another page in the same browser. */
export const ownHeaders = { "X-Earshot-Console": "1" };

let onSignedOut: () => void = () => {};
/** @param act called whenever the session turns out to be over. */
export function whenSignedOut(act: () => void): void {
	onSignedOut = act;
}

export interface RequestParts {
	readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
	readonly query?: Record<string, string>;
	/** Sent as JSON. */
	readonly json?: unknown;
	readonly body?: BodyInit;
	readonly headers?: Record<string, string>;
	readonly signal?: AbortSignal | undefined;
	/** Sent even if the page is being left; at most 64 KiB. */
	readonly keepalive?: boolean;
	readonly cache?: RequestCache;
}

/** @returns the whole envelope. @throws ApiError */
export async function ask<T>(
	path: string,
	parts: RequestParts = {},
): Promise<Envelope<T>> {
	const response = await answerTo(path, parts);
	const envelope = (await response.json().catch(() => undefined)) as
		| Envelope<T>
		| undefined;
	if (!response.ok || (envelope && envelope.status !== "000000"))
		throw refusal(response, envelope);
	if (!envelope) throw new ApiError(response.status, "", response.statusText);
	return envelope;
}

/** @returns `data`. @throws ApiError */
export async function data<T>(
	path: string,
	parts: RequestParts = {},
): Promise<T> {
	return (await ask<T>(path, parts)).data;
}

/** @throws ApiError where there is no answer. */
export async function answerTo(
	path: string,
	parts: RequestParts = {},
): Promise<Response> {
	const {
		method = "GET",
		query,
		json,
		body,
		headers,
		signal,
		keepalive = false,
		cache = "default",
	} = parts;
	try {
		return await fetch(apiUrl(path, query), {
			method,
			credentials: "same-origin",
			keepalive,
			cache,
			headers: {
				...ownHeaders,
				...(json !== undefined && { "Content-Type": "application/json" }),
				...headers,
			},
			...(json !== undefined
				? { body: JSON.stringify(json) }
				: body !== undefined && { body }),
			...(signal && { signal }),
		});
	} catch (thrown) {
		if (signal?.aborted) throw thrown;
		throw new ApiError(0, "", "");
	}
}

/** @param envelope of the response, if it has one */
export function refusal(
	response: Response,
	envelope?: Envelope<unknown>,
): ApiError {
	if (response.status === 401) onSignedOut();
	const { status = "", message = response.statusText, data } = envelope ?? {};
	return new ApiError(response.status, status, message, data);
}
