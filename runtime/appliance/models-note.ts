/** The models that a running server uses, for commands: after `earshot models use` the configuration names others, until a reload or a restart. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/schema.js";
import { writeWhole } from "../disk/whole-file.js";
import { startTicksOf } from "../process/running-process.js";

export type ModelsOfServer = Config["model"];

interface Note {
	readonly pid: number;
	/** Clock ticks from boot to the process's start: a pid is used again. */
	readonly startTicks: string;
	readonly model: ModelsOfServer;
}

const pathIn = (stateDir: string) => join(stateDir, "models-in-use.json");

/** Written by the server. @throws errors of the file system */
export async function noteModels(
	stateDir: string,
	model: ModelsOfServer,
): Promise<void> {
	const { pid } = process;
	const note: Note = { pid, startTicks: startTicksOf(pid), model };
	await writeWhole(pathIn(stateDir), JSON.stringify(note));
}

/** @returns undefined where no server runs with this state directory, or none that its reader may know of. */
export function modelsOfServer(stateDir: string): ModelsOfServer | undefined {
	try {
		const note: Note = JSON.parse(readFileSync(pathIn(stateDir), "utf8"));
		const runs = startTicksOf(note.pid) === note.startTicks;
		return runs && note.startTicks !== "" ? note.model : undefined;
	} catch {
		return undefined; // there is none, or it belongs to another user
	}
}
