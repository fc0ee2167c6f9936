/** The add-on tells Home Assistant's Supervisor where Wyoming is: until it is heard, once, and takes it back when Wyoming is turned off. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import t from "tap";
import { Discovery } from "../../runtime/home-assistant/discovery.js";
import { loggerTo } from "../../runtime/log/log.js";
import { eventually } from "../fixtures/eventually.js";
import { FakeSupervisor } from "./fake-supervisor.js";

const uri = "tcp://local-earshot:10300";
const kept = "supervisor-discovery.json";

async function startSupervisor(t: {
	teardown(act: () => Promise<void>): unknown;
}) {
	const supervisor = new FakeSupervisor();
	const url = await supervisor.start();
	t.teardown(() => supervisor.stop());
	return { supervisor, url };
}

function discoveryTo(url: string, token: string, folder: string) {
	const lines: string[] = [];
	const out = new Writable({
		write(chunk, _encoding, done) {
			lines.push(String(chunk));
			done();
		},
	});
	const discovery = new Discovery({
		supervisor: { url, token },
		folder,
		pauseMs: 1,
		log: loggerTo(out, "debug"),
	});
	return { discovery, lines };
}

t.test("it is told once, and again when the address has changed", async (t) => {
	const { supervisor, url } = await startSupervisor(t);
	const folder = t.testdir();
	const announce = async (uri: string | undefined) => {
		const { discovery, lines } = discoveryTo(url, supervisor.token, folder);
		discovery.start(uri);
		await discovery.settled();
		t.notOk(lines.join("").includes(supervisor.token), "no token in the log");
	};
	await announce(uri);
	t.same(
		[...supervisor.messages],
		[["f00d0", { service: "wyoming", config: { uri } }]],
	);
	t.same(JSON.parse(readFileSync(join(folder, kept), "utf8")), {
		id: "f00d0",
		uri,
	});

	const other = "tcp://local-earshot:10301";
	await announce(other);
	t.match(supervisor.messages.get("f00d0"), { config: { uri: other } });
	t.equal(supervisor.messages.size, 1);

	await announce(undefined);
	t.equal(supervisor.messages.size, 0, "off: it is withdrawn");
	t.notOk(existsSync(join(folder, kept)));
	const before = supervisor.requests.length;
	await announce(undefined);
	t.equal(supervisor.requests.length, before, "nothing is left to withdraw");
});

t.test("a message under another id takes the old one with it", async (t) => {
	const { supervisor, url } = await startSupervisor(t);
	const config = { uri: "tcp://old:10300" };
	supervisor.messages.set("01d", { service: "other", config });
	const folder = t.testdir({ [kept]: '{"id":"01d","uri":"tcp://old:10300"}' });
	const { discovery } = discoveryTo(url, supervisor.token, folder);
	discovery.start(uri);
	await discovery.settled();
	t.same([...supervisor.messages.keys()], ["f00d0"]);

	supervisor.forget();
	const again = discoveryTo(url, supervisor.token, folder).discovery;
	again.start(undefined);
	await again.settled();
	t.notOk(existsSync(join(folder, kept)), "one that is gone is no error");
});

t.test("whatever the Supervisor answers, it is tried again", async (t) => {
	const { supervisor, url } = await startSupervisor(t);
	const answers: [number, string][] = [
		[503, "starting"],
		[502, "<html>Bad gateway</html>"],
		[400, '{"result":"error","message":"invalid"}'],
		[400, '{"result":"error","message":"invalid"}'],
		[401, "401: Unauthorized"],
		[200, ""],
		[200, "[]"],
		[200, '{"result":"ok"}'],
		[200, '{"result":"ok","data":{"uuid":7}}'],
		[200, '{"result":"ok","data":{"uuid":"../core/restart"}}'],
		[200, " ".repeat(70_000)],
		[302, ""],
	];
	const count = answers.length;
	supervisor.interfere = (response) => {
		const next = answers.shift();
		if (!next) return false;
		const [http, body] = next;
		response.writeHead(http, { Location: "http://127.0.0.1:1/" }).end(body);
		return true;
	};
	const folder = t.testdir();
	const { discovery, lines } = discoveryTo(url, supervisor.token, folder);
	discovery.start(uri);
	await discovery.settled();
	t.equal(supervisor.requests.length, count + 1);
	t.equal(supervisor.messages.size, 1);
	const invalid = lines.filter((it) => it.includes("400: invalid"));
	t.equal(invalid.length, 1, "a reason is logged once");
});

t.test("a wrong token is refused until the end", async (t) => {
	const { supervisor, url } = await startSupervisor(t);
	const { discovery, lines } = discoveryTo(url, "another", t.testdir());
	discovery.start(uri);
	await eventually("three refusals", () => supervisor.requests.length >= 3);
	await discovery.stop();
	t.equal(supervisor.messages.size, 0);
	t.match(lines.join(""), "401: no reason given");
});

t.test("a Supervisor that is not there, or never answers", async (t) => {
	const { supervisor, url } = await startSupervisor(t);
	supervisor.interfere = () => true;
	const hanging = discoveryTo(url, supervisor.token, t.testdir()).discovery;
	hanging.start(uri);
	const absent = discoveryTo("http://127.0.0.1:1", "any", t.testdir());
	absent.discovery.start(uri);
	await eventually("a reason", () => absent.lines.length > 0);
	t.match(absent.lines.join(""), /bad port|ECONNREFUSED|fetch failed/);
	await Promise.all([hanging.stop(), absent.discovery.stop()]);
});

t.test("outside of an add-on nothing is sent", async (t) => {
	const { supervisor, url } = await startSupervisor(t);
	const { discovery, lines } = discoveryTo(url, "", t.testdir());
	discovery.start(uri);
	await discovery.settled();
	t.same(supervisor.requests, []);
	t.match(lines.join(""), "SUPERVISOR_TOKEN is not set");
	const off = discoveryTo(url, "", t.testdir());
	off.discovery.start(undefined);
	await off.discovery.settled();
	t.same(off.lines, []);
});

t.test("a damaged file counts as none", async (t) => {
	const { supervisor, url } = await startSupervisor(t);
	for (const text of ["", "[", "null", '{"id":"../x","uri":""}']) {
		const folder = t.testdir();
		writeFileSync(join(folder, kept), text);
		const { discovery } = discoveryTo(url, supervisor.token, folder);
		discovery.start(undefined);
		await discovery.settled();
	}
	t.same(supervisor.requests, []);
});
