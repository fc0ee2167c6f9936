/** Where characters end in UTF-8 that comes in pieces: a token may end inside one. */

const decoder = new TextDecoder("utf-8");

/**
 * @param open bytes that the last character before `bytes` lacked.
 * @returns continuation bytes that the last character of `bytes` still lacks; an invalid sequence counts as complete.
 */
export function openBytes(bytes: Uint8Array, open: number): number {
	for (const byte of bytes) {
		if (byte >= 0xf0) open = 3;
		else if (byte >= 0xe0) open = 2;
		else if (byte >= 0xc0) open = 1;
		else if (byte >= 0x80) open = Math.max(0, open - 1);
		else open = 0;
	}
	return open;
}

/** Whether a character that lacks bytes goes on with these. */
export function continuesCharacter(bytes: Uint8Array): boolean {
	const [first = 0] = bytes;
	return first >= 0x80 && first < 0xc0;
}

/** Text of whole characters; bytes that belong to none are omitted, and so is the character that stands for such bytes, which models learned too. */
export function wholeText(bytes: Uint8Array): string {
	return decoder.decode(bytes).replaceAll("\ufffd", "");
}
