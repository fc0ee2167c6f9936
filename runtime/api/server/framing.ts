/** Finds where a request's body begins and ends from its headers. The native parser is lenient, and two readings of one request allow request smuggling. */

/** Values by name in lower case, in the order received. */
export type Headers = ReadonlyMap<string, readonly string[]>;

export function headerBytesOf(headers: Headers): number {
	let bytes = 0;
	for (const [name, values] of headers)
		for (const value of values) bytes += name.length + value.length + 4; // ": " and CR LF
	return bytes;
}

/** @returns why the length of the body is ambiguous; undefined for a valid request. */
export function framingErrorOf(headers: Headers): string | undefined {
	const lengths = headers.get("content-length") ?? [];
	if (new Set(lengths).size > 1) return "Content-Length is given twice";
	const codings = headers.get("transfer-encoding") ?? [];
	if (codings.some((it) => it.toLowerCase() !== "chunked"))
		return "Transfer-Encoding must be chunked";
	return undefined;
}

/** @returns bytes of the body; undefined where the length is not known in advance. */
export function contentLengthOf(headers: Headers): number | undefined {
	if (headers.has("transfer-encoding")) return undefined;
	const text = headers.get("content-length")?.[0];
	if (text === undefined) return 0;
	return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
