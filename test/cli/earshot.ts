/** Runs `earshot ...` as on a command line, in a separate process. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { installRoot } from "../../runtime/config/install-root.js";

export interface Ended {
	readonly code: number;
	readonly out: string;
	readonly err: string;
}

type Environment = Readonly<Record<string, string>>;

export const main = join(installRoot, "build", "runtime", "main.js");

const cheaper = {
	// two threads wait for each other a sixth of their time, and several test files run at once
	EARSHOT_ENGINE_THREADS: "1",
	// nobody alters the checkout's models
	EARSHOT_RECOGNITION_VERIFY_MODEL: "false",
};

export function earshot(
	words: readonly string[],
	environment: Environment = {},
	input = "",
): Promise<Ended> {
	const all = { ...(words[0] === "transcribe" && cheaper), ...environment };
	return ended(process.execPath, [main, ...words], all, input);
}

/** With the state of a test. */
export function earshotIn(dir: string, ...words: string[]): Promise<Ended> {
	return earshot(words, { EARSHOT_STATE_DIR: dir });
}

/** Runs any program. @param environment in addition to this process's. @param input for its standard input. */
export function ended(
	file: string,
	args: readonly string[],
	environment: Environment,
	input = "",
): Promise<Ended> {
	const env = { ...process.env, LANG: "C", ...environment };
	return new Promise((resolve) => {
		const child = execFile(file, args, { env }, (error, out, err) =>
			resolve({ code: Number(error?.code ?? 0), out, err }),
		);
		child.stdin?.on("error", () => {}); // it ended without reading
		child.stdin?.end(input);
	});
}
