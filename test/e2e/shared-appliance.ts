/**
 * One appliance as it is without a configuration, for the files of tests that change nothing of it: starting one costs as much as recognizing a dozen clips. Each
 * caller has a token, and so tasks and word lists, of its own. It is stopped when the process has run all its files (scripts/tests/processes.ts).
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as tap from "tap";
import { openStore } from "../../runtime/store/open-store.js";
import { makeToken, RunningAppliance } from "./running-appliance.js";

/** Made before the start, as the first token of others is. */
const tokensMax = 16;

interface Shared {
	readonly appliance: RunningAppliance;
	readonly tokens: string[];
}

let shared: Promise<Shared> | undefined;

/** Healthy; not to be disposed of. */
export async function sharedAppliance(): Promise<RunningAppliance> {
	shared ??= start();
	const { appliance, tokens } = await shared;
	const token = tokens.pop();
	if (token === undefined) throw new Error(`more than ${tokensMax} ask for it`);
	await appliance.untilHealthy();
	return appliance.as(token);
}

async function start(): Promise<Shared> {
	const stateDir = mkdtempSync(join(tmpdir(), "earshot-e2e-"));
	const store = await openStore({ dir: stateDir, as: "visit" });
	const tokens: string[] = [];
	for (let n = 1; n <= tokensMax; n++)
		tokens.push(await makeToken(store, `file-${n}`));
	await store.close();
	const appliance = await RunningAppliance.launch({}, stateDir);
	const { root } = tap as unknown as { readonly root: typeof tap.t };
	root.teardown(() => appliance.dispose());
	return { appliance, tokens };
}
