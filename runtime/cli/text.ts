/**
 * `earshot text`: runs a text through the steps applied to recognized text, and shows what each of them changed. It helps an operator to understand a result,
 * and to try out a vocabulary before loading it.
 */
import type { Command } from "commander";
import { languageNames, parseLanguage } from "../session/languages.js";
import { type Edit, editText } from "../text/edits.js";
import { TextPipeline } from "../text/pipeline.js";
import {
	correctionLimits,
	correctionRule,
	forbiddenRule,
} from "../words/correction.js";
import type { EntryRule } from "../words/entry.js";
import type { WordList } from "../words/word-list.js";
import { configOrDefaults } from "./config-or-defaults.js";
import { action, print, UsageError, verb } from "./verb.js";
import { linesOf, readWordFile } from "./word-file.js";

interface Flags {
	readonly lang: string;
	readonly explain?: boolean;
	readonly json?: boolean;
	readonly itn: boolean;
	readonly keepFillers?: boolean;
	readonly punctuation: boolean;
	readonly corrections?: string;
	readonly forbidden?: string;
}

interface Step {
	readonly name: string;
	readonly before: string;
	readonly after: string;
	readonly edits: readonly Edit[];
}

export function textCommand(): Command {
	return verb("text", "format a text like recognized text")
		.argument("[text...]", "default: the lines of standard input")
		.requiredOption("--lang <language>", languageNames.join(", "))
		.option("--explain", "show what each step changed")
		.option("--json", "one JSON object per text, including the steps")
		.option("--no-itn", "numbers in words (inverse text normalization off)")
		.option("--keep-fillers", "keep fillers")
		.option("--no-punctuation", "remove punctuation")
		.option(
			"--corrections <file>",
			"a correction vocabulary: one wrong|wrong2,right per line",
		)
		.option("--forbidden <file>", "a list of forbidden words: one per line")
		.action(action(text));
}

async function text(
	words: readonly string[],
	flags: Flags,
	command: Command,
): Promise<void> {
	const language = parseLanguage(flags.lang);
	if (!language)
		throw new UsageError(
			`--lang must be one of ${languageNames.join(", ")}; got ${flags.lang}`,
		);
	const pipeline = new TextPipeline({
		language,
		modalParticleFilter: !flags.keepFillers,
		inverseTextNormalization: flags.itn,
		punctuation: flags.punctuation,
		corrections: listOf(flags.corrections, () =>
			correctionRule(correctionLimits(configOrDefaults(command).values.limits)),
		),
		forbidden: listOf(flags.forbidden, () => forbiddenRule),
	});
	const texts = words.length > 0 ? [words.join(" ")] : await linesOfInput();
	for (const given of texts) {
		const steps = stepsOf(pipeline, given);
		const written = steps.at(-1)?.after ?? given;
		if (flags.json)
			print(JSON.stringify({ language, given, text: written, steps }));
		else if (flags.explain) print(explained(given, steps, written));
		else print(written);
	}
}

function stepsOf(pipeline: TextPipeline, given: string): Step[] {
	const steps: Step[] = [];
	let before = given;
	for (const step of pipeline.steps) {
		const edits = step.edits(before);
		const after = editText(before, edits);
		steps.push({ name: step.name, before, after, edits });
		before = after;
	}
	return steps;
}

function listOf(file: string | undefined, rule: () => EntryRule): WordList[] {
	return file === undefined ? [] : [readWordFile(file, rule())];
}

async function linesOfInput(): Promise<string[]> {
	let input = "";
	process.stdin.setEncoding("utf8");
	for await (const chunk of process.stdin) input += chunk;
	return linesOf(input);
}

function explained(
	given: string,
	steps: readonly Step[],
	written: string,
): string {
	const names = ["given", ...steps.map((it) => it.name), "result"];
	const wide = Math.max(...names.map((it) => it.length));
	const line = (name: string, shown: string) =>
		`${name.padEnd(wide)}  ${shown}`;
	return [
		line("given", given),
		...steps.map((step) => line(step.name, shownChange(step))),
		line("result", written),
	].join("\n");
}

/** Both texts; on a terminal removed text is red and added text green. */
function shownChange({ before, edits }: Step): string {
	if (edits.length === 0) return paint("-", "dim");
	let old = "";
	let now = "";
	let at = 0;
	for (const { from, to, text: written } of edits) {
		const same = before.slice(at, from);
		old += same + paint(before.slice(from, to), "red");
		now += same + paint(written, "green");
		at = to;
	}
	return `${old}${before.slice(at)} -> ${now}${before.slice(at)}`;
}

const colours = { dim: 2, red: 31, green: 32 } as const;

function paint(shown: string, colour: keyof typeof colours): string {
	const plain = !process.stdout.isTTY || process.env.NO_COLOR;
	return plain || shown === ""
		? shown
		: `\x1b[${colours[colour]}m${shown}\x1b[0m`;
}
