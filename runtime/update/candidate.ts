/**
 * Checks a verified file before it replaces the program: is it an executable for this processor, and does it start here with all of its libraries? A wrong C
 * library, or a folder that does not allow execution, must not take the device out of service for a minute.
 */
import { execFile } from "node:child_process";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { valid } from "semver";
import type { Places } from "./places.js";
import type { Here } from "./release.js";
import { UpdateError } from "./update-error.js";

/** ELF's processor numbers (e_machine). */
const machines: Readonly<Record<number, string>> = {
	62: "x64",
	183: "arm64",
};
const headerBytes = 20;
const machineAt = 18;
/** A slow device has to unpack 62 MB. */
const startMsMax = 60_000;

/** @throws UpdateError */
export async function examine({ next, folder }: Places): Promise<Here> {
	const architecture = await architectureOf(next);
	if (architecture !== process.arch)
		throw new UpdateError(
			`it is built for ${architecture}, and this device is ${process.arch}`,
		);
	// may be left by a killed process
	const unpacked = join(folder, ".earshot-unpacked");
	await rm(unpacked, { recursive: true, force: true });
	try {
		const version = valid((await run(next, unpacked, "--version")).trim());
		if (version === null)
			throw new UpdateError("it does not report its version");
		await run(next, unpacked, "load-libraries");
		return { version, architecture };
	} finally {
		await rm(unpacked, { recursive: true, force: true });
	}
}

async function architectureOf(path: string): Promise<string> {
	const file = await open(path, "r");
	try {
		const header = Buffer.alloc(headerBytes);
		await file.read(header, 0, headerBytes, 0);
		const isElf = header.toString("latin1", 0, 4) === "\x7fELF";
		if (!isElf) throw new UpdateError("not an ELF executable");
		const machine = header.readUInt16LE(machineAt);
		return machines[machine] ?? `processor ${machine}`;
	} finally {
		await file.close();
	}
}

async function run(
	program: string,
	unpacked: string,
	word: string,
): Promise<string> {
	try {
		const { stdout } = await promisify(execFile)(program, [word], {
			timeout: startMsMax,
			killSignal: "SIGKILL",
			env: { ...process.env, EARSHOT_UNPACK_DIR: unpacked },
		});
		return stdout;
	} catch (error) {
		const { stderr = "", message } = error as Error & { stderr?: string };
		const reason = stderr.trim().replace(/^earshot: /, "");
		throw new UpdateError(
			`it does not start on this device: ${reason.split("\n").at(-1) || message}`,
		);
	}
}
