import assert from "node:assert";
import t from "tap";
import { ReceivedWordLists } from "../../runtime/engine/child/received-word-lists.js";
import type { ToEngine } from "../../runtime/engine/protocol.js";
import {
	SentWordLists,
	sentOptions,
} from "../../runtime/engine/sent-word-lists.js";
import { localDevice } from "../../runtime/session/lane-port.js";
import type { RecognitionOptions } from "../../runtime/session/options.js";
import type { WordList } from "../../runtime/words/word-list.js";
import { eventually } from "../fixtures/eventually.js";
import { eventsOf, fakeLane, options, order, textOf } from "./fake-lane.js";

function listOf(key: string, count: number): WordList {
	const entries = Array.from({ length: count }, (_, it) => `${key} word ${it}`);
	return { key, entries };
}

/** Sent and received word lists, connected in one process. */
function shelfAndChild(unitsMax?: number) {
	const sent: ToEngine[] = [];
	const child = new ReceivedWordLists();
	const shelf = new SentWordLists((message) => {
		sent.push(message);
		if (message.is === "word-list") child.accept(message);
		if (message.is === "forget-words") child.forget(message.keys);
	}, unitsMax);
	/** The options as the engine receives them, after everything sent before. */
	const open = (requested: RecognitionOptions) =>
		new Promise<RecognitionOptions>((resolve) => {
			const { hotwords, corrections = [], forbidden = [] } = requested;
			const lists = [...corrections, ...forbidden];
			if (hotwords) lists.unshift(hotwords.list);
			shelf.supply(lists, () =>
				resolve(child.optionsOf(structuredClone(sentOptions(requested)))),
			);
		});
	const pieces = () => sent.filter((it) => it.is === "word-list").length;
	const forgotten = () =>
		sent.flatMap((it) => (it.is === "forget-words" ? it.keys : []));
	return { open, pieces, forgotten, shelf, sent };
}

t.test("options arrive as they were sent", async (t) => {
	const { open } = shelfAndChild();
	const requested: RecognitionOptions = {
		...options,
		hotwords: { list: listOf("h", 3), weight: 0.7 },
		corrections: [listOf("c1", 2), listOf("c2", 1)],
		forbidden: [listOf("f", 1)],
	};
	t.strictSame(await open(requested), requested);
	t.strictSame(await open(options), options, "without any lists, too");
});

t.test("a list is sent once, and is one object there", async (t) => {
	const { open, pieces } = shelfAndChild();
	const hotwords = { list: listOf("h", 20_000), weight: 0.4 };
	const first = await open({ ...options, hotwords });
	const sentFirst = pieces();
	t.ok(sentFirst > 5, `${sentFirst} pieces`);
	t.same(first.hotwords?.list, hotwords.list);
	const copy = { ...hotwords, list: { ...hotwords.list } };
	const second = await open({ ...options, hotwords: copy });
	t.equal(second.hotwords?.list, first.hotwords?.list);
	t.equal(pieces(), sentFirst);
});

t.test("pieces are small, and let other work run in between", async (t) => {
	const { open, sent } = shelfAndChild();
	let turns = 0;
	const count = () => {
		turns++;
		if (!isDone) setImmediate(count);
	};
	let isDone = false;
	setImmediate(count);
	const long = "字".repeat(30);
	const entries = Array.from({ length: 20_000 }, (_, it) => `${it}${long}`);
	await open({
		...options,
		hotwords: { list: { key: "long", entries }, weight: 1 },
	});
	isDone = true;
	t.ok(turns >= 2, `${turns} turns`);
	for (const message of sent)
		if (message.is === "word-list")
			t.ok(message.entries.join("").length < 33 * 1024);
});

t.test(
	"the least recently used lists are dropped, in time and in order",
	async (t) => {
		const { open, pieces, forgotten } = shelfAndChild(3000);
		const use = (key: string) =>
			open({ ...options, hotwords: { list: listOf(key, 50), weight: 1 } });
		for (const key of ["a", "b", "a", "c"]) await use(key);
		t.same(forgotten(), ["b"]);
		t.equal(pieces(), 3);
		await use("a");
		t.equal(pieces(), 3, "still there");
		await use("b");
		t.equal(pieces(), 4, "sent again");
		t.same(forgotten(), ["b", "c"]);
		const many = ["d", "e", "f", "g"].map((key) => listOf(key, 50));
		const got = await open({ ...options, corrections: many });
		t.equal(
			got.corrections?.length,
			4,
			"lists named together are kept together",
		);
		t.same(forgotten().slice(2).sort(), ["a", "b"]);
	},
);

t.test(
	"openings keep their order while a big list is being sent",
	async (t) => {
		const { shelf, sent } = shelfAndChild(100);
		const done: string[] = [];
		shelf.supply([listOf("big", 200_000)], () => done.push("big"));
		shelf.supply([listOf("small", 1)], () => done.push("small"));
		shelf.supply([listOf("big", 200_000)], () => done.push("big again"));
		t.same(done, []);
		await eventually("all three", () => done.length === 3, {
			seen: () => done,
		});
		t.same(done, ["big", "small", "big again"]);
		t.ok(sent.length > 100);
		shelf.supply([], () => done.push("nothing"));
		t.equal(done.at(-1), "nothing", "at once");
	},
);

t.test(
	"an engine gets each list once, and the next engine again",
	async (t) => {
		const { lane, supervisor } = fakeLane(t, { slots: 4 });
		supervisor.start();
		const requested: RecognitionOptions = {
			...options,
			hotwords: { list: listOf("h", 10), weight: 1 },
			corrections: [listOf("c", 5)],
		};
		const transcribe = async (...commands: string[]) => {
			const recognition = await lane.open(requested, localDevice);
			order(recognition, ...commands);
			recognition.finish();
			return textOf(await eventsOf(recognition));
		};
		t.equal(await transcribe("words"), "words h=10 c=5 2");
		t.equal(await transcribe("words"), "words h=10 c=5 2");
		const flag = `${t.testdir()}/died`;
		t.equal(
			await transcribe(`die-once:${flag}`, "words"),
			"die-once words h=10 c=5 2",
			"a recognition that outlives its engine sends its lists again",
		);
		t.equal(supervisor.state.deaths, 1);
		t.equal(await transcribe("words"), "words h=10 c=5 2");
	},
);

t.test(
	"a recognition cancelled while its lists are being sent leaves nothing behind",
	async (t) => {
		const { lane, supervisor } = fakeLane(t, { slots: 1 });
		supervisor.start();
		const big = { ...options, corrections: [listOf("big", 300_000)] };
		const recognition = await lane.open(big, localDevice);
		recognition.write(Buffer.from("words"));
		recognition.cancel();
		t.same(await eventsOf(recognition), []);
		const engine = await supervisor.engine();
		t.equal(engine.recognitions, 0);
		const next = await lane.open(
			{ ...options, corrections: [listOf("c", 1)] },
			localDevice,
		);
		order(next, "words");
		next.finish();
		const text = textOf(await eventsOf(next));
		assert(text);
		t.match(text, /^words c=1 \d+$/);
	},
);
