/**
 * scripts/fuzz [NAME...] [--seconds N] [--seed S]: random cases of the properties that the default suite tries on fixed ones. NAME is a property (text/edits) or a folder of them
 * (text); without one all take turns. Ends with 1 where something does not hold, and says which case.
 */
import { parseArgs } from "node:util";
import { plantedName, targets } from "./targets.js";
import { takeTurns } from "./turns.js";

const { values, positionals: names } = readArguments();
const seconds = wholeNumber("--seconds", values.seconds);
const seed = wholeNumber("--seed", values.seed ?? `${Date.now() % 1e9}`);
const chosen = targetsNamed(names);

console.log(`seed ${seed}`);
const failed = await takeTurns(chosen, { seconds, seed, print: console.log });
process.exit(failed > 0 ? 1 : 0); // whatever a case left behind

function readArguments() {
	try {
		return parseArgs({
			allowPositionals: true,
			options: {
				seconds: { type: "string", default: "60" },
				seed: { type: "string", default: process.env.EARSHOT_FUZZ_SEED },
			},
		});
	} catch (thrown) {
		return stop(
			`${(thrown as Error).message}\nusage: scripts/fuzz [NAME...] [--seconds N] [--seed S]`,
		);
	}
}

/** Without names all but the planted fault. */
function targetsNamed(names: readonly string[]): typeof targets {
	const all = [...targets.keys()];
	const isWanted = (target: string) =>
		names.length === 0
			? target !== plantedName
			: names.some((it) => target === it || target.startsWith(`${it}/`));
	for (const name of names)
		if (!all.some((it) => it === name || it.startsWith(`${name}/`)))
			stop(`there is no ${name}; there are: ${all.join(", ")}`);
	return new Map([...targets].filter(([name]) => isWanted(name)));
}

function wholeNumber(option: string, text: string): number {
	if (!/^\d{1,10}$/.test(text)) stop(`${option} ${text}: not a whole number`);
	return Number(text);
}

function stop(why: string): never {
	console.error(`scripts/fuzz: ${why}`);
	process.exit(2);
}
