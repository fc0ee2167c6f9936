/**
 * `Range` of a request (RFC 9110, 14.1): one range of bytes. Several ranges, other units and malformed headers are ignored, as the standard allows: the whole
 * is sent.
 */
export type ByteRange =
	| { readonly is: "whole" }
	/** `to` is excluded. */
	| { readonly is: "part"; readonly from: number; readonly to: number }
	/** Beyond the end of the body. */
	| { readonly is: "outside" };

/** @param header undefined if absent. @param bytes of the whole body. */
export function byteRange(
	header: string | undefined,
	bytes: number,
): ByteRange {
	const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "");
	const [, first = "", last = ""] = found ?? [];
	if (first === "" && last === "") return { is: "whole" };
	if (first === "") {
		const count = Math.min(Number(last), bytes);
		return count === 0
			? { is: "outside" }
			: { is: "part", from: bytes - count, to: bytes };
	}
	const from = Number(first);
	const to = last === "" ? bytes : Math.min(Number(last) + 1, bytes);
	if (last !== "" && Number(last) < from) return { is: "whole" };
	return from >= bytes ? { is: "outside" } : { is: "part", from, to };
}
