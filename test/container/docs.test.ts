/** What docs/container.md tells people to type fits the image: names, ports, volume, and limits of a stop. */
import { readFileSync } from "node:fs";
import t from "tap";
import { parse } from "yaml";
import { configSections } from "../../runtime/config/schema.js";
import { ports, volume } from "../../scripts/image/settings.js";

const page = readFileSync("docs/container.md", "utf8");
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const name = `earshot:${version}`;
/** A stop may take as long as sessions are let finish, and a little more (runtime/cli/serve.ts). */
const stopSecondsMin = configSections.server.drain_seconds.default + 15;

/** Commands of the console blocks, each in one line. */
const commands = [...page.matchAll(/^```console\n([\s\S]*?)^```/gm)]
	.flatMap(([, block = ""]) => block.replace(/\\\n\s*/g, "").split("\n"))
	.filter((it) => it.startsWith("$ "))
	.map((it) => it.slice(2));
const [compose] = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(
	([, text = ""]) => parse(text).services.earshot,
);

function portsOf(published: readonly string[]): void {
	for (const it of published)
		t.ok(ports.includes(`${it.split(":")[1]}/tcp`), `port ${it}`);
}

t.test("the commands", (t) => {
	const runs = commands.filter((it) => it.startsWith("docker run "));
	t.equal(runs.length, 2);
	for (const run of runs) {
		t.ok(run.endsWith(` ${name}`), run);
		t.match(run, ` -v earshot:${volume} `);
		// its own name changes with each container, and with it the name in the fleet
		t.match(run, / --hostname \S+ /);
		portsOf([...run.matchAll(/ -p (\S+)/g)].map(([, it = ""]) => it));
	}
	const [first = ""] = runs;
	t.match(
		first,
		"--read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges",
	);
	const [, seconds] = /--stop-timeout (\d+)/.exec(first) ?? [];
	t.ok(Number(seconds) >= stopSecondsMin, `${seconds} s for a stop`);
	const load = commands.find((it) => it.startsWith("docker load")) ?? "";
	t.match(load, `dist/earshot-${version}-linux-amd64.oci.tar`);
	t.end();
});

t.test("Compose does the same", (t) => {
	t.match(compose, {
		image: name,
		hostname: /./,
		read_only: true,
		tmpfs: ["/tmp"],
		cap_drop: ["ALL"],
		security_opt: ["no-new-privileges:true"],
		volumes: [`earshot:${volume}`],
	});
	t.ok(Number.parseInt(compose.stop_grace_period, 10) >= stopSecondsMin);
	portsOf(compose.ports);
	t.end();
});

t.test("the add-on has time for a stop", (t) => {
	const { timeout } = parse(readFileSync("addon/config.yaml", "utf8"));
	t.ok(timeout >= stopSecondsMin, `${timeout} s`);
	t.end();
});
