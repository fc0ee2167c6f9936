/** Keys of the configuration that the documentation names exist; so does every section that it shows, and each example is a configuration that the program takes. */
import t from "tap";
import { loadConfig } from "../../runtime/config/load.js";
import { configSections, configTables } from "../../runtime/config/schema.js";
import { keysOf } from "../../runtime/config/sources.js";
import { filesUnder, pagesOfRepository, textOf } from "./pages.js";

const keys = new Set(keysOf(configSections));
const sections = Object.keys(configSections);
const names = new Set([...sections, ...Object.keys(configTables)]);
const pages = [
	...pagesOfRepository(),
	...filesUnder("addon").filter((it) => it.endsWith(".md")),
];

/** Written as a key is, but something else: files, and sections of other formats. */
const others = /\.(json|onnx|bin|toml|ts|js|md|sock|service)$/;

for (const page of pages) {
	t.test(`every key that ${page} names is in the schema`, async (t) => {
		for (const [, key = ""] of textOf(page).matchAll(
			/`([a-z]+\.[a-z_]+)(?: = [^`]*)?`/g,
		))
			if (sections.includes(key.split(".")[0] ?? "") && !others.test(key))
				t.ok(keys.has(key), key);
		for (const toml of examplesOf(page))
			for (const [, name = ""] of toml.matchAll(/^\[+([a-z]+)\]+$/gm))
				t.ok(names.has(name), `[${name}]`);
	});

	t.test(`every example of ${page} can be used as it is`, async (t) => {
		// with and without what is commented out
		for (const toml of examplesOf(page))
			for (const text of [toml, toml.replace(/^# /gm, "")]) {
				const root = t.testdir({
					"package.json": "{}",
					"tsconfig.json": "{}", // a checkout, whatever the machine has in /etc
					config: { "earshot.toml": text },
				});
				t.doesNotThrow(() => loadConfig({ environment: {}, root }), text);
			}
	});
}

t.test("docs/service.md names every key that a reload applies", async (t) => {
	const [, list = ""] =
		/These keys take effect at once: ([\s\S]*?)The log names/.exec(
			textOf("docs/service.md"),
		) ?? [];
	const named = [...list.matchAll(/`(.*?)`/g)].map(([, key]) => key);
	const applied = Object.entries(configSections).flatMap(
		([section, settings]) =>
			Object.entries(settings)
				.filter(([, setting]) => !setting.needsRestart)
				.map(([name]) => `${section}.${name}`),
	);
	t.strictSame(named.sort(), applied.sort());
});

function examplesOf(page: string): string[] {
	return [...textOf(page).matchAll(/^```toml\n([\s\S]*?)^```/gm)].map(
		([, toml = ""]) => toml,
	);
}
