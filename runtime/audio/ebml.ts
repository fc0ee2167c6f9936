/**
 * The header of Matroska files (RFC 8794, section 11.2): it names the document type, `webm` or `matroska`. Nothing after it is read here.
 */

/** Of the EBML element. */
const magic = [0x1a, 0x45, 0xdf, 0xa3];
const docTypeId = 0x4282;
/** Real headers have about 40 bytes. */
const headerBytesMax = 1024;

/** @param head the file from its first byte. @returns undefined: no EBML; "undecided": more bytes may tell; otherwise the document type, "" where none is named. */
export function docTypeOf(
	head: Uint8Array,
): { readonly docType: string } | "undecided" | undefined {
	for (let i = 0; i < magic.length; i++) {
		if (i === head.length) return "undecided";
		if (head[i] !== magic[i]) return undefined;
	}
	const size = numberAt(head, magic.length);
	if (size === "undecided") return size;
	const end = size && size.end + size.value;
	if (!end || end > headerBytesMax) return { docType: "" };
	return docTypeIn(head, size.end, end);
}

function docTypeIn(
	head: Uint8Array,
	start: number,
	end: number,
): { readonly docType: string } | "undecided" {
	let offset = start;
	while (offset < end) {
		const id = numberAt(head, offset, "id");
		if (id === "undecided") return id;
		const size = id && numberAt(head, id.end);
		if (size === "undecided") return size;
		if (!size) break;
		offset = size.end + size.value;
		if (id.value !== docTypeId) continue;
		if (offset > end) break;
		if (offset > head.length) return "undecided";
		const text = String.fromCharCode(...head.subarray(size.end, offset));
		return { docType: text.replace(/\0+$/, "") };
	}
	return { docType: "" };
}

/**
 * A number of 1 to 8 bytes: the zeros before its first one-bit are the number of bytes that follow the first.
 * @param as "id": with that bit, as ids are written. @returns undefined: it is not one.
 */
function numberAt(
	bytes: Uint8Array,
	offset: number,
	as: "id" | "size" = "size",
): { readonly value: number; readonly end: number } | "undecided" | undefined {
	const first = bytes[offset];
	if (first === undefined) return "undecided";
	const more = Math.clz32(first) - 24;
	if (more > 7) return undefined;
	const end = offset + 1 + more;
	if (end > bytes.length) return "undecided";
	let value = as === "id" ? first : first & (0x7f >> more);
	for (let i = offset + 1; i < end; i++)
		value = value * 256 + (bytes[i] as number);
	return { value, end };
}
