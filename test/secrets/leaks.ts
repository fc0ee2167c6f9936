/** What a server wrote for others than the owners of its tasks: log lines, figures, retained messages. Every helper that starts a server looks at its end. */
import { jsonIn, type KnownSecrets, knownSecrets } from "./known-secrets.js";

/** What opens something can be told by its form as well, whoever it was given to. */
const forms: readonly (readonly [kind: string, form: RegExp])[] = [
	["an id as long as a task's", /[0-9a-f]{32}/],
	[
		"what looks like a token",
		/(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*\d)[\w-]{43}(?![\w-])/,
	],
	["a link's signature", /[?&]signature=/],
	["credentials", /Bearer [\w-]{20}/],
];

/** @throws Error that shows the first line that says too much. */
export function checkNothingLeaked(
	where: string,
	lines: Iterable<string>,
	secrets: KnownSecrets = knownSecrets,
): void {
	for (const line of lines) {
		const [kind] = leaksIn(line, secrets);
		if (kind !== undefined)
			throw new Error(`${where} holds ${kind}: ${line.slice(0, 1000)}`);
	}
}

/** @returns the kinds of what it holds. */
export function leaksIn(line: string, secrets: KnownSecrets): string[] {
	const text = plain(line);
	const byForm = forms.filter(([, form]) => form.test(text));
	return [...secrets.in(text), ...byForm.map(([kind]) => kind)];
}

/** A line of JSON with its texts as they were, and as it stands. */
function plain(line: string): string {
	const texts: string[] = [line];
	const take = (value: unknown): void => {
		if (typeof value === "string") texts.push(value);
		else if (typeof value === "object" && value !== null)
			for (const [key, held] of Object.entries(value)) {
				texts.push(key);
				take(held);
			}
	};
	take(jsonIn(line));
	return texts.join("\n");
}
