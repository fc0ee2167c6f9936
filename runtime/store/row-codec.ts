/** Encoding of a table's rows. */
export interface Codec {
	encode(value: unknown): Buffer;
	decode(bytes: Buffer): unknown;
}

/**
 * Rows are JSON. Lists of thousands of words are stored in UTF-16, V8's internal form: reading two megabytes takes 1 ms, while UTF-8 would block the event loop
 * for more than 20 ms.
 */
export function codecOf(table: string): Codec {
	const encoding = table.endsWith(".entries") ? "utf16le" : "utf8";
	return {
		encode: (value) => Buffer.from(JSON.stringify(value), encoding),
		decode: (bytes) => parsed(bytes.toString(encoding)),
	};
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw new SyntaxError("a row is not JSON"); // the parser's message would quote it
	}
}
