/** Checks of the ports that `serve` listens on: each must be free, or served by earshot already. */
import { createServer } from "node:net";
import type { Config } from "../../config/schema.js";
import { serverAddress } from "../server-address.js";
import { broken, type Finding, ok } from "./finding.js";

/** Ports for other protocols than HTTP, each a section of the configuration. */
export const listeners = ["wyoming", "vosk", "audiosocket"] as const;

interface WantedPort {
	/** The setting. */
	readonly key: string;
	readonly host: string;
	readonly port: number;
}

/** An error: why nothing can listen there. */
export type PortState = "free" | "earshot" | NodeJS.ErrnoException;

export async function checkPorts(config: Config): Promise<Finding[]> {
	const main = { key: "server.port", ...config.server };
	const state = await portState(main);
	const finding = findingOf(main, state);
	if (state === "earshot") return [finding]; // it has the others already
	const others = otherPorts(config).map(async (it) =>
		findingOf(it, await portState(it)),
	);
	return [finding, ...(await Promise.all(others))];
}

function otherPorts(config: Config): WantedPort[] {
	const { server, tls, ingress } = config;
	return [
		...(tls.port > 0
			? [{ key: "tls.port", host: server.host, port: tls.port }]
			: []),
		...listeners
			.filter((it) => config[it].enabled)
			.map((it) => ({ key: `${it}.port`, ...config[it] })),
		...(ingress.enabled ? [{ key: "ingress.port", ...ingress }] : []),
	];
}

function findingOf({ key, host, port }: WantedPort, state: PortState): Finding {
	const about = key === "server.port" ? "port" : key;
	if (state === "free") return ok(about, `${host}:${port} is free`);
	if (state === "earshot")
		return ok(about, `earshot already answers on ${port}`);
	return broken(
		about,
		`can't listen on ${host}:${port}: ${state.code ?? state.message}`,
		`stop the program that uses it, or set EARSHOT_${key.toUpperCase().replace(".", "_")} to another port`,
	);
}

export async function portState(at: {
	readonly host: string;
	readonly port: number;
}): Promise<PortState> {
	const error = await listenError(at.host, at.port);
	if (!error) return "free";
	return (await isEarshot(at.host, at.port)) ? "earshot" : error;
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

async function isEarshot(host: string, port: number): Promise<boolean> {
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
