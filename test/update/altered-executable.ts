/** Other versions of the real executable, including broken ones: the same file with a few bytes changed, and signed. */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { type Signer, signatureOf } from "./minisign-writer.js";

/** Text in the program and its replacement, which has the same length or is padded with spaces. */
export type Change = readonly [from: string, to: string];

export const version = (now: string): Change => [
	'"version": "0.1.0"',
	`"version": "${now}"`,
];
const serves =
	'async function serve(readConfig){hasTerminal()||process.on("SIGHUP",()=>{});';
export const exits: Change = [
	serves,
	"async function serve(readConfig){process.exit(3);",
];
export const hangs: Change = [
	serves,
	"async function serve(readConfig){for(;;);",
];
export const isNeverWell: Change = [
	'function isOk(state){return state.phase==="ready"',
	'function isOk(state){return state.phase==="READY"',
];

function changed(path: string, to: string, changes: readonly Change[]): Buffer {
	// a file that is refused before it is inspected may be anything
	const bytes = changes.length > 0 ? readFileSync(path) : Buffer.from("old");
	for (const [from, text] of changes) {
		let at = bytes.indexOf(from);
		if (at < 0) throw new Error(`${from} is not in the program`);
		for (; at >= 0; at = bytes.indexOf(from, at + 1))
			bytes.write(text.padEnd(from.length), at);
	}
	writeFileSync(to, bytes);
	chmodSync(to, 0o755);
	return bytes;
}

/** Writes it, and its signature beside it, as a release of that version. @returns its path. */
export function offerOf(
	path: string,
	to: string,
	name: string,
	changes: readonly Change[],
	by: Signer,
): string {
	const bytes = changed(path, to, changes);
	const comment = `file:earshot-${name}-linux-${process.arch}`;
	writeFileSync(`${to}.minisig`, signatureOf(bytes, by, { comment }));
	return to;
}
