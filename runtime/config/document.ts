/** The configuration for people, generated from the schema: the commented `earshot.toml`, the table of `config docs`, and the output of `config show`. */
import { expectation, shown } from "../json/expectation.js";
import type { LoadedConfig } from "./load.js";
import { configSections, configTables } from "./schema.js";
import {
	environmentName,
	type Section,
	type Sections,
	type Setting,
} from "./setting.js";

/** `config/earshot.toml`: every key, commented, with its default. */
export function exampleToml(): string {
	const lines = [
		"# Configuration of earshot. Generated from the schema by `earshot config docs --toml`: every key is here with its default; remove the # to change one.",
		"# Later sources override earlier ones: this file, earshot.d/*.toml beside it (by name), credentials (secrets only), the environment (EARSHOT_SECTION_KEY), the command line (--set section.key=value).",
	];
	for (const [section, settings] of Object.entries<Section>(configSections)) {
		lines.push("", `[${section}]`);
		for (const [name, it] of Object.entries(settings)) {
			lines.push(
				`# ${it.doc} Must be ${expectation(it.schema)}.${it.needsRestart ? "" : " Applied by a reload."}`,
				`# ${name} = ${tomlDefault(it)}`,
			);
		}
	}
	for (const [table, settings] of Object.entries<Section>(configTables)) {
		lines.push("", "# May be repeated:", `# [[${table}]]`);
		for (const [name, it] of Object.entries(settings)) {
			const value = it.required ? '"front"' : tomlDefault(it);
			lines.push(
				`#   # ${it.doc} Must be ${expectation(it.schema)}.`,
				`#   ${name} = ${value}`,
			);
		}
	}
	return `${lines.join("\n")}\n`;
}

/** A Markdown table of every key. */
export function markdownTable(): string {
	const rows = Object.entries<Section>(configSections).flatMap(
		([section, settings]) =>
			Object.entries(settings).map(([name, it]) => {
				const key = `${section}.${name}`;
				const cells = [
					`\`${key}\``,
					expectation(it.schema),
					it.defaultText ?? `\`${tomlValue(it.default)}\``,
					`\`${environmentName(key)}\``,
					it.needsRestart ? "yes" : "no",
					it.doc,
				];
				return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
			}),
	);
	return [
		"| key | value | default | environment | needs restart | what it does |",
		"|---|---|---|---|---|---|",
		...rows,
		"",
	].join("\n");
}

export interface ShownValue {
	readonly key: string;
	readonly value: unknown;
	readonly origin: string;
}

/** Effective values and their sources; secrets as stars. Of a section that may be repeated, the keys name the `id`: `microphone.front.device`. */
export function effectiveValues(
	{ values, origins }: Pick<LoadedConfig<unknown>, "values" | "origins">,
	sections: Sections = configSections,
	tables: Sections = configTables,
): ShownValue[] {
	const given = values as Record<string, unknown>;
	const valuesOf = (place: string, settings: Section, from: unknown) =>
		Object.entries(settings).map(([name, it]) => {
			const key = `${place}.${name}`;
			const value = (from as Record<string, unknown> | undefined)?.[name];
			const hide = it.secret && value !== "";
			const origin = origins.get(key) ?? "default";
			return { key, value: hide ? "********" : value, origin };
		});
	return [
		...Object.entries(sections).flatMap(([section, settings]) =>
			valuesOf(section, settings, given[section]),
		),
		...Object.entries(tables).flatMap(([table, settings]) =>
			((given[table] ?? []) as readonly { readonly id: string }[]).flatMap(
				(it) => valuesOf(`${table}.${it.id}`, settings, it),
			),
		),
	];
}

export function effectiveText(values: readonly ShownValue[]): string {
	const width = Math.max(...values.map((it) => it.key.length));
	return values
		.map((it) => `${it.key.padEnd(width)} = ${shown(it.value)}  (${it.origin})`)
		.join("\n");
}

/** A default that depends on the installation is shown as its rule, with the value of a checkout as the example. */
function tomlDefault(it: Setting): string {
	if (it.defaultText === undefined) return tomlValue(it.default);
	const example = it.defaultText.split(" ")[0]?.replace(/,$/, "") ?? "";
	return `${JSON.stringify(example)}  # ${it.defaultText}`;
}

/** JSON scalars are valid TOML; lists and tables of them are written on one line. */
export function tomlValue(value: unknown): string {
	if (Array.isArray(value))
		return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const pairs = Object.entries(value).map(
		([name, item]) => `${JSON.stringify(name)} = ${JSON.stringify(item)}`,
	);
	return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}
