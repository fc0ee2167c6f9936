/** docs/interface.md, with docs/additions.md, beside what the server is made of: endpoints, status codes, options and their defaults, both ways. */
import { type TSchema, Type } from "@sinclair/typebox";
import t from "tap";
import {
	recognizerOptions,
	transcriberOptions,
} from "../../runtime/api/live/live-options.js";
import { errorTable, successStatus } from "../../runtime/errors.js";
import { AudioLinks } from "../../runtime/recordings/audio-links.js";
import { switches } from "../../runtime/session/options.js";
import {
	sharedOptions,
	shortHttpOptions,
} from "../../runtime/session/request-options.js";
import { uploadSchemas } from "../../runtime/tasks/intake/upload-options.js";
import { startFiles } from "../files/running-files.js";
import { textOf } from "./pages.js";

const page = textOf("docs/interface.md");
const withAdditions = page + textOf("docs/additions.md");
const all = withAdditions + textOf("docs/decisions.md");

t.test("every endpoint is on the pages, and no other", async (t) => {
	const files = await startFiles(t, {
		links: new AudioLinks(Buffer.alloc(32, 7)),
	});
	const token = await files.makeToken(["asr"]);
	const answer = await fetch(`${files.url}/v1/openapi.json`, {
		headers: { Authorization: `Bearer ${token}` },
	});
	const { paths } = (await answer.json()) as {
		paths: Record<string, Record<string, { readonly summary: string }>>;
	};
	const served = Object.entries(paths).flatMap(([path, operations]) =>
		path.startsWith("/v1/") || path.startsWith("/platform/")
			? Object.entries(operations).map(([method, { summary }]) => ({
					path,
					endpoint: `${method.toUpperCase()} ${path}`,
					isSocket: summary.startsWith("WebSocket"),
				}))
			: [],
	);
	t.ok(served.length > 25, `${served.length} endpoints`);
	const missing = served.filter(({ path, endpoint, isSocket }) =>
		isSocket ? !names(withAdditions, path) : !isOnPage(endpoint),
	);
	t.same(missing, []);
	const known = new Set(served.map(({ endpoint }) => endpoint));
	const written = [
		...withAdditions.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]*)`/g),
	];
	t.same(
		written.flatMap(([, endpoint = ""]) =>
			known.has(endpoint) ? [] : endpoint,
		),
		[],
	);
});

t.test("every status code is on the pages, and no other", async (t) => {
	const codes = new Set([successStatus, ...Object.keys(errorTable)]);
	const written = new Set(all.match(/(?<![\w.])\d{6}(?![\w.])/g));
	t.same([...written].sort(), [...codes].sort());
});

t.test("the table of errors is the one in the code", async (t) => {
	const written = tableRows(section("7")).flatMap(
		([statuses = "", http = ""]) =>
			statuses.split(", ").map((status) => `${status} ${http}`),
	);
	const coded = Object.entries(errorTable).map(
		([status, { http }]) => `${status} ${http}`,
	);
	t.same(written.sort(), [`${successStatus} 200`, ...coded].sort());
	const closes = [...section("7").matchAll(/\b(10\d\d)\b[^;]*?\(([\d, ]+)\)/g)];
	const byClose = new Map(
		closes.map(([, close = "", statuses = ""]) => [
			close,
			statuses.split(", "),
		]),
	);
	for (const close of ["1011", "1013"])
		t.same(
			byClose.get(close),
			Object.entries(errorTable)
				.filter(([, { wsClose }]) => String(wsClose) === close)
				.map(([status]) => status),
			`closed with ${close}`,
		);
});

t.test("every option is where it belongs, and no other", async (t) => {
	const upload = own({
		...uploadSchemas.standard.properties,
		...uploadSchemas.vip.properties,
	});
	const inTables = {
		"2.3": sharedOptions,
		"4.2": own(recognizerOptions.properties),
		"4.4": { ...upload, file: true },
	};
	for (const [number, options] of Object.entries(inTables)) {
		const text = section(number);
		const missing = Object.keys(options).filter((it) => !names(text, it));
		t.same(missing, [], `missing in ${number}`);
		const unknown = [...optionRows(text).keys()].filter(
			(it) => !(it in options),
		);
		t.same(unknown, [], `nobody knows in ${number}`);
	}
	for (const name of Object.keys(own(shortHttpOptions.properties)))
		t.ok(names(section("4.3"), name), `4.3: ${name}`);
	for (const { request } of Object.values(switches))
		t.ok(names(section("2.3"), request), request);
	const notTranscribers = Object.keys(recognizerOptions.properties).filter(
		(it) => !(it in transcriberOptions.properties),
	);
	t.same(notTranscribers.sort(), ["duration", "max_suffix_silence"]);
	for (const name of notTranscribers) t.ok(names(section("10"), name), name);
});

t.test("defaults and ranges are those of the checks", async (t) => {
	const tables: Record<string, Record<string, TSchema>> = {
		"2.3": sharedOptions,
		"4.2": recognizerOptions.properties,
		"4.4": uploadSchemas.standard.properties,
	};
	for (const [number, options] of Object.entries(tables))
		for (const [name, { usual, meaning }] of optionRows(section(number))) {
			const schema: TSchema = options[name] ?? Type.Unknown();
			const { default: real, minimum, maximum } = schema;
			if (real !== undefined) t.equal(usual, String(real), `${name}: ${real}`);
			if (minimum === undefined || maximum === undefined) continue;
			const numbers = meaning.match(/-?\d+(\.\d+)?/g)?.map(Number) ?? [];
			t.ok(numbers.includes(minimum), `${name} from ${minimum}`);
			t.ok(numbers.includes(maximum), `${name} to ${maximum}`);
		}
});

/** What is not, or not so, in section 2.3. */
function own(options: Record<string, TSchema>): Record<string, TSchema> {
	const shared: Record<string, TSchema> = sharedOptions;
	return Object.fromEntries(
		Object.entries(options).filter(
			([name, schema]) => checkOf(schema) !== checkOf(shared[name]),
		),
	);
}

function checkOf(schema: TSchema | undefined): string | undefined {
	return schema && JSON.stringify({ ...schema, description: undefined });
}

/** Those of correction vocabularies and forbidden words are told once, as "the same" of hotwords. */
function isOnPage(endpoint: string): boolean {
	if (names(withAdditions, endpoint)) return true;
	const found = /(\/v1\/(correction|forbidden)-words)/.exec(endpoint);
	if (!found) return false;
	const [, base = "", kind = ""] = found;
	const alike = endpoint
		.replace(base, "/v1/hotwords")
		.replace(`{${kind}_words_id}`, "{hotwords_id}");
	return (
		names(page, base) && names(page, `{${kind}_words_id}`) && names(page, alike)
	);
}

/** In code, alone or before something else. */
function names(text: string, what: string): boolean {
	return [...text.matchAll(/`([^`\n]+)`/g)].some(
		([, code]) => code === what || code?.endsWith(`}${what}`),
	);
}

/** From its heading to the next one. */
function section(number: string): string {
	const start = page.search(
		new RegExp(`^#+ ${number.replace(".", "\\.")}\\.? `, "m"),
	);
	if (start < 0) throw new Error(`no section ${number}`);
	return page.slice(start).split(/\n(?=#)/)[0] ?? "";
}

/** Cells of all tables but their heads. */
function tableRows(text: string): string[][] {
	return text
		.split("\n")
		.filter((it) => it.startsWith("|"))
		.map((it) =>
			it
				.split("|")
				.slice(1, -1)
				.map((cell) => cell.trim()),
		)
		.filter(([first = ""]) => /^`?\w+`?/.test(first) && !isHead(first));
}

function isHead(cell: string): boolean {
	return ["`status`", "Name", "Field"].includes(cell);
}

/** Third and fourth column by the names in the first. */
function optionRows(
	text: string,
): Map<string, { readonly usual: string; readonly meaning: string }> {
	return new Map(
		tableRows(text).flatMap(([first = "", , usual = "", meaning = ""]) =>
			[...first.matchAll(/`(\w+)`/g)].map(
				([, name = ""]) =>
					[name, { usual: usual.replaceAll("`", ""), meaning }] as const,
			),
		),
	);
}
