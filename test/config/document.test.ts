import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import t from "tap";
import { exampleToml, markdownTable } from "../../runtime/config/document.js";
import { installRoot } from "../../runtime/config/install-root.js";
import { loadConfig } from "../../runtime/config/load.js";
import { configSections } from "../../runtime/config/schema.js";
import { keysOf } from "../../runtime/config/sources.js";

t.test(
	"config/earshot.toml is generated from the schema (earshot config docs --toml)",
	async (t) => {
		const file = join(installRoot, "config", "earshot.toml");
		t.equal(readFileSync(file, "utf8"), exampleToml());
	},
);

t.test(
	"every key of earshot.toml may be uncommented as it stands",
	async (t) => {
		const uncommented = exampleToml().replace(/^# (\w+ = )/gm, "$1");
		t.same(
			Object.entries(parse(uncommented)).flatMap(([section, table]) =>
				Object.keys(table as object).map((key) => `${section}.${key}`),
			),
			keysOf(configSections),
		);
		const dir = t.testdir({ config: { "earshot.toml": uncommented } });
		const changed = loadConfig({ environment: {}, root: dir }).values;
		const untouched = loadConfig({
			environment: {},
			root: t.testdirName,
		}).values;
		t.same(changed.server, untouched.server);
		t.same(changed.hotwords, untouched.hotwords);
	},
);

t.test(
	"the table names every key, its environment name and its range",
	async (t) => {
		const table = markdownTable();
		for (const key of keysOf(configSections)) {
			t.match(table, `| \`${key}\` |`);
			t.match(table, `EARSHOT_${key.replace(".", "_").toUpperCase()}`);
		}
		t.match(table, "an integer from 0 to 65535");
	},
);
