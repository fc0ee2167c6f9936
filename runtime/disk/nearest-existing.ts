/** Where something would be made that is not there yet. */
import { stat } from "node:fs/promises";
import { dirname } from "node:path";

/** The path itself, or its nearest existing parent. */
export async function nearestExisting(path: string): Promise<string> {
	try {
		await stat(path);
		return path;
	} catch {
		const above = dirname(path);
		return above === path ? path : nearestExisting(above);
	}
}
