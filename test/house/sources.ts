/** The sources that the tests of this folder read. */
import { readdirSync } from "node:fs";
import { join } from "node:path";

/** TypeScript files under a folder of the checkout, in no order. */
export function sourcesOf(top: string): string[] {
	return readdirSync(top, { recursive: true, encoding: "utf8" })
		.filter((name) => /\.tsx?$/.test(name))
		.map((name) => join(top, name));
}
