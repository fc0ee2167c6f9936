/** Runs small programs in fixtures/ beside a test, by file name. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export function fixturePath(name: string): string {
	return fileURLToPath(new URL(`./fixtures/${name}.js`, import.meta.url));
}

export function startFixture(name: string, ...args: string[]): ChildProcess {
	return spawn(process.execPath, [fixturePath(name), ...args], {
		stdio: ["pipe", "pipe", "inherit"],
	});
}

/** Runs it to its end. @returns its standard output. */
export async function runFixture(
	name: string,
	...args: string[]
): Promise<string> {
	const child = startFixture(name, ...args);
	let text = "";
	child.stdout?.on("data", (bytes: Buffer) => {
		text += bytes.toString();
	});
	const [code] = await once(child, "close");
	if (code !== 0) throw new Error(`${name} ended with ${code}`);
	return text;
}
