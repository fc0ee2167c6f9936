/** The endpoint on the local network, as the zeroconf package sees it, which is what Home Assistant browses with. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import t from "tap";
import { pythonWithClients } from "../e2e/python-environment.js";
import { repository } from "../e2e/running-appliance.js";
import { eventually } from "../fixtures/eventually.js";
import { startWyoming } from "./running-wyoming.js";

interface Change {
	readonly change: string;
	readonly name?: string;
	readonly port?: number;
	readonly addresses?: readonly string[];
}

const address = Object.values(networkInterfaces())
	.flat()
	.find((it) => it && !it.internal && it.family === "IPv4")?.address;
const environment = await pythonWithClients("mdns-requirements.txt");
const skip = !address
	? "this machine has no network"
	: "missing" in environment && environment.missing;
if (skip) console.error(`skipped: ${skip}`);

t.test(
	"the library's process-wide hooks are taken back",
	{ skip: !address },
	async (t) => {
		if (!address) return;
		const { prepareStackTrace } = Error;
		const { emit } = process;
		const { log } = await startWyoming(t, { host: address, name: "hooks" });
		await eventually("announced", () =>
			log.some((line) => line.includes("announced on the local network")),
		);
		t.equal(Error.prepareStackTrace, prepareStackTrace);
		t.equal(process.emit, emit);
	},
);

t.test("found, resolved, and gone after a stop", { skip }, async (t) => {
	if (!address || "missing" in environment) return;
	const script = join(repository, "test/e2e/python/mdns_browser.py");
	const browser = spawn(environment.python, [script, address]);
	t.teardown(() => browser.kill());
	const changes: Change[] = [];
	createInterface({ input: browser.stdout }).on("line", (line) =>
		changes.push(JSON.parse(line) as Change),
	);
	const name = `earshot test ${process.pid}`;
	// where this process is slow, the library takes its own question for another device's, and renames itself
	const announced = new RegExp(
		`^${name}( \\(\\d+\\))?\\._wyoming\\._tcp\\.local\\.$`,
	);
	const change = (kind: string) =>
		eventually(
			`${kind} of ${name}`,
			() =>
				changes.find(
					(it) => it.change === kind && announced.test(it.name ?? ""),
				),
			{ seen: () => changes },
		);
	await eventually("the browser", () => changes.length > 0);
	const { endpoint, port } = await startWyoming(t, { host: address, name });
	t.match(await change("Added"), { port, addresses: [address] });
	await endpoint.stop(0);
	await change("Removed");
	browser.stdin.end();
	await once(browser, "exit");
});

t.test("only this machine can connect: nothing is announced", async (t) => {
	const { log } = await startWyoming(t, { name: "silent" });
	t.notOk(log.some((line) => line.includes("announced")));
});
