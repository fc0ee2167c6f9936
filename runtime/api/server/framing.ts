/**
 * Where a request's body begins and ends, judged by its headers. The native parser is lenient; two readings of one request are a door for smuggled ones.
 */

/** By name in lower case, in the order in which they came. */
export type Headers = ReadonlyMap<string, readonly string[]>;

export function headerBytesOf(headers: Headers): number {
	let bytes = 0;
	for (const [name, values] of headers)
		for (const value of values) bytes += name.length + value.length + 4; // ": " and CR LF
	return bytes;
}

/** What makes the length of the body doubtful; undefined for a sound request. */
export function framingErrorOf(headers: Headers): string | undefined {
	const lengths = headers.get("content-length") ?? [];
	if (new Set(lengths).size > 1) return "Content-Length is given twice";
	const codings = headers.get("transfer-encoding") ?? [];
	if (codings.some((it) => it.toLowerCase() !== "chunked"))
		return "Transfer-Encoding must be chunked";
	return undefined;
}

/** Bytes of the body; undefined where only its end will tell. */
export function contentLengthOf(headers: Headers): number | undefined {
	if (headers.has("transfer-encoding")) return undefined;
	const text = headers.get("content-length")?.[0];
	if (text === undefined) return 0;
	return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
