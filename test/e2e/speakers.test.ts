/** `clusters` through the whole appliance: two readers who take turns, uploaded, told apart, polled. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { eventually } from "../fixtures/eventually.js";
import { repository } from "./running-appliance.js";
import { sharedAppliance } from "./shared-appliance.js";

const clips = [
	"en-librivox-0870",
	"ja-kokoro-meeting",
	"en-librivox-0920",
] as const;

interface Segment {
	readonly begin: string;
	readonly transcript: string;
	readonly cluster_id?: number;
	readonly overlap_cluster_ids?: readonly number[];
}

/** One after the other, as MP3. */
function talk(folder: string): Buffer {
	const path = join(folder, "talk.mp3");
	execFileSync("ffmpeg", [
		...["-v", "error"],
		...clips.flatMap((it) => ["-i", join(repository, `test/clips/${it}.wav`)]),
		...["-filter_complex", `concat=n=${clips.length}:v=0:a=1`, path],
	]);
	return readFileSync(path);
}

/** The first clip, and from its fifth second on the second one behind it. */
function interrupted(folder: string): Buffer {
	const path = join(folder, "interrupted.mp3");
	const [first, second] = clips.map((it) =>
		join(repository, `test/clips/${it}.wav`),
	) as [string, string];
	const mix =
		"[1:a]volume=0.3,adelay=4000[late];[0:a][late]amix=inputs=2:normalize=0";
	execFileSync("ffmpeg", [
		...["-v", "error", "-i", first, "-i", second],
		...["-filter_complex", mix, path],
	]);
	return readFileSync(path);
}

t.test("who speaks is told, with the number and without", async (t) => {
	const earshot = await sharedAppliance();
	const folder = t.testdir();
	const bytes = talk(folder);
	const authorization = `Bearer ${earshot.token}`;

	const transcribe = async (
		fields: Record<string, string>,
		content = bytes,
	) => {
		const form = new FormData();
		for (const [name, value] of Object.entries(fields)) form.set(name, value);
		form.set("lang_type", "en-US");
		form.set("format", "mp3");
		form.set("file", new Blob([content]), "talk.mp3");
		const answer = await fetch(`${earshot.url}/v1/asrfile/upload`, {
			method: "POST",
			headers: { authorization },
			body: form,
		});
		const accepted = (await answer.json()) as { data: { task_id: string } };
		const poll = async () => {
			const polled = await fetch(
				`${earshot.url}/v1/asrfile/result?task_id=${accepted.data.task_id}`,
			);
			return (await polled.json()) as {
				status: string;
				data: { result?: Segment[]; statistics?: object };
			};
		};
		return eventually("the result", async () => (await poll()).data.result, {
			deadlineMs: 250_000,
		});
	};

	const segments = await transcribe({ clusters: "0" });
	const speakers = segments.map((it) => it.cluster_id);
	t.same([...new Set(speakers)], [1, 2]);
	t.equal(speakers[0], 1);
	t.equal(speakers.at(-1), 1);
	const changes = speakers.filter((it, i) => i > 0 && it !== speakers[i - 1]);
	t.equal(changes.length, 2, speakers.join(" "));
	const first = segments.filter((it) => it.cluster_id === 1);
	t.match(first.map((it) => it.transcript).join(" "), /Dashwood.*amiable/is);

	const both = await transcribe({ clusters: "2" }, interrupted(folder));
	for (const { cluster_id, overlap_cluster_ids } of both)
		t.notOk(overlap_cluster_ids?.includes(cluster_id as number));
	const beside = both.flatMap((it) => it.overlap_cluster_ids ?? []);
	t.ok(beside.length > 0, JSON.stringify(both));
	t.ok(beside.every((it) => it === 1 || it === 2));
});
