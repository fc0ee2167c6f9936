/** Which languages a device serves, by the models that its configuration names. */
import { join } from "node:path";
import t from "tap";
import { languagesOfModels } from "../../runtime/appliance/languages-of-models.js";
import {
	otherServing,
	pairByRuns,
	servedLanguages,
} from "../../runtime/engine/served-languages.js";
import { installFolder } from "../../runtime/models/package/install.js";
import { kindCases, writtenCases } from "../kinds/cases.js";

const zh = "zh-cmn-Hans-CN";
const ja = "ja-JP";
const en = "en-US";
const zhEn = "zh-cmn-Hans-CN-en-US";
const jaEn = "ja-JP-en-US";

t.test("mixed speech: named, main, another, or run by run", (t) => {
	const knowsAll = { named: [zh], knows: [zh, en, zhEn] } as const;
	const knowsOne = { named: [zh], knows: [zh] } as const;
	const named = { named: [zhEn], knows: [zhEn] } as const;
	t.equal(otherServing(zhEn, { main: [en], others: [knowsAll, named] }), named);
	t.equal(otherServing(zhEn, { main: [en], others: [knowsAll] }), knowsAll);
	const both = { main: [en, zhEn], others: [knowsAll] } as const;
	t.equal(otherServing(zhEn, both), undefined, "the main one does");
	t.equal(pairByRuns(zhEn, both), undefined);
	const apart = { main: [en], others: [knowsOne] } as const;
	t.same(pairByRuns(zhEn, apart), [zh, en]);
	t.same(servedLanguages(apart), [en, zh, zhEn]);
	t.equal(pairByRuns(jaEn, apart), undefined, "nobody knows Japanese");
	const one = { named: [zh, en], knows: [zh, en] } as const;
	t.equal(
		pairByRuns(zhEn, { main: [ja], others: [one] }),
		undefined,
		"one model would read twice",
	);
	t.end();
});

t.test("the languages of the packages that are there", async (t) => {
	const dir = t.testdir({});
	const wanted = ["tiny-moonshine-v2", "tiny-paraformer"];
	const { folderOf, dispose } = writtenCases(
		kindCases.filter(({ name }) => wanted.includes(name)),
	);
	t.teardown(dispose);
	const add = (name: string, from: string, language: string) =>
		installFolder(folderOf(from), {
			directory: dir,
			name,
			languages: [language],
		});
	await add("english", "tiny-moonshine-v2", en);
	await add("chinese", "tiny-paraformer", zh);
	const by_language = { [zh]: "chinese", [ja]: "nowhere" };
	const model = { dir, name: "english", by_language };
	t.same(await languagesOfModels(model), [en, zh, zhEn]);
	const swapped = { dir, name: "english", by_language: { [ja]: "chinese" } };
	t.same(await languagesOfModels(swapped), [en], "it does not know it");
	await t.rejects(languagesOfModels({ ...model, name: "nowhere" }), {
		name: "PackageError",
		message: new RegExp(join(dir, "nowhere")),
	});
});
