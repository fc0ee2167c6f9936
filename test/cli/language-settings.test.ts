/** Languages in the configuration: short names are those of `lang_type`, and a mistyped one is no start without it. */
import t from "tap";
import { withCheckedLanguages } from "../../runtime/cli/language-settings.js";
import { loadConfig } from "../../runtime/config/load.js";
import { earshot } from "./earshot.js";

const read = (...overrides: string[]) =>
	withCheckedLanguages(loadConfig({ environment: {}, overrides })).values;

t.test("short names of model.by_language are canonical", async (t) => {
	const { model } = read("model.by_language=ja=one,ZH=two,en-US=three");
	t.same(
		{ ...model.by_language },
		{ "ja-JP": "one", "zh-cmn-Hans-CN": "two", "en-US": "three" },
	);
});

t.test("a language that there is not is refused", async (t) => {
	for (const [key, value] of [
		["model.by_language", "klingon=one"],
		["endpoints.default_language", "xx"],
		["endpoints.languages", "zh=klingon"],
	])
		t.throws(() => read(`${key}=${value}`), {
			name: "ConfigError",
			message: new RegExp(
				`^${key} in command line names the language "\\S+", which is not one of ja-JP, `,
			),
		});
	for (const value of ["", "auto", "Japanese"])
		t.equal(
			read(`endpoints.default_language=${value}`).endpoints.default_language,
			value,
		);
	const words = ["--set", "model.by_language=klingon=one", "config", "show"];
	t.match(await earshot(words), {
		code: 2,
		out: "",
		err: /names the language/,
	});
});
