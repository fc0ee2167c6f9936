/** What the page says in Chinese and Japanese is Chinese and Japanese. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { type HealthCode, healthCodes } from "../../runtime/api/health.js";
import { healthCheckTexts } from "../../runtime/console/pages/device/health-check-texts.js";
import { sentenceOf } from "../../runtime/console/texts/sentence-of.js";
import { repository } from "../e2e/running-appliance.js";

const folder = join(repository, "runtime/console");

/** Names, units, formats and what is typed into a device. */
const allowed = new Set(
	`API HTTPS HTTP QR ID JSON WAV MP3 M4A FLAC Ogg WebM MP4 WebSocket MQTT OpenAPI AsyncAPI TOKEN JavaScript Python curl iPhone iPad Mac UTF CSV Excel
	earshot pair update rollback from git npm s ms microphone`.split(/\s+/),
);

const pageFiles = readdirSync(folder, { recursive: true, encoding: "utf8" })
	.filter((it) => /\.tsx?$/.test(it))
	.map((it) => [it, readFileSync(join(folder, it), "utf8")] as const);
const files = pageFiles.filter(([, text]) => /\n\tzh: \{/.test(text));

function tableOf(text: string, language: string): string {
	const from = text.indexOf(`\n\t${language}: {`);
	return text.slice(from, text.indexOf("\n\t},", from));
}

/** What stands between quotes, without `${...}`. */
function messagesOf(table: string): string[] {
	return [...table.matchAll(/"([^"\n]*)"(:?)|`([^`]*)`/g)]
		.filter(([, , isKey]) => !isKey)
		.map(([, quoted, , template]) =>
			(quoted ?? template ?? "").replace(/\$\{[^}]*\}/g, " "),
		);
}

t.ok(files.length >= 10, `${files.length} tables`);

t.test(
	"every code of a health check has a text in every language",
	async (t) => {
		const values = { at: "1:00", certain: "2:00", seconds: "7", minutes: "9" };
		const says = (language: "en" | "zh" | "ja", code: HealthCode) =>
			healthCheckTexts[language][code](values);
		for (const language of ["en", "zh", "ja"] as const) {
			t.same(
				Object.keys(healthCheckTexts[language]).sort(),
				[...healthCodes].sort(),
			);
			for (const code of healthCodes) {
				const text = says(language, code);
				t.notMatch(text, /undefined|\?/, `${language} ${code}`);
				if (language !== "en")
					t.match(
						text,
						/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
						code,
					);
			}
		}
	},
);

for (const language of ["zh", "ja"])
	t.test(`${language}: no word is left in English`, async (t) => {
		for (const [name, text] of files) {
			const messages = messagesOf(tableOf(text, language));
			t.ok(messages.length > 0, name);
			const left = messages.flatMap((it) =>
				(it.match(/[A-Za-z][A-Za-z0-9]*/g) ?? []).filter(
					(word) => !allowed.has(word),
				),
			);
			t.same(left, [], name);
		}
	});

t.test("zh: punctuation is Chinese beside Chinese", async (t) => {
	for (const [name, text] of files) {
		const wrong = messagesOf(tableOf(text, "zh")).filter(
			(it) =>
				/\p{Script=Han}[,;:!?(]|[,;:!?)]\p{Script=Han}/u.test(it) &&
				!/错误,正确|写法,假名读音,类别/.test(it), // how an entry is written
		);
		t.same(wrong, [], name);
	}
});

t.test("what the device says is a sentence on a page", async (t) => {
	for (const [message, sentence] of [
		["audio is too long", "Audio is too long."],
		["speaker 1: 7 s are missing", "Speaker 1: 7 s are missing."],
		["can't be decoded (broken)", "Can't be decoded (broken)."],
		["max_silence must be 90", "max_silence must be 90."],
		["model.name is unknown", "model.name is unknown."],
		["earshot is stopping", "earshot is stopping."],
		['"x" is no id', '"x" is no id.'],
		["It is late.", "It is late."],
		["https://a.b/c: not found", "https://a.b/c: not found."],
		["its name is `x`", "Its name is `x`."],
		["really?", "Really?"],
		["", ""],
	] as const)
		t.equal(sentenceOf(message), sentence);
});

t.test("punctuation beside a text is that of its language", async (t) => {
	const inPage = /(?<!\$)\{m\.\w+(?:\([^{}]*\))?\}[.,:;(]/;
	const inTemplate = /[,(] ?\$\{m\./;
	const wrong = pageFiles
		.filter(([name]) => name.endsWith(".tsx"))
		.flatMap(([name, text]) =>
			text
				.split("\n")
				.filter((it) => inPage.test(it) || inTemplate.test(it))
				.map((it) => `${name}: ${it.trim()}`),
		);
	t.same(wrong, []);
});
