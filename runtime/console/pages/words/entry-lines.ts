/** The entries of a text, one a line. */
import type { ListKind } from "../../../words/list-key.js";

/** First lines of files that the device makes of a list: they are no entries. Uploads are read so as well. */
const headers: Readonly<Record<ListKind, readonly string[]>> = {
	hotwords: ["writing", "writing,pronunciation,category"],
	"correction-words": ["wrong,right"],
	"forbidden-words": ["word"],
};

export function entriesOfText(text: string): readonly string[] {
	const lines = text.split(/\r\n?|\n/).map((it) => it.trim());
	return lines.filter((it) => it !== "");
}

/** @returns undefined if it is not text in UTF-8. @throws Error if it can't be read */
export async function entriesOfFile(
	kind: ListKind,
	file: Blob,
): Promise<readonly string[] | undefined> {
	const text = utf8Of(await file.arrayBuffer());
	if (text === undefined) return undefined;
	const [first = ""] = text.split(/[\r\n]/, 1);
	const isHeader = headers[kind].includes(first.trim());
	return entriesOfText(isHeader ? text.slice(first.length) : text);
}

/** `Blob.text` would put replacement characters where it is in another encoding. */
function utf8Of(bytes: ArrayBuffer): string | undefined {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}
