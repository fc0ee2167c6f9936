/** Keys of the configuration that the documentation names exist; so does every section that it shows. */
import t from "tap";
import { configSections, configTables } from "../../runtime/config/schema.js";
import { keysOf } from "../../runtime/config/sources.js";
import { pagesOfRepository, textOf } from "./pages.js";

const keys = new Set(keysOf(configSections));
const sections = Object.keys(configSections);
const names = new Set([...sections, ...Object.keys(configTables)]);

/** Written as a key is, but something else: files, and sections of other formats. */
const others = /\.(json|onnx|bin|toml|ts|js|md|sock|service)$/;

for (const page of pagesOfRepository())
	t.test(`every key that ${page} names is in the schema`, async (t) => {
		const text = textOf(page);
		for (const [, key = ""] of text.matchAll(
			/`([a-z]+\.[a-z_]+)(?: = [^`]*)?`/g,
		))
			if (sections.includes(key.split(".")[0] ?? "") && !others.test(key))
				t.ok(keys.has(key), key);
		for (const [, toml = ""] of text.matchAll(/^```toml\n([\s\S]*?)^```/gm))
			for (const [, name = ""] of toml.matchAll(/^\[+([a-z]+)\]+$/gm))
				t.ok(names.has(name), `[${name}]`);
	});
