import { exec } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import { ffmpegMissing } from "../ffmpeg/encoded.js";
import { eventually } from "../fixtures/eventually.js";
import { repository } from "./running-appliance.js";
import { sharedAppliance } from "./shared-appliance.js";

const page = readFileSync(join(repository, "docs/files.md"), "utf8");

/** Commands of the page's sh blocks in their order; a backslash joins lines. */
const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap((block) =>
	(block[1] ?? "")
		.replace(/\\\n\s*/g, "")
		.split("\n")
		.filter((line) => line.trim() !== ""),
);

const skip = await ffmpegMissing();

t.test(
	"every command of docs/files.md does what it says",
	{ skip },
	async (t) => {
		const earshot = await sharedAppliance();
		const env = { ...process.env, TOKEN: earshot.token };
		const run = async (command: string) => {
			const here = command
				.replaceAll("http://127.0.0.1:7100", earshot.url)
				.replaceAll("/tmp/", `${earshot.stateDir}/`);
			return (await promisify(exec)(here, { cwd: repository, env })).stdout;
		};
		const [upload, result, srt, list, remove] = commands;
		t.equal(commands.length, 5);
		await run(upload as string);
		const taken = JSON.parse(
			readFileSync(join(earshot.stateDir, "task.json"), "utf8"),
		);
		t.match(taken, { status: "000000", data: { task_id: /^[0-9a-f]{32}$/ } });
		const shown = /"duration": (\d+)/.exec(page)?.[1];
		t.equal(
			taken.data.duration,
			Number(shown),
			"the duration that the page shows",
		);
		let answer = JSON.parse(await run(result as string));
		await eventually(
			"the result",
			async () => {
				if (answer.data.result) return true;
				t.match(answer.data.desc, /^(Queued|Transcribing)$/);
				answer = JSON.parse(await run(result as string));
				return false;
			},
			{ seen: () => answer },
		);
		t.match(answer.data.result?.[0], { seg_num: 1, transcript: /\w+ \w+/ });
		t.match(await run(srt as string), /^1\r?\n00:00:/);
		t.match(JSON.parse(await run(list as string)), {
			data: [{ task_id: taken.data.task_id, desc: "Completed" }],
			statistics: { count: 1 },
		});
		t.match(JSON.parse(await run(remove as string)), { status: "000000" });
		t.match(JSON.parse(await run(result as string)), { status: "220404" });
	},
);
