/** Builds of one checkout take turns: two at once would write into each other's parts. */
import { openSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { tryLockFile } from "../../runtime/store/file-lock.js";

/** Held until this process ends. */
export async function takeTurn(): Promise<void> {
	const turn = openSync("build", "r");
	while (!tryLockFile(turn, "exclusive")) await pause(100);
}
