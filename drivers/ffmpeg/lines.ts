/**
 * A child process whose output is lines: started under limits, read at the consumer's pace, and always ended.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { StderrTail } from "./stderr-tail.js";
import { undecodable } from "./undecodable.js";

export interface LinesOptions {
	/** Program and arguments. */
	readonly argv: readonly string[];
	/** Removed from messages. */
	readonly secrets: readonly string[];
	readonly secondsMax: number;
	readonly signal: AbortSignal | undefined;
}

/** A longer line is an error. */
const lineCharactersMax = 64 * 1024;

/** Yields lines in groups, as they arrive. @throws CodedError 200006 when the child fails; the signal's reason when aborted; Error if it can't be started. */
export async function* readLines(
	options: LinesOptions,
): AsyncGenerator<readonly string[], void, void> {
	options.signal?.throwIfAborted();
	const [program, ...args] = options.argv;
	const child = await started(
		spawn(program as string, args, {
			stdio: ["ignore", "pipe", "pipe"],
			env: { PATH: process.env.PATH, LC_ALL: "C" },
		}),
	);
	const ended = once(child, "exit").catch((failure: NodeJS.ErrnoException) => [
		failure.code ?? "no exit",
		null,
	]);
	const stderrTail = new StderrTail(child.stderr, options.secrets);
	let killed: { readonly reason: unknown } | undefined;
	const fail = (reason: unknown) => {
		killed ??= { reason };
		child.kill("SIGKILL");
	};
	const abort = () => fail(options.signal?.reason);
	options.signal?.addEventListener("abort", abort);
	const timer = setTimeout(
		() => fail(undecodable(`it took over ${options.secondsMax} s`)),
		options.secondsMax * 1000,
	);
	try {
		let rest = "";
		child.stdout.setEncoding("latin1");
		for await (const text of child.stdout as AsyncIterable<string>) {
			const lines = (rest + text).split("\n");
			rest = lines.pop() ?? "";
			if (rest.length > lineCharactersMax)
				throw undecodable("a line of its description is too long");
			yield lines;
		}
		if (rest !== "") yield [rest];
		const [code, signal] = await ended;
		if (killed) throw killed.reason;
		if (code !== 0)
			throw undecodable(
				stderrTail.lastLine() || `the probe ended with ${signal ?? code}`,
			);
	} finally {
		clearTimeout(timer);
		options.signal?.removeEventListener("abort", abort);
		child.kill("SIGKILL");
		child.stdout.destroy();
		await ended;
	}
}

/** @param child spawned in the current turn of the event loop. @throws the system's error, for example EMFILE or EAGAIN */
export async function started<C extends ChildProcess>(child: C): Promise<C> {
	if (child.pid !== undefined) return child;
	const [error] = await once(child, "error");
	throw error;
}
