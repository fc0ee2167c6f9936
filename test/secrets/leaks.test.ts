/** The check that every helper makes who starts a server: it finds each kind of secret, and what is meant to be in a log is none. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import t from "tap";
import WebSocket, { WebSocketServer } from "ws";
import { startApi } from "../api/running-api.js";
import { RunningAppliance } from "../e2e/running-appliance.js";
import { KnownSecrets, knownSecrets } from "./known-secrets.js";
import { leaksIn } from "./leaks.js";

const id = "6ce4e6c33a54f6abec1782a59e4a0f6a";
const token = "nQH2ypa0QEjuihQ16Qe41eLOH_ur4USioH5fID7SL28";

/** As a logger writes it, by itself and in the middle of another text. */
function linesWith(secret: string): string[] {
	return [
		`earshot: ${secret}`,
		JSON.stringify({ level: "info", task: secret, msg: "file taken" }),
		JSON.stringify({ err: { message: `no such file: "/a/${secret}"\n at x` } }),
		JSON.stringify({ [secret]: true }),
	];
}

t.test("what was seen is found wherever it stands in a line", async (t) => {
	const answers: Readonly<Record<string, readonly [object, string]>> = {
		"a task's id": [
			{ data: { task_id: "not-hexadecimal" } },
			"not-hexadecimal",
		],
		"a token": [{ data: { token: "a short token" } }, "a short token"],
		"an application's secret": [
			{ secret: "between us only" },
			"between us only",
		],
		"a link's signature": [
			{
				data: { audio_url: "http://a/b.wav?expires=1&signature=abc-def_ghijk" },
			},
			"abc-def_ghijk",
		],
		"a transcript": [
			{ data: { result: [{ transcript: 'she said "no"\nand left' }] } },
			'she said "no"\nand left',
		],
		"a hotword": [
			{ payload: { hotwords_list: ["東京特許許可局"] } },
			"東京特許許可局",
		],
	};
	for (const [kind, [answer, secret]] of Object.entries(answers)) {
		const secrets = new KnownSecrets();
		secrets.addFrom(answer);
		for (const line of linesWith(secret).slice(1))
			t.ok(leaksIn(line, secrets).includes(kind), `${kind}: ${line}`);
		t.same(leaksIn('{"msg":"file taken"}', secrets), []);
	}
});

t.test("what opens something is found by its form", async (t) => {
	const nobodys = new KnownSecrets();
	for (const secret of [
		id,
		token,
		"9".repeat(64),
		"/v1/asr/audio/a.wav?expires=1&signature=x",
		"Bearer abcdefghijklmnopqrst",
	])
		for (const line of linesWith(secret))
			t.not(leaksIn(line, nobodys).length, 0, line);
	for (const line of [
		'{"level":"info","pid":1,"request":"0123456789abcdef","task":"6ce4e6c3","msg":"file taken"}',
		'{"path":"/v1/asrfile/tasks/6ce4e6c3","http":200}',
		'{"app":"robot","token":"0a1b2c3d4e5f","msg":"token issued to an application"}',
		"earshot: listening on http://127.0.0.1:7100",
		"/usr/lib/node_modules/a-package-with-a-long-name-in-lower-case/index.js",
	])
		t.same(leaksIn(line, nobodys), [], line);
});

t.test("clients are watched: what they send and what they get", async (t) => {
	const server = createServer((request, response) => {
		request.resume();
		response.end(JSON.stringify({ data: { task_id: "task of an answer" } }));
	});
	new WebSocketServer({ server }).on("connection", (socket) => {
		socket.on("message", () =>
			socket.send(JSON.stringify({ payload: { result: "heard by socket" } })),
		);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	t.teardown(() => server.closeAllConnections());
	t.teardown(() => server.close());
	const { port } = server.address() as AddressInfo;
	const form = new FormData();
	form.append("hotwords_list", '["hotword of a form"]');
	const answer = await fetch(
		`http://127.0.0.1:${port}/?hotwords_list=short|hotword of a query`,
		{
			method: "POST",
			headers: { authorization: `Bearer ${token}` },
			body: form,
		},
	);
	await answer.json();
	const socket = new WebSocket(`ws://127.0.0.1:${port}`);
	await once(socket, "open");
	socket.send(JSON.stringify({ hotwords_list: ["hotword of a socket"] }));
	await once(socket, "message");
	socket.close();
	for (const secret of [
		"task of an answer",
		token,
		"hotword of a form",
		"hotword of a query",
		"hotword of a socket",
		"heard by socket",
	])
		t.not(knownSecrets.in(`so ${secret}.`).length, 0, secret);
	t.same(knownSecrets.in("short"), [], "a word is in many a line by chance");
});

t.test("a server that says too much fails its test", async (t) => {
	for (const stream of ["stdout", "stderr"]) {
		const talker = await RunningAppliance.launch({}, undefined, [
			process.execPath,
			"-e",
			`process.${stream}.write("taken: ${id}\\n");
			process.stderr.write("listening on http://127.0.0.1:9\\nready\\n");
			setInterval(() => {}, 1000);`,
		]);
		await t.rejects(talker.dispose(), /an id as long as a task's: taken: 6ce4/);
	}
	const ends: (() => Promise<void>)[] = [];
	const api = await startApi({
		testdir: () => t.testdir(),
		teardown: (end) => ends.push(end),
	});
	api.log.push(`{"msg":"welcome ${api.token}"}`);
	await t.rejects(Promise.all(ends.map((end) => end())), /a token: .*welcome/);
});
