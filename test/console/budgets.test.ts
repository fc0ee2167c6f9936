/** How much of the console a browser loads, and what serving it costs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import {
	ConsoleAssets,
	type ConsoleBundle,
} from "../../runtime/api/console/assets.js";
import { repository } from "../e2e/running-appliance.js";

const bundle: ConsoleBundle = JSON.parse(
	readFileSync(join(repository, "build/console.json"), "utf8"),
);
const kilobyte = 1000;

function bytesOf(name: string): number {
	return Buffer.from(bundle.files[name]?.gzip ?? "", "base64").length;
}

async function textOf(name: string): Promise<string> {
	const assets = new ConsoleAssets(bundle);
	const answer = await assets.answer(name, { header: () => undefined });
	if (!answer || typeof answer.body === "string") throw new Error(name);
	let text = "";
	for await (const piece of answer.body.pieces())
		text += Buffer.from(piece).toString();
	return text;
}

function nameOf(part: string): string {
	const pattern = new RegExp(`^${part}-\\w+\\.js$`);
	return Object.keys(bundle.files).find((it) => pattern.test(it)) ?? "";
}

/** A file and all that it loads at once. */
async function loadedWith(name: string, known = new Set<string>()) {
	if (known.has(name)) return known;
	known.add(name);
	const text = await textOf(name);
	const pattern = name.endsWith(".html")
		? /(?:src|href)="(?!data:)([^"]+)"/g
		: /(?:from|import)\s?"\.\/([^"]+)"/g;
	for (const [, other = ""] of text.matchAll(pattern))
		await loadedWith(other, known);
	return known;
}

t.test("sizes, compressed", async (t) => {
	const sum = (names: Iterable<string>) =>
		[...names].reduce((all, name) => all + bytesOf(name), 0);
	const first = await loadedWith("index.html");
	t.ok(first.size >= 4, [...first].join());
	t.ok(sum(first) <= 60 * kilobyte, `first load: ${sum(first)} bytes`);
	const pages = Object.keys(bundle.files).filter((it) =>
		/^(live|files|words|device|access|api)-/.test(it),
	);
	t.equal(pages.length, 6);
	const chart = Object.keys(bundle.files).filter((it) => /^chart-/.test(it));
	t.equal(chart.length, 1, "the chart is loaded after its page");
	for (const page of [...pages, ...chart]) {
		const added = [...(await loadedWith(page))].filter((it) => !first.has(it));
		t.ok(sum(added) <= 60 * kilobyte, `${page}: ${sum(added)} bytes`);
	}
	const all = sum(Object.keys(bundle.files));
	t.ok(all <= 1000 * kilobyte, `all: ${all} bytes`);
});

t.test(
	"what is asked for ahead is what is needed, and nothing else",
	async (t) => {
		const main = nameOf("main");
		const atFirst = await loadedWith(main);
		const html = await textOf("index.html");
		const preloaded = html.matchAll(/modulepreload" href="([^"]+)"/g);
		t.same(
			new Set([main, ...[...preloaded].map(([, name]) => name)]),
			atFirst,
			"beside the main part, its own parts",
		);
		const ahead = await textOf(nameOf("ahead"));
		for (const page of ["live", "files", "words", "device", "access", "api"]) {
			const [, named = ""] =
				new RegExp(`\\b${page}:\\[([^\\]]*)\\]`).exec(ahead) ?? [];
			const added = [...(await loadedWith(nameOf(page)))].filter(
				(it) => !atFirst.has(it),
			);
			t.same(new Set(JSON.parse(`[${named}]`)), new Set(added), page);
		}
	},
);

t.test("nothing in it names another host", async (t) => {
	for (const name of Object.keys(bundle.files)) {
		const hosts = (await textOf(name)).match(/https?:\/\/[\w.-]+/g) ?? [];
		const foreign = hosts.filter((it) => !/w3\.org$|127\.0\.0\.1$/.test(it));
		t.same(foreign, [], name);
	}
});

t.test("an answer is made from memory, without any work", async (t) => {
	const assets = new ConsoleAssets(bundle);
	const header = (name: string) =>
		name === "accept-encoding" ? "gzip" : undefined;
	for (const name of Object.keys(bundle.files)) {
		const answers = [await assets.answer(name, { header })];
		answers.push(await assets.answer(name, { header }));
		const [one, other] = await Promise.all(
			answers.map(async (it) => {
				const pieces: unknown[] = [];
				if (it && typeof it.body !== "string")
					for await (const piece of it.body.pieces()) pieces.push(piece);
				return pieces;
			}),
		);
		t.equal(one?.length, 1);
		t.equal(one?.[0], other?.[0], "the same bytes, not copied or compressed");
	}
});
