import t from "tap";
import {
	afterDeath,
	afterUtterances,
	freshWork,
	isSuspicious,
	skipNote,
} from "../../runtime/tasks/work.js";
import { runningTasks } from "./running-tasks.js";

t.test("the fatal segment is left out, the rest is transcribed", async (t) => {
	const { submit, finished, textsOf, supervisor } = await runningTasks(t);
	const sentences = ["one", "two", "die", "four", "five", "six"];
	const id = await submit(sentences);
	const view = await finished(id);
	t.match(view, { state: "completed" });
	t.same(textsOf(id), ["one", "two", "four", "five", "six"]);
	t.equal(view.notes.length, 1);
	t.match(view.notes[0], /00:00:02,000 to 00:00:03,000/);
	t.equal(supervisor.state.deaths, 3);
});

t.test("two fatal segments, in two channels", async (t) => {
	const { submit, finished, textsOf } = await runningTasks(t, {
		fake: { limits: { backOffMs: 1 } },
	});
	const id = await submit(["die", "two", "three"], { channels: 2 });
	const view = await finished(id);
	t.equal(view.failure, undefined);
	t.same(textsOf(id).sort(), ["three", "three", "two", "two"]);
	t.match(view.notes, [/channel 1/, /channel 2/]);
});

t.test("a file over which an engine keeps failing fails", async (t) => {
	const { submit, finished, textsOf } = await runningTasks(t, {
		fake: { limits: { backOffMs: 1 } },
	});
	const bad = await submit({ sentences: ["fail 100003 broken"] });
	const good = await submit(["fine"]);
	const view = await finished(bad);
	t.equal(
		view.state,
		"completed",
		"a span that breaks is left out like one that kills",
	);
	t.match(view.notes, [/not transcribed/]);
	await finished(good);
	t.same(textsOf(good), ["fine"]);
});

t.test("a hung engine counts as a death", async (t) => {
	const { submit, finished, textsOf } = await runningTasks(t, {
		fake: { answerMsMax: 1500, limits: { backOffMs: 1 } },
	});
	const id = await submit(["one", "hang", "three"]);
	await finished(id);
	t.same(textsOf(id), ["one", "three"]);
});

const span = (second: number, channel: 1 | 2 = 1) => ({
	channel,
	startSample: second * 16_000,
	endSample: (second + 1) * 16_000,
});

t.test("deaths without any tried span end a task at the third", async (t) => {
	let verdict = afterDeath(freshWork(1), []);
	t.equal(verdict.is, "go-on");
	verdict = afterDeath(verdict.work, []);
	t.equal(verdict.is, "go-on");
	t.equal(afterDeath(verdict.work, []).is, "give-up");
});

t.test("recognized spans are no longer suspects", async (t) => {
	const died = afterDeath(freshWork(2), [span(0), span(1)]).work;
	t.ok(isSuspicious(died));
	const resume = { sample: 16_000, index: 2 };
	const after = afterUtterances(
		died,
		{ is: "heard", channel: 1, utterances: [], resume },
		5,
	);
	t.same(
		after.suspects.map((it) => it.stretch),
		[span(1)],
	);
	t.equal(after.deathsInVain, 0);
	t.same(after.resume, [resume, { sample: 0, index: 1 }]);
});

t.test("a span that is cut slightly differently is the same one", async (t) => {
	const shifted = { ...span(0), startSample: 4000 };
	let work = afterDeath(freshWork(1), [span(0)]).work;
	work = afterDeath(work, [shifted]).work;
	work = afterDeath(work, [span(0)]).work;
	t.same(work.skip, [span(0)]);
	t.same(work.suspects, []);
});

t.test(
	"an engine that dies of everything does not get work for ever",
	async (t) => {
		let work = freshWork(1);
		for (let second = 0; ; second++) {
			let verdict = afterDeath(work, [span(second)]);
			for (let death = 1; death < 3; death++)
				verdict = afterDeath(verdict.work, [span(second)]);
			work = verdict.work;
			if (verdict.is === "give-up") break;
			t.ok(second < 30);
		}
		t.equal(work.skip.length, 21);
	},
);

t.test("a note says what is missing, and in which channel", async (t) => {
	const code = (ms: number) => `${ms} ms`;
	t.match(skipNote(span(2), 1, code), /: 2000 ms to 3000 ms/);
	t.match(skipNote(span(2, 2), 2, code), /of channel 2: 2000 ms/);
});
