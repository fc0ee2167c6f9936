/**
 * The end of a child's standard error for error messages: its last line, without paths, addresses or control characters.
 */
import type { Readable } from "node:stream";

const keptCharacters = 4096;
const shownCharacters = 200;

/** Behind a line with the reason, such as a certificate that does not fit; ffmpeg 7 ends with several. */
const saysNothing =
	/: Input\/output error$|^(?:\[[^\]]*\] )*Error opening input/;

export class StderrTail {
	readonly #secrets: readonly string[];
	#text = "";

	/** @param secrets paths that are removed from messages. */
	constructor(stderr: Readable, secrets: readonly string[]) {
		this.#secrets = secrets;
		stderr.setEncoding("utf8");
		stderr.on("data", (text: string) => {
			this.#text = (this.#text + text).slice(-keptCharacters);
		});
	}

	/** Empty if nothing was written. */
	lastLine(): string {
		const lines = this.#text.split(/[\r\n]+/).filter((line) => line.trim());
		while (lines.length > 1 && saysNothing.test(lines.at(-1) ?? ""))
			lines.pop();
		let line = lines.at(-1) ?? "";
		for (const secret of this.#secrets) line = line.replaceAll(secret, "input");
		return line
			.replace(/\bfile:input\b/g, "input")
			.replace(/ @ 0x[0-9a-f]+/g, "")
			.replace(/(^|[\s'":])\/[^\s'":]+/g, "$1…")
			.replace(/[^\x20-\x7e…]/g, "?")
			.trim()
			.slice(0, shownCharacters);
	}
}
