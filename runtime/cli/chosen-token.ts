/**
 * A token that the operator has chosen, for many devices that one program calls: from a file or standard input, since everybody on a machine sees the
 * arguments of its programs. The database has an unsalted hash of it, so it must be one that nobody can guess.
 */
import { createReadStream } from "node:fs";
import { UsageError } from "./verb.js";

const charactersMin = 32;
const charactersMax = 256;
/** Those of a URL that need no escape: a token is also sent as a subprotocol of WebSocket, and typed. */
const allowed = /^[\w.~-]+$/;
/** Of a million texts of 32 random hexadecimal digits, hardly one has fewer. */
const differentMin = 8;

/** @param path `-`: standard input. @throws UsageError, without the token */
export async function readChosenToken(path: string): Promise<string> {
	const name = path === "-" ? "standard input" : path;
	const token = (await beginningOf(path, name)).trim();
	if (
		token.length >= charactersMin &&
		token.length <= charactersMax &&
		allowed.test(token) &&
		new Set(token).size >= differentMin
	)
		return token;
	throw new UsageError(
		`${name}: a token must be ${charactersMin} to ${charactersMax} letters, digits or any of - . _ ~, not few over and over: openssl rand -hex 32 makes one`,
	);
}

/** Of a longer file not more than shows that it is too long. */
async function beginningOf(path: string, name: string): Promise<string> {
	const source =
		path === "-" ? process.stdin : createReadStream(path, { encoding: "utf8" });
	source.setEncoding("utf8");
	let text = "";
	try {
		for await (const chunk of source) {
			text += chunk;
			if (text.length > 2 * charactersMax) break;
		}
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new UsageError(
			`${name}: ${code === "ENOENT" ? "no such file" : (code ?? error)}`,
		);
	}
	return text;
}
