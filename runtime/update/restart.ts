/** How the running server becomes the new program: by its service manager, by a command of the operator's, or later, by whoever starts it. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import type { Places } from "./places.js";
import { serverOf } from "./running-server.js";
import { UpdateError } from "./update-error.js";

/** @returns whether anything was started again. */
export type Restart = () => Promise<boolean>;

const unit = "earshot.service";
const commandMsMax = 120_000;

/**
 * Asked before the program is replaced: whether the service runs it.
 * @param command of the operator's, for a shell; empty: nothing is started again; undefined: the service, where it runs this program.
 */
export async function restartOf(
	places: Places,
	command: string | undefined,
): Promise<Restart> {
	if (command !== undefined && command !== "")
		return () => started("sh", "-c", command);
	if (command === undefined && (await isService(places)))
		// not waited for: its health is looked at anyway
		return () => started("systemctl", "--no-block", "restart", unit);
	return async () => false;
}

async function isService({ program, previous }: Places): Promise<boolean> {
	if (!existsSync("/run/systemd/system")) return false;
	const { stdout } = await promisify(execFile)("systemctl", [
		...["show", unit, "--property=MainPID", "--value"],
	]).catch(() => ({ stdout: "0" }));
	const pid = Number(stdout);
	if (!(pid > 0)) return false;
	// an update that was cut off: the version before may still run
	return (
		pid === (await serverOf(program)) || pid === (await serverOf(previous))
	);
}

async function started(file: string, ...words: string[]): Promise<boolean> {
	try {
		await promisify(execFile)(file, words, { timeout: commandMsMax });
		return true;
	} catch (error) {
		const { stderr = "", message } = error as Error & { stderr?: string };
		throw new UpdateError(
			`${[file, ...words].join(" ")} failed: ${stderr.trim() || message}`,
		);
	}
}
