/** `earshot pair`: a code with which a browser signs in to the console, on the terminal of the device; as a QR code too, for a telephone. */
import type { Command } from "commander";
import encodeQR from "qr";
import type { Config } from "../config/schema.js";
import type { PairingRepository } from "../store/pairings.js";
import { type Scope, scopes } from "../store/tokens.js";
import { ownHostName } from "../tls/device-names.js";
import { parseScopes } from "./scopes.js";
import { checkName, withStore } from "./store-visit.js";
import { action, configFor, print, UsageError, verb } from "./verb.js";

const codeSeconds = 600;

/** Of whoever can type on the device: they could make any token anyway. */
const usualScopes: readonly Scope[] = ["admin"];

interface PairOptions {
	readonly scope?: string;
	readonly name: string;
}

export function pairCommand(): Command {
	return verb("pair", "show a code that signs a browser in to the console")
		.option(
			"--scope <scopes>",
			`what the browser may do, any of ${scopes.join(",")} (default: admin, everything)`,
		)
		.option("--name <name>", "who will use it", "console")
		.action(action(pair));
}

async function pair(options: PairOptions, command: Command): Promise<void> {
	const name = checkName(options.name);
	const wanted =
		options.scope === undefined ? usualScopes : parseScopes(options.scope);
	const { values } = configFor(command);
	if (!values.console.enabled)
		throw new UsageError("the console is off: set console.enabled");
	await withStore(values.state.dir, async ({ pairings }, nowSeconds) => {
		print(
			await pairingText({
				...{ pairings, name, nowSeconds, config: values },
				scopes: wanted,
				columns: process.stdout.isTTY ? process.stdout.columns : 0,
			}),
		);
	});
}

export interface PairingText {
	readonly pairings: Pick<PairingRepository, "create">;
	readonly name: string;
	readonly scopes?: readonly Scope[];
	readonly nowSeconds: number;
	readonly config: Pick<Config, "server" | "tls">;
	/** That the server listens on, if it is known; default: the configured one. */
	readonly port?: number;
	/** Of the terminal; a narrow one, or none, gets no QR code. */
	readonly columns: number;
}

/** Makes a code. @returns what to do with it. */
export async function pairingText(asked: PairingText): Promise<string> {
	const { pairings, name, nowSeconds, config, columns } = asked;
	const code = await pairings.create(
		{
			...{ name, scopes: asked.scopes ?? usualScopes },
			expiresSeconds: nowSeconds + codeSeconds,
		},
		nowSeconds,
	);
	const address = consoleAddress(config, asked.port);
	// a fragment stays in the browser: no server and no log sees the code
	const link = `${address}#pair=${code.replace("-", "")}`;
	const qr = encodeQR(link, "ascii", { border: 1 }).trimEnd();
	const fits = qr.split("\n").every((line) => line.length <= columns);
	return `open the console and type this code, within ${codeSeconds / 60} minutes:

    ${address}
    ${code}
${fits ? `\n${qr}\n` : ""}`;
}

function consoleAddress(
	{ server, tls }: Pick<Config, "server" | "tls">,
	port = server.port,
): string {
	if (server.public_url !== "")
		return `${server.public_url.replace(/\/$/, "")}/console/`;
	const isLocal = ["127.0.0.1", "localhost", "::1"].includes(server.host);
	const host = isLocal ? "localhost" : ownHostName();
	return tls.port > 0
		? `https://${host}:${tls.port}/console/`
		: `http://${host}:${port}/console/`;
}
