/** A stored list that is changed reaches the microphones that name it. */
import t, { type Test } from "tap";
import { wordsOf } from "../../runtime/appliance/standing-microphones.js";
import { loadConfig } from "../../runtime/config/load.js";
import { loggerTo } from "../../runtime/log/log.js";
import { Microphones } from "../../runtime/microphones/microphones.js";
import type { ListReferences } from "../../runtime/session/options.js";
import { openStore } from "../../runtime/store/open-store.js";
import { WordLists } from "../../runtime/word-lists/word-lists.js";
import type { ListKind } from "../../runtime/words/list-key.js";
import { FakeLane } from "../api/fake-lane.js";
import { listeningLog, options } from "../engine/fake-lane.js";
import { until } from "../fixtures/eventually.js";
import { vocabularies } from "../words/vocabularies.js";
import { fakeMicrophone } from "./fake-source.js";
import { turn } from "./microphone-checks.js";

/** A microphone with these references, whose device records. */
async function recording(
	t: Test,
	named: Omit<ListReferences, "hotwordsWeight">,
) {
	const store = await openStore({ dir: t.testdir(), as: "visit" });
	const lane = new FakeLane();
	const references = { hotwordsWeight: 0.4, ...named };
	const words = new WordLists({
		store,
		categories: [],
		corrections: { bytesMax: 4096, wrongFormsMax: 100 },
		lane,
		microphones: () => [
			{ id: "front", room: "", language: "en-US", references },
		],
		renewMicrophone: (id) => microphones.renew(id),
		log: loggerTo({ write: () => {} }, "fatal"),
	});
	const front = fakeMicrophone(lane, {
		options: () => ({
			...options,
			keepsWhole: false,
			streamed: true,
			...words.source.resolve(references, "en-US"),
		}),
	});
	const microphones = new Microphones(
		() => [front.microphone],
		async () => {},
	);
	t.teardown(async () => {
		await microphones.stop();
		await words.close();
		await store.close();
	});
	const service = (kind: ListKind) => {
		const found = words.services.find((it) => it.kind.kind === kind);
		if (!found) throw new Error(kind);
		return found;
	};
	const create = (kind: ListKind, id: string, entries: readonly string[]) =>
		service(kind).create({
			id,
			name: "",
			language: "en-US",
			owner: "token:tester",
			given: { words: entries, extract: false },
		});
	return { front, lane, service, create };
}

const given = (...words: string[]) => ({ words, extract: false });

t.test("changed entries count with the next sentence", async (t) => {
	const { front, lane, service, create } = await recording(t, {
		hotwordsId: "names",
	});
	const hotwords = service("hotwords");
	await create("hotwords", "names", ["Dashwood"]);
	front.opened();
	await turn();
	const first = lane.last;
	const entries = () => lane.options?.hotwords?.list.entries;
	t.same(entries(), ["Dashwood"]);

	await hotwords.add("names", given("Willoughby"));
	t.ok(first.finished, "earlier speech gets its final");
	await until(() => lane.last !== first);
	t.same(entries(), ["Dashwood", "Willoughby"]);

	const second = lane.last;
	await hotwords.modify("names", "Another name", undefined);
	await hotwords.removeEntries("names", ["Nobody"]);
	await hotwords.add("names", given(" Dashwood"));
	await hotwords.modify("names", undefined, given("Dashwood", "Willoughby"));
	await create("hotwords", "others", ["Ferrars"]);
	await hotwords.add("others", given("Steele"));
	t.notOk(second.finished, "nothing of what it names has changed");
});

t.test("with all, a new list counts at once", async (t) => {
	const { front, lane, create } = await recording(t, {
		correctionWordsId: "all",
	});
	front.opened();
	await turn();
	const first = lane.last;
	t.notOk("corrections" in (lane.options ?? {}));
	await create("correction-words", "spelling", ["air shot,earshot"]);
	await until(() => lane.last !== first);
	t.match(lane.options?.corrections, [{ entries: ["air shot,earshot"] }]);
});

t.test("lists that grow too large leave a microphone its words", async (t) => {
	const { words, write } = vocabularies();
	const many = Array.from({ length: 20_000 }, (_, it) => `w${it},r`);
	for (const id of ["c1", "c2", "c3", "c4", "c5", "c6"]) write(id, many);
	const { values } = loadConfig({
		environment: {},
		root: t.testdir({
			config: {
				"earshot.toml": `[[microphone]]
id = "front"
correction_words_id = "all"
`,
			},
		}),
	});
	const [front] = values.microphone;
	if (!front) throw new Error("no microphone");
	const warnings: string[] = [];
	const log = listeningLog(({ message }) => warnings.push(message));
	const { corrections } = wordsOf(front, "en-US", undefined, { words, log });
	t.equal(corrections?.length, 5, "those that fit");
	t.match(warnings, [/^correction_words_id: 1 of 6 lists not used/]);
});
