/** Home Assistant's add-on: config.yaml has the documented form, its options are those that the program takes, and what it says of ports is so. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { parse } from "yaml";
import { addonOptions } from "../../runtime/config/addon-options.js";
import { ConfigError } from "../../runtime/config/config-error.js";
import { loadConfig } from "../../runtime/config/load.js";
import { configSections } from "../../runtime/config/schema.js";
import { whyNot } from "../../runtime/json/json-schema.js";
import { dockerfile } from "../../scripts/image/addon-folder.js";
import {
	addonEnvironment,
	environment,
	ports,
} from "../../scripts/image/settings.js";
import { addonSchema, translationSchema } from "./addon-schema.js";

const yaml = (path: string) => parse(readFileSync(path, "utf8"));
const config = yaml("addon/config.yaml");
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const well = { path: "", message: "" };

/** The configuration of the add-on with these options. */
function configured(options: string, t: { testdir(): string }) {
	const root = t.testdir();
	const file = join(root, "options.json");
	writeFileSync(file, options);
	return loadConfig({
		root,
		environment: { ...addonEnvironment, EARSHOT_ADDON_OPTIONS: file },
	});
}

t.test("config.yaml has the documented form", (t) => {
	t.same(whyNot(addonSchema, config), well);
	t.equal(config.version, version, "as package.json");
	for (const [name, wrong] of Object.entries({
		arch: ["armv7"],
		watchdog: "http://localhost:7100/",
		map: ["everything"],
		schema: { language: "list()" },
		ports: { "7100": null },
		unheard_of: true,
	}))
		t.not(whyNot(addonSchema, { ...config, [name]: wrong }).message, "", name);
	t.end();
});

t.test("its ports are those of the program", (t) => {
	const { wyoming, server, tls, ingress } = configSections;
	const own = [server, tls, wyoming].map((it) => `${it.port.default}/tcp`);
	t.same(ports, own);
	t.same(config.ports, {
		[`${wyoming.port.default}/tcp`]: null,
		[`${server.port.default}/tcp`]: null,
	});
	t.equal(config.ingress_port, ingress.port.default);
	t.same(ingress.allow.default, ["172.30.32.2"]);
	t.end();
});

t.test("its options are those that the program takes", (t) => {
	t.same(Object.keys(config.schema).sort(), Object.keys(addonOptions).sort());
	const isOptional = (name: string) => config.schema[name].endsWith("?");
	for (const name of Object.keys(config.schema))
		t.equal(name in config.options, !isOptional(name), name);
	const { values, origins } = configured(JSON.stringify(config.options), t);
	t.ok(values.wyoming.enabled && values.auth.required);
	t.ok(values.ingress.enabled && values.supervisor.discovery);
	t.equal(values.wyoming.announce, false);
	t.equal(origins.get("log.level"), "the option log_level of the add-on");

	for (const [name, form] of Object.entries<string>(config.schema)) {
		const [, list] = /^list\((.*)\)\??$/.exec(form) ?? [];
		for (const value of list?.split("|") ?? [])
			t.ok(
				configured(JSON.stringify({ [name]: value }), t),
				`${name}=${value}`,
			);
	}
	t.end();
});

t.test("options that are none, and of another type, are refused", (t) => {
	const refused = (options: string, message: RegExp) => {
		t.throws(() => configured(options, t), ConfigError, options);
		t.throws(() => configured(options, t), { message }, options);
	};
	refused('{"wyoming":"yes"}', /must be true or false/);
	refused('{"wyomin":true}', /the nearest is wyoming/);
	refused('{"__proto__":true}', /unknown option/);
	refused('{"log_level":"loud"}', /log.level/);
	refused('{"model":"../secrets"}', /model.name/);
	refused("[]", /object of options/);
	refused("null", /object of options/);
	refused("{", /can't be read/);
	refused(`"${"a".repeat(300_000)}"`, /more than/);
	t.equal(configured("{}", t).values.wyoming.enabled, false);
	const without = { EARSHOT_ADDON_OPTIONS: "/nonexistent/options.json" };
	const { values } = loadConfig({ root: t.testdir(), environment: without });
	t.equal(values.log.level, "info");
	t.end();
});

t.test("every option and port has a text in each language", (t) => {
	const files = readdirSync("addon/translations");
	t.same(files.sort(), ["en.yaml", "ja.yaml", "zh-Hans.yaml"]);
	for (const file of files) {
		const texts = yaml(join("addon/translations", file));
		t.same(whyNot(translationSchema, texts), well, file);
		const names = (value: object) => Object.keys(value).sort();
		t.same(names(texts.configuration), names(config.schema), file);
		t.same(names(texts.network), names(config.ports), file);
	}
	t.end();
});

t.test("the rest of the folder", (t) => {
	for (const page of ["DOCS.md", "README.md", "CHANGELOG.md"])
		t.ok(existsSync(join("addon", page)), page);
	t.match(readFileSync("addon/CHANGELOG.md", "utf8"), `## ${version}`);
	const docs = readFileSync("addon/DOCS.md", "utf8");
	for (const name of Object.keys(config.schema))
		t.ok(docs.includes(`| \`${name}\``), name);
	const icon = readFileSync("addon/icon.png");
	t.equal(icon.toString("latin1", 1, 4), "PNG");
	t.same([icon.readUInt32BE(16), icon.readUInt32BE(20)], [128, 128]);
	t.end();
});

t.test("its Dockerfile fetches nothing", (t) => {
	const created = "2026-01-01T00:00:00Z";
	const text = dockerfile(
		["layer-1.tar.gz"],
		{ homeAssistant: "aarch64" },
		{ version, revision: "0", created },
	);
	t.match(text, /^FROM scratch\nADD layer-1\.tar\.gz \/$/m);
	t.notMatch(text, /^(RUN|FROM (?!scratch)|ADD http)/m);
	for (const [name, value] of Object.entries({
		...environment,
		...addonEnvironment,
	}))
		t.ok(text.includes(`ENV ${name}="${value}"\n`), name);
	t.ok(text.includes(`LABEL io.hass.version="${version}"\n`));
	t.end();
});
