import { exec } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { startApi } from "../api/running-api.js";
import { repository } from "./running-appliance.js";

const page = readFileSync(join(repository, "docs/word-lists.md"), "utf8");

/** Commands of the page's sh blocks in their order; a backslash joins lines. */
const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap((block) =>
	(block[1] ?? "")
		.replace(/\\\n\s*/g, "")
		.split("\n")
		.filter((line) => line.trim() !== ""),
);

t.test("every command of docs/word-lists.md does what it says", async (t) => {
	const api = await startApi(t);
	const env = {
		...process.env,
		TOKEN: await api.makeToken(["asr", "hotwords"]),
		EARSHOT_STATE_DIR: t.testdirName,
	};
	const answers: { message: string; data: unknown }[] = [];
	for (const command of commands) {
		const here = command
			.replaceAll("http://127.0.0.1:7100", api.url)
			.replaceAll("/tmp/", `${t.testdirName}/`);
		const { stdout } = await promisify(exec)(here, { cwd: repository, env });
		if (!command.startsWith("curl")) continue;
		if (command.includes("/download/")) {
			t.equal(stdout, "writing\nearshot\nWhisper base\n");
			continue;
		}
		const answer = JSON.parse(stdout) as (typeof answers)[number];
		t.match(answer, { status: "000000" }, command);
		answers.push(answer);
	}
	const shown = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
	t.same(answers[0], JSON.parse(shown), "the answer that the page shows");
	t.match(
		api.lane.options,
		{
			hotwords: { weight: 0.6, list: { entries: ["earshot", "Whisper base"] } },
			corrections: [{ entries: ["air shot|ear shot,earshot"] }],
			forbidden: [{ entries: ["darn"] }],
		},
		"the recognition got what was asked for",
	);
	t.same(
		answers.slice(-5).map((it) => it.data),
		[{ id: "products" }, { id: "products" }, 3, 2, null],
	);
});
