/** Checks of the program itself: Node, the native libraries, the port. */
import { createServer } from "node:net";
import { serverAddress } from "../server-address.js";
import { broken, type Finding, ok, warning } from "./finding.js";

const nodeMajorMin = 20;

export async function checkNode(
	version = process.versions.node,
): Promise<Finding> {
	const about = "Node.js";
	const says = `${version}, glibc ${glibcVersion() ?? "unknown"}, ${process.arch}`;
	if (Number(version.split(".")[0]) < nodeMajorMin)
		return broken(about, says, `install Node.js ${nodeMajorMin}`);
	return ok(about, says);
}

/** @param wasCompiled whether this process began with compiled code; undefined: its modules were loaded one by one. */
export function checkCode(
	wasCompiled: boolean | undefined,
	isInExecutable: boolean,
): Finding {
	const about = "code";
	if (wasCompiled) return ok(about, "compiled in advance");
	if (isInExecutable)
		return ok(
			about,
			"compiled at this start; a server that runs for a minute keeps what was compiled for the next ones",
		);
	return warning(
		about,
		"compiled at this start, which takes a few tenths of a second each time",
		"run scripts/prepare",
	);
}

/** @param load imports the library; throws if this system can't load the prebuilt binary. */
export async function checkNative(
	about: string,
	load: () => Promise<unknown>,
): Promise<Finding> {
	try {
		await load();
		return ok(about, "loads");
	} catch (error) {
		const [why] = (error as Error).message.split("\n");
		return broken(
			about,
			`can't be loaded: ${why}`,
			`use Node.js 20 with glibc before 2.38 (this one is ${glibcVersion() ?? "unknown"}), and run npm ci again`,
		);
	}
}

/** The port must be free, or served by earshot already. */
export async function checkPort(
	host: string,
	port: number,
	key = "server.port",
): Promise<Finding> {
	const about = key === "server.port" ? "port" : key;
	const error = await listenError(host, port);
	if (!error) return ok(about, `${host}:${port} is free`);
	if (await isEarshot(host, port))
		return ok(about, `earshot already answers on ${port}`);
	return broken(
		about,
		`can't listen on ${host}:${port}: ${error.code ?? error.message}`,
		`stop the program that uses it, or set EARSHOT_${key.toUpperCase().replace(".", "_")} to another port`,
	);
}

function listenError(
	host: string,
	port: number,
): Promise<NodeJS.ErrnoException | undefined> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once("error", resolve);
		server.listen({ host, port, exclusive: true }, () =>
			server.close(() => resolve(undefined)),
		);
	});
}

export async function isEarshot(host: string, port: number): Promise<boolean> {
	try {
		const answer = await fetch(`${serverAddress({ host, port })}/healthz`, {
			signal: AbortSignal.timeout(3000),
		});
		const body = (await answer.json()) as { status?: unknown };
		return typeof body.status === "string";
	} catch {
		return false;
	}
}

function glibcVersion(): string | undefined {
	const report = process.report?.getReport() as
		| { header?: { glibcVersionRuntime?: string } }
		| undefined;
	return report?.header?.glibcVersionRuntime;
}
