/** Encoding of a table's rows. */
export interface Codec {
	encode(value: unknown): Buffer;
	decode(bytes: Buffer): unknown;
}

/** Peaks, 0 to 255 of full scale, `perSecond` of them. */
export interface PeaksRow {
	readonly perSecond: number;
	readonly peaks: Uint8Array;
}

/**
 * As a number of JSON a peak would take four bytes: they are in base64. JSON all the same: version 0.1.0, to which `earshot update --rollback` may go back over this
 * store, takes a row that is none for damage.
 */
const peaksCodec: Codec = {
	encode(value) {
		const { perSecond, peaks } = value as PeaksRow;
		const text = Buffer.from(peaks).toString("base64");
		return Buffer.from(JSON.stringify([perSecond, text]));
	},
	decode(bytes): PeaksRow {
		// builds between 0.1.0 and this version wrote bytes; the database's are good until it is read again: they are copied
		if (bytes[0] !== "[".charCodeAt(0))
			return {
				perSecond: bytes[0] ?? 0,
				peaks: Uint8Array.from(bytes.subarray(1)),
			};
		const [perSecond, text] = parsed(bytes.toString()) as [number, string];
		return { perSecond, peaks: Uint8Array.from(Buffer.from(text, "base64")) };
	},
};

/**
 * Rows are JSON; a check of the file knows a table by its name alone. Lists of thousands of words are stored in UTF-16, V8's internal form: reading two megabytes
 * takes 1 ms, while UTF-8 would block the event loop for more than 20 ms.
 */
export function codecOf(table: string): Codec {
	if (table === "results.peaks") return peaksCodec;
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
