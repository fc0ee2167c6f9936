/**
 * The tokenizer's ranks, derived from the source's vocabulary: in Whisper's (GPT-2's) byte-pair vocabulary a token's id is its rank,
 * and its text has one printable character for each byte.
 */
import { bytePairCount } from "./token-ids.js";
import { badSource } from "./weights.js";

/**
 * @param vocabulary tokens in the source's spelling, by id; those from the 50257th on are ignored.
 * @returns lines "base64 rank", tiktoken's format.
 */
export function tokenRanks(vocabulary: readonly string[]): string {
	if (vocabulary.length < bytePairCount - 1)
		throw badSource(
			`the vocabulary has ${vocabulary.length} tokens, expected at least ${bytePairCount - 1}`,
		);
	const byteOf = byteTable();
	let lines = "";
	for (let id = 0; id < bytePairCount; id++) {
		const text = vocabulary[id] ?? "";
		if (text === "" && id === bytePairCount - 1) break; // Whisper's last byte pair is empty
		lines += `${bytesOfToken(text, id, byteOf).toString("base64")} ${id}\n`;
	}
	return lines;
}

function bytesOfToken(
	text: string,
	id: number,
	byteOf: ReadonlyMap<string, number>,
): Buffer {
	const bytes = Array.from(text, (character) => byteOf.get(character));
	if (bytes.length === 0 || bytes.includes(undefined))
		throw badSource(
			`token ${id} of the vocabulary (${JSON.stringify(text.slice(0, 40))}) is not Whisper's spelling`,
		);
	return Buffer.from(bytes as number[]);
}

/** GPT-2's spelling: printable bytes map to themselves, the others to characters from U+0100 on. */
function byteTable(): Map<string, number> {
	const table = new Map<string, number>();
	let next = 256;
	for (let byte = 0; byte < 256; byte++) {
		const printable =
			(byte >= 0x21 && byte <= 0x7e) ||
			(byte >= 0xa1 && byte <= 0xac) ||
			byte >= 0xae;
		table.set(String.fromCharCode(printable ? byte : next++), byte);
	}
	return table;
}
