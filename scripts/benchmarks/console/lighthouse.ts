/** Lighthouse on every page, as it judges a telephone: a simulated slow network and a processor slowed four times. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import type { RunningAppliance } from "../../../test/e2e/running-appliance.js";
import { eventually } from "../../../test/fixtures/eventually.js";
import { folderWithPackages } from "../../../test/fixtures/npm-packages.js";
import { judged, type Measurement } from "../report.js";

const packageName = "lighthouse@12.8.2";
const categories = ["performance", "accessibility", "best-practices"] as const;
const performanceMin = 95;
const transcriptMsMax = 60_000;

type Run = (
	url: string,
	flags: {
		readonly port: number;
		readonly logLevel: "error";
		readonly onlyCategories: readonly string[];
	},
) => Promise<{
	readonly lhr: {
		readonly categories: Readonly<
			Record<string, { readonly score: number | null }>
		>;
	};
}>;

export const lighthousePages: readonly string[] = [
	"live",
	"files",
	"words",
	"device",
	"access",
	"api",
	"transcript",
];

interface LighthouseOptions {
	readonly port: number;
	readonly runs: number;
	/** Of `lighthousePages`. */
	readonly pages: readonly string[];
}

/** @param page is signed in. @param port at which its browser is asked. @param runs of each page; the best counts, other load only lowers it. */
export async function lighthouse(
	page: Page,
	earshot: RunningAppliance,
	{ port, runs, pages }: LighthouseOptions,
): Promise<readonly Measurement[]> {
	const folder = await folderWithPackages("lighthouse", [packageName]);
	if (!folder) throw new Error(`no npm package ${packageName}`);
	const main = join(folder, "node_modules/lighthouse/core/index.js");
	const { default: run } = (await import(pathToFileURL(main).href)) as {
		readonly default: Run;
	};
	const task = await transcribed(earshot);
	await page.goto("about:blank");
	const measurements: Measurement[] = [];
	for (const name of pages) {
		const place = name === "transcript" ? `files/${task}` : name;
		const seen: number[][] = [];
		for (let i = 0; i < runs; i++) {
			const { lhr } = await run(`${earshot.url}/console/#/${place}`, {
				port,
				logLevel: "error",
				onlyCategories: categories,
			});
			seen.push(
				categories.map((it) =>
					Math.round((lhr.categories[it]?.score ?? 0) * 100),
				),
			);
		}
		const [performance = 0, ...others] = categories.map((_, i) =>
			Math.max(...seen.map((scores) => scores[i] ?? 0)),
		);
		measurements.push({
			what: `console: Lighthouse, ${name}, best of ${runs}: performance (throttled) / accessibility / best practices`,
			earshot: [performance, ...others].join(" / "),
			goal: judged(
				`>= ${performanceMin} / 100 / 100`,
				performance >= performanceMin && others.every((it) => it === 100),
			),
		});
	}
	return measurements;
}

async function transcribed({ url, token }: RunningAppliance): Promise<string> {
	const headers = { authorization: `Bearer ${token}` };
	const form = new FormData();
	form.set("lang_type", "en-US");
	form.set("format", "wav");
	form.set("enable_words", "true");
	const bytes = readFileSync("test/clips/en-librivox-0870.wav");
	form.set("file", new Blob([bytes]), "clip.wav");
	const answer = await fetch(`${url}/v1/asrfile/upload`, {
		method: "POST",
		headers,
		body: form,
	});
	const { data } = (await answer.json()) as { data: { task_id: string } };
	await eventually(
		"a transcript",
		async () => {
			const path = `/v1/asrfile/result?task_id=${data.task_id}`;
			const response = await (await fetch(url + path)).json();
			return "result" in (response as { data: object }).data;
		},
		{ deadlineMs: transcriptMsMax },
	);
	return data.task_id;
}
