/** What the lists of a file that is written without punctuation do: its sentences are recognized with marks, which are left out of the result. */
import t from "tap";
import type { FileOptions } from "../../runtime/tasks/file-options.js";
import { recognitionJobOf } from "../../runtime/tasks/wanted-jobs.js";
import { freshWork } from "../../runtime/tasks/work.js";
import {
	fileOf,
	pcmOf,
	transcribe,
	utterancesIn,
} from "../engine/recognized-file.js";
import { compose, optionsOf } from "../result/utterances.js";
import { madeHypothesis } from "../session/made-utterances.js";

const words = {
	forbidden: [{ key: "forbidden", entries: ["oh my god"] }],
	corrections: [{ key: "corrections", entries: ["air shot,earshot"] }],
};

async function textsOf(t: { testdir(): string }, about: Partial<FileOptions>) {
	const options = optionsOf("en-US", about);
	const path = fileOf(t, pcmOf(new Float32Array(32_000).fill(0.9)));
	const job = recognitionJobOf(path, options, words, freshWork(1));
	const spoken = ["Oh,", "my", "god,", "air,", "shot."];
	const { events } = await transcribe(path, {
		options: job.options,
		recognize: () =>
			madeHypothesis(spoken.join(" "), {
				words: spoken.map((text, i) => ({
					text,
					startSeconds: i / 5,
					endSeconds: (i + 1) / 5,
					kind: "normal",
					confidence: 0.9,
				})),
			}),
	});
	return (await compose(options, [utterancesIn(events)])).texts;
}

t.test("they obey the text as it is shown", async (t) => {
	t.same(await textsOf(t, { output: "subtitle" }), ["** ** *** earshot"]);
	t.same(await textsOf(t, { output: "text", punctuation: false }), [
		"** ** *** earshot",
	]);
	t.same(await textsOf(t, { output: "text" }), ["Oh, my god, air, shot."]);
});

t.test(
	"only files with lists ask for it: an older device of the site does not know it",
	(t) => {
		const options = optionsOf("en-US", { output: "subtitle" });
		const job = recognitionJobOf("", options, {}, freshWork(1));
		t.notOk("listsIgnoreMarks" in job.options);
		t.end();
	},
);
