/** What `earshot doctor` says of word lists that the configuration names. */
import t from "tap";
import { checkWordLists } from "../../runtime/cli/checks/word-lists.js";
import { loadConfig } from "../../runtime/config/load.js";
import { openStore } from "../../runtime/store/open-store.js";

const microphone = (lists: string) => `[[microphone]]
id = "front"
language = "en"
${lists}
`;

t.test("a missing list of a microphone is broken", async (t) => {
	const dir = t.testdir({ state: {}, config: {} });
	const findings = (toml: string) => {
		const { values } = loadConfig({
			environment: { EARSHOT_STATE_DIR: `${dir}/state` },
			root: t.testdir({ state: {}, config: { "earshot.toml": toml } }),
		});
		return checkWordLists(values);
	};
	t.same(await findings(microphone("")), [], "none is named");
	t.match(
		await findings(microphone('hotwords_id = "names"')),
		[
			{
				about: "microphone front",
				state: "broken",
				says: "recognizes nothing: hotword database names does not exist",
				todo: "make it (docs/word-lists.md), or correct hotwords_id",
			},
		],
		"no server has run yet",
	);
});

t.test("each list is looked up, for its language", async (t) => {
	const root = t.testdir({
		state: {},
		config: {
			"earshot.toml": `${microphone(`hotwords_id = "names"
correction_words_id = "chinese|all"
forbidden_words_id = "all"`)}
[endpoints]
hotwords_id = "names|chinese"
correction_words_id = "gone"
`,
		},
	});
	const environment = { EARSHOT_STATE_DIR: `${root}/state` };
	const { values } = loadConfig({ environment, root });
	const store = await openStore({ dir: `${root}/state`, as: "visit" });
	const list = { name: "", entries: ["word"] };
	await store.hotwords.create({ ...list, id: "names", language: "en-US" }, 1);
	const chinese = { ...list, id: "chinese", language: "zh-cmn-Hans-CN" };
	await store.hotwords.create(chinese, 1);
	await store.correctionWords.create(chinese, 1);
	await store.close();
	t.match(await checkWordLists(values), [
		{
			about: "microphone front",
			state: "broken",
			says: /correction vocabulary chinese is of zh-cmn-Hans-CN, and its language is en-US$/,
		},
		{
			about: "microphone front",
			state: "broken",
			says: /correction vocabulary all does not exist/,
		},
		{
			about: "endpoints",
			state: "warning",
			says: "correction vocabulary gone does not exist: it is left out",
		},
	]);
});

t.test("what another user's state holds is not known", async (t) => {
	const root = t.testdir({
		config: { "earshot.toml": microphone('forbidden_words_id = "rude"') },
		state: { "store.mdb": "no database" },
	});
	const environment = { EARSHOT_STATE_DIR: `${root}/state` };
	const { values } = loadConfig({ environment, root });
	t.match(await checkWordLists(values), [
		{
			state: "warning",
			says: /^those of the configuration can't be looked up/,
		},
	]);
});
