/** The word lists of a file that was accepted, while their owner goes on changing them. */
import t, { type Test } from "tap";
import { fakeLane } from "../engine/fake-lane.js";
import { eventually } from "../fixtures/eventually.js";
import { vocabularies } from "../words/vocabularies.js";
import { type Changes, runningTasks } from "./running-tasks.js";

const entriesMax = 20_000;

/** Tasks, and the entries of each job that is opened. */
async function tasksWith(t: Test, changes: Changes) {
	const { lane } = fakeLane(t);
	const jobs: (readonly (readonly string[])[])[] = [];
	const running = await runningTasks(t, {
		...changes,
		lane: {
			openJob: (wanted, signal) => {
				if (wanted.is === "hear")
					jobs.push(wanted.options.corrections?.map((it) => it.entries) ?? []);
				return lane.openJob(wanted, signal);
			},
		},
	});
	return { ...running, jobs };
}

t.test(
	"vocabularies that grow beyond the limits of a request do not fail a file that waits",
	async (t) => {
		const { words, write } = vocabularies();
		const ids = ["c1", "c2", "c3", "c4", "c5", "c6", "c7"];
		for (const id of ids) write(id, [`${id},right`]);
		const { submit, finished, gate, tasks, jobs } = await tasksWith(t, {
			words,
		});
		const { sentence, open } = gate();
		const first = await submit([sentence]);
		const id = await submit(["one"], { correctionWordsId: "all" });
		const many = Array.from({ length: entriesMax }, (_, it) => `w${it},r`);
		for (const id of ids) write(id, many);
		open();
		t.match(await finished(first), { state: "completed" });
		t.match(await finished(id), { state: "completed", failure: undefined });
		t.same(
			jobs.at(-1)?.map((it) => it.length),
			[1, 2, 3, 4, 5].map(() => entriesMax),
			"what a request may have",
		);
		t.match(tasks.find(id)?.notes, [
			/^correction_words_id: 2 of 7 lists not used/,
		]);
	},
);

t.test("a file goes on with the words that it began with", async (t) => {
	const { words, write } = vocabularies();
	write("c1", ["before,right"]);
	const first = await tasksWith(t, { words });
	const { sentence, open } = first.gate();
	const sentences = ["one", "two", "three", "four", sentence];
	const id = await first.submit(sentences, { correctionWordsId: "c1" });
	await eventually("a stored sentence", () => {
		const [utterance] = first.store.work.utterances(id, 1);
		return utterance;
	});
	await first.close();
	write("c1", ["after,right"]);
	const second = await tasksWith(t, { words, dir: first.dir });
	open();
	t.match(await second.finished(id), { state: "completed", notes: [] });
	t.same(
		[...first.jobs, ...second.jobs],
		[[["before,right"]], [["before,right"]]],
	);
	await eventually(
		"the words to be removed",
		() => second.store.work.words(id) === undefined,
	);
});

t.test("an empty vocabulary is in use while a file waits", async (t) => {
	const { words, usage, write } = vocabularies();
	const ref = { kind: "correction-words", id: "c1" } as const;
	write("c1", []);
	const { submit, finished, gate, tasks, jobs } = await tasksWith(t, { words });
	const { sentence, open } = gate();
	await submit([sentence]);
	const id = await submit(["one"], { correctionWordsId: "c1" });
	t.ok(usage.isUsed(ref));
	t.equal(usage.tasksOf(ref), 1);
	t.equal(usage.beginRemoval(ref), undefined, "it can't be deleted");
	write("c1", ["wrong,right"]);
	open();
	t.match(await finished(id), { state: "completed" });
	t.same(jobs.at(-1), [["wrong,right"]]);
	t.notOk(usage.isUsed(ref));
	t.ok(await tasks.remove(id));
});

t.test("lists of each language that may have been spoken count", async (t) => {
	const { words, usage, write } = vocabularies();
	const language = "zh-cmn-Hans-CN";
	write("zh", ["爆猫,豹猫"], { language });
	write("en", ["wrong,right"]);
	const { submit, finished, gate, jobs } = await tasksWith(t, { words });
	const { sentence, open } = gate();
	await submit([sentence]);
	const listLanguages = [language, "en-US"] as const;
	const wanted = { language: "en-US", listLanguages } as const;
	const named = await submit(["one"], { ...wanted, correctionWordsId: "zh" });
	const all = await submit(["two"], { ...wanted, correctionWordsId: "all" });
	t.equal(usage.tasksOf({ kind: "correction-words", id: "zh" }), 2);
	t.equal(usage.tasksOf({ kind: "correction-words", id: "en" }), 1);
	open();
	for (const id of [named, all])
		t.match(await finished(id), { state: "completed", failure: undefined });
	t.same(jobs.slice(1), [
		[["爆猫,豹猫"]],
		[["wrong,right"], ["爆猫,豹猫"]], // its own language first
	]);
	await t.rejects(
		submit(["three"], { correctionWordsId: "zh" }),
		/zh is zh-cmn-Hans-CN$/,
		"where the language was given, only those of it",
	);
});
