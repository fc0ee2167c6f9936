/** What another process has open (proc(5)). */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { eventually } from "../fixtures/eventually.js";

/** So many polls in a row find the same. */
const quietPolls = 10;
const pollMs = 50;
/** Of `net/tcp`. */
const established = "01";

/** @returns its descriptors, once none of them is opened or closed: what is closed later would leave more free than a test counts on. */
export async function descriptorsAtRest(pid: number): Promise<Set<number>> {
	let last = "";
	let same = 0;
	return eventually("descriptors that stay open", async () => {
		const files = openFiles(pid);
		const now = JSON.stringify([...files]);
		same = now === last ? same + 1 : 0;
		last = now;
		await pause(pollMs);
		return same >= quietPolls && new Set(files.keys());
	});
}

/** @param port of this machine, over IPv4. @returns how many clients are connected to it. */
export function connectionsOf(pid: number, port: number): number {
	const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
	const lines = readFileSync(`/proc/${pid}/net/tcp`, "utf8").trim().split("\n");
	return lines.filter((line) => {
		const [, address = "", , state] = line.trim().split(/\s+/);
		return address.endsWith(local) && state === established;
	}).length;
}

/** What is behind each descriptor. */
function openFiles(pid: number): Map<number, string> {
	const folder = `/proc/${pid}/fd`;
	return new Map(
		readdirSync(folder).map((number) => [
			Number(number),
			targetOf(join(folder, number)),
		]),
	);
}

function targetOf(link: string): string {
	try {
		return readlinkSync(link);
	} catch {
		return "closed meanwhile";
	}
}
