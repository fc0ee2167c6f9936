/** The Grafana dashboard (config/grafana): Grafana's own types accept it, Prometheus' own grammar reads its queries, and what they ask for is in /metrics. */
import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import t, { type Test } from "tap";
import { backupSeries } from "../../runtime/api/metrics/backup.js";
import { fleetSeries } from "../../runtime/api/metrics/fleet.js";
import { laneSeries } from "../../runtime/api/metrics/lanes.js";
import { listenerSeries } from "../../runtime/api/metrics/listeners.js";
import { microphoneSeries } from "../../runtime/api/metrics/microphones.js";
import { taskSeries } from "../../runtime/api/metrics/tasks.js";
import { startApi } from "../api/running-api.js";
import { folderWithPackages } from "../fixtures/npm-packages.js";

const text = readFileSync("config/grafana/earshot.json", "utf8");
const dashboard = JSON.parse(text) as {
	readonly panels: readonly {
		readonly id: number;
		readonly title: string;
		readonly targets?: readonly Target[];
	}[];
	readonly templating: {
		readonly list: readonly { readonly query: { readonly query: string } }[];
	};
};

interface Target {
	readonly expr: string;
	readonly legendFormat: string;
}

const folder = await folderWithPackages("grafana", [
	"@grafana/schema@13.2.3",
	"@prometheus-io/lezer-promql@0.315.0",
]);
const skip = folder === "" && "no npm packages of Grafana and Prometheus";
if (skip) console.error(`skipped: ${skip}`);

t.test("Grafana's types accept it", { skip }, async (t) => {
	const dir = t.testdir();
	symlinkSync(join(folder, "node_modules"), join(dir, "node_modules"));
	// an enumeration of text is its text in JSON
	writeFileSync(
		join(dir, "dashboard.ts"),
		`import type { Dashboard } from "@grafana/schema";
type Json<T> = T extends string ? \`\${T}\` : T extends object ? { [K in keyof T]: Json<T[K]> } : T;
export const dashboard: Json<Dashboard> = ${text};`,
	);
	await t.resolves(
		promisify(execFile)(
			resolve("node_modules/typescript-native/bin/tsc"),
			[
				...["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck"],
				...["--module", "esnext", "--moduleResolution", "bundler"],
				...["--types", "", "dashboard.ts"],
			],
			{ cwd: dir },
		),
	);
	const ids = dashboard.panels.map(({ id }) => id);
	t.equal(new Set(ids).size, ids.length);
});

t.test("every query asks for what is there", { skip }, async (t) => {
	const metrics = await labelsByMetric(t);
	const { parser } = createRequire(join(folder, "package.json"))(
		"@prometheus-io/lezer-promql",
	) as { readonly parser: Parser };
	const problems = (query: string, legend = "") =>
		problemsOf(parser, metrics, query, legend);
	const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
		targets.map((target) => ({ title, ...target })),
	);
	t.ok(queries.length > 40, `${queries.length} queries`);
	for (const { title, expr, legendFormat } of queries)
		t.same(problems(expr, legendFormat), [], `${title}: ${expr}`);
	for (const { query } of dashboard.templating.list) {
		const [, selector = "", label = ""] =
			/^label_values\((.*), (\w+)\)$/.exec(query.query ?? "") ?? [];
		if (selector !== "")
			t.same(problems(`sum by (${label}) (${selector})`), []);
	}
	t.same(problems("sum(rate(earshot_none_total[5m]))"), [
		"no metric earshot_none_total",
	]);
	t.same(problems('earshot_lane_queue{lan="live"}', "{{why}}"), [
		"no label lan",
		"no label why",
	]);
	t.match(problems("sum by (lane) earshot_lane_queue}"), ["no query: "]);
});

/** Every metric of an exposition with its labels; of those without a sample, as they are declared. */
async function labelsByMetric(t: Test): Promise<Map<string, Set<string>>> {
	const running = await startApi(t);
	const { metrics } = running.api;
	metrics.watch(backupSeries, () => []);
	metrics.watch(fleetSeries, () => []);
	metrics.watch(microphoneSeries, () => []);
	await running.recognize("lang_type=en");
	const exposition = await (await fetch(`${running.url}/metrics`)).text();
	const found = new Map<string, Set<string>>();
	for (const [, name = ""] of exposition.matchAll(/^# HELP (\S+)/gm))
		found.set(name, new Set());
	for (const [, name = "", labels = ""] of exposition.matchAll(
		/^([a-z_]+)(?:\{(.*)\})? /gm,
	)) {
		const all = found.get(name) ?? new Set();
		found.set(name, all);
		for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) all.add(label);
	}
	for (const { name, labels } of [
		...fleetSeries,
		...laneSeries,
		...listenerSeries,
		...microphoneSeries,
		...taskSeries,
	])
		for (const label of labels) found.get(`earshot_${name}`)?.add(label);
	return found;
}

/** As much of the parser of `@lezer/lr` as is used here. */
interface Parser {
	parse(text: string): {
		iterate(by: { enter(node: SyntaxNode): void }): void;
	};
}

interface SyntaxNode {
	readonly name: string;
	readonly from: number;
	readonly to: number;
	readonly type: { readonly isError: boolean };
}

/** Of Prometheus itself, for every target. */
const targetLabels = ["instance", "job"];

function problemsOf(
	parser: Parser,
	metrics: ReadonlyMap<string, ReadonlySet<string>>,
	query: string,
	legend: string,
): string[] {
	const expr = query.replaceAll("$__rate_interval", "5m");
	const problems: string[] = [];
	const named: string[] = [];
	const labels: string[] = [];
	parser.parse(expr).iterate({
		enter({ name, from, to, type }) {
			if (type.isError) problems.push(`no query: ${expr.slice(from)}`);
			if (name === "Identifier") named.push(expr.slice(from, to));
			if (name === "LabelName") labels.push(expr.slice(from, to));
		},
	});
	for (const [, label = ""] of legend.matchAll(/\{\{(\w+)\}\}/g))
		labels.push(label);
	const known = new Set(targetLabels);
	for (const name of named) {
		if (!metrics.has(name)) problems.push(`no metric ${name}`);
		for (const label of metrics.get(name) ?? []) known.add(label);
	}
	for (const label of labels)
		if (!known.has(label)) problems.push(`no label ${label}`);
	return problems;
}
