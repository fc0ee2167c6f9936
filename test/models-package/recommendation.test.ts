/** Which models of a catalogue suit a device, and that earshot's own catalogue has what that needs. */
import t from "tap";
import { ownCatalogue } from "../../runtime/cli/own-catalogue.js";
import {
	type CatalogueEntry,
	isPinned,
} from "../../runtime/models/package/catalogue-entry.js";
import {
	memoryOf,
	recommend,
	referenceSets,
} from "../../runtime/models/package/recommendation.js";
import { languages } from "../../runtime/text/languages.js";

const entry = (
	name: string,
	served: Readonly<Record<string, number | undefined>>,
	megabytes: number,
	gigaMultiplications: number,
): CatalogueEntry => ({
	name,
	licence: "MIT",
	source: "a test",
	megabytes,
	gigaMultiplications,
	files: [{ name: "model.onnx" }],
	languages: Object.keys(served),
	errors: Object.entries(served).flatMap(([language, percent]) =>
		percent === undefined
			? []
			: [
					{
						language,
						percent,
						measure: "CER",
						source: "a test",
						set: referenceSets[language] ?? "",
					} as const,
				],
	),
});

const zh = "zh-cmn-Hans-CN";
const ja = "ja-JP";
const both = entry("both", { [zh]: 4, [ja]: 10 }, 240, 4);
const japanese = entry("japanese", { [ja]: 7 }, 650, 8);
const small = entry("small", { [zh]: undefined, [ja]: undefined }, 50, 1);
const all = [small, japanese, both];

const names = (choice: ReturnType<typeof recommend>["each"]) =>
	choice && [...choice.models.values()].map((it) => it.name);

t.test("one model for all languages, and the best for each", async (t) => {
	const { one, each, lighter } = recommend(all, [zh, ja], {
		memoryMegabytes: 4000,
		speed: 20,
	});
	t.same(names(one), ["both", "both"]);
	t.same(names(each), ["both", "japanese"]);
	t.equal(lighter, undefined);
	const main = memoryOf({ megabytes: 77 }); // stays open beside them
	t.equal(each?.memoryMegabytes, memoryOf(both) + memoryOf(japanese) + main);
	t.equal(each?.speed, 5, "the slowest of them");
});

t.test(
	"where the best is one model, a lighter one is the second",
	async (t) => {
		const { one, each, lighter } = recommend(all, [zh], {
			memoryMegabytes: 4000,
			speed: undefined,
		});
		t.same(
			[names(one), names(each), names(lighter)],
			[["both"], undefined, ["small"]],
		);
		t.equal(one?.speed, undefined, "not measured");
	},
);

t.test(
	"what does not fit into memory or is too slow is left out",
	async (t) => {
		const poor = { memoryMegabytes: 1200, speed: 20 };
		t.same(names(recommend(all, [ja], poor).one), ["both"]);
		const slow = { memoryMegabytes: 4000, speed: 3 };
		t.same(names(recommend(all, [ja], slow).one), ["small"]);
		const none = recommend(all, [ja], { memoryMegabytes: 100, speed: 20 });
		t.same(none, { one: undefined, each: undefined, lighter: undefined });
		t.same(names(recommend(all, ["en-US"], slow).one), undefined);
	},
);

t.test(
	"each language has a model, or stays with the one in use, beside which the others fit",
	async (t) => {
		const two = entry("two", { [zh]: 4, [ja]: 10 }, 100, 1);
		const english = entry("english", { "en-US": 5 }, 45, 1);
		const models = [two, english];
		// 60 % of it is for engines: `two` takes 280 MB, `english` 209, whisper-base 250
		const on = (memoryMegabytes: number, ...wanted: string[]) => {
			const device = { memoryMegabytes, speed: 20 };
			const { one, each } = recommend(models, wanted, device);
			t.equal(one, undefined);
			return each && [Object.fromEntries(each.models), each.memoryMegabytes];
		};
		const main = memoryOf({ megabytes: 77 });
		t.same(on(512, zh, "en-US", ja), undefined, "no other beside whisper-base");
		t.same(
			on(800, zh, "en-US", ja),
			[{ "en-US": english }, memoryOf(english) + main],
			"the one that fits beside it",
		);
		t.same(on(1300, zh, "en-US", ja), [
			{ [zh]: two, "en-US": english, [ja]: two },
			memoryOf(english) + memoryOf(two) + main,
		]);
	},
);

t.test("the order of the languages changes nothing", async (t) => {
	const large = entry("large", { [zh]: 4 }, 300, 1);
	const modest = entry("modest", { [zh]: 8 }, 50, 1);
	const english = entry("english", { "en-US": 5 }, 200, 1);
	const device = { memoryMegabytes: 1600, speed: 20 };
	for (const wanted of [
		[zh, "en-US"],
		["en-US", zh],
	]) {
		const { each } = recommend([large, modest, english], wanted, device);
		t.same(each?.models.get(zh), modest, `${wanted}`);
		t.same(each?.models.get("en-US"), english, `${wanted}`);
	}
});

t.test("earshot's own catalogue is complete", async (t) => {
	const { models } = ownCatalogue();
	t.equal(new Set(models.map((it) => it.name)).size, models.length);
	for (const it of models) {
		const { name, archive, files, errors = [] } = it;
		t.ok(it.about && it.edition && it.licensing?.summary && it.megabytes, name);
		t.ok(
			it.languages?.every((one) => languages.some((known) => known === one)),
			name,
		);
		t.ok(
			!isPinned(it) || it.checksums,
			`${name}: where its checksums come from`,
		);
		for (const url of archive ? [archive.url] : files.map((one) => one.url))
			t.match(url, /^https:\/\/[a-z.]+\/\S+$/, name);
		for (const { language, source } of errors)
			t.ok(it.languages?.includes(language) && source, name);
	}
	for (const language of [zh, ja, "en-US"]) {
		const device = { memoryMegabytes: 4000, speed: 20 };
		const [best] = names(recommend(models, [language], device).one) ?? [];
		t.ok(best, `something for ${language}`);
	}
});
