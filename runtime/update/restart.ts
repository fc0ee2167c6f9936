/** How the running server is replaced by the new program: by its service manager, by the operator's command, or at its next start. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import type { Places } from "./places.js";
import { isServerOf } from "./running-server.js";
import { UpdateError } from "./update-error.js";

/** @returns whether anything was restarted. */
export type Restart = () => Promise<boolean>;

const unit = "earshot.service";
const commandMsMax = 120_000;

/**
 * Called before the program is replaced, to find out whether the service runs it.
 * @param command of the operator, for a shell; empty: no restart; undefined: the service, if it runs this program.
 */
export async function restartOf(
	places: Places,
	command: string | undefined,
): Promise<Restart> {
	if (command !== undefined && command !== "")
		return () => started("sh", "-c", command);
	if (command === undefined && (await isService(places)))
		// not awaited: its health is checked anyway
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
	// after an interrupted update the previous version may still be running
	return (await isServerOf(program, pid)) || (await isServerOf(previous, pid));
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
