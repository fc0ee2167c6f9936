/** `earshot pair`: a code with which a browser signs in to the console, on the terminal of the device; as a QR code too, for a telephone. */
import type { Command } from "commander";
import encodeQR from "qr";
import {
	codeSeconds,
	makePairing,
	type PairingRequest,
} from "../appliance/pairing.js";
import { type Scope, scopes } from "../store/tokens.js";
import { parseScopes } from "./scopes.js";
import { checkName, withStore } from "./store-visit.js";
import { action, configFor, print, UsageError, verb } from "./verb.js";

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

export type PairingText = Omit<PairingRequest, "scopes"> & {
	/** Absent: everything. */
	readonly scopes?: readonly Scope[];
	/** Of the terminal; a narrow one, or none, gets no QR code. */
	readonly columns: number;
};

/** Makes a code. @returns what to do with it. */
export async function pairingText(asked: PairingText): Promise<string> {
	const { columns, scopes = usualScopes } = asked;
	const { address, code, link } = await makePairing({ ...asked, scopes });
	const qr = encodeQR(link, "ascii", { border: 1 }).trimEnd();
	const fits = qr.split("\n").every((line) => line.length <= columns);
	return `open the console and type this code, within ${codeSeconds / 60} minutes:

    ${address}
    ${code}
${fits ? `\n${qr}\n` : ""}`;
}
