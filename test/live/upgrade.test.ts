import { once } from "node:events";
import t, { type Test } from "tap";
import WebSocket from "ws";
import { CodedError } from "../../runtime/errors.js";
import { readSocket } from "../api/read-socket.js";
import { type RunningApi, startApi } from "../api/running-api.js";
import { type ClientOptions, LiveClient } from "./live-client.js";

interface Refusal {
	readonly http: number;
	readonly body: { readonly status: string; readonly message: string };
	readonly requestId: string | undefined;
}

/** The answer to a refused upgrade. */
async function refusalOf(
	api: RunningApi,
	{ path = "/v1/asr/ws", token, protocols, headers }: ClientOptions,
): Promise<Refusal> {
	const socket = new WebSocket(
		api.url.replace("http", "ws") + path,
		[...(protocols ?? [])],
		{
			headers: {
				...(token !== undefined && { Authorization: `Bearer ${token}` }),
				...headers,
			},
		},
	);
	socket.on("error", () => {});
	const [, response] = (await once(socket, "unexpected-response")) as [
		unknown,
		import("node:http").IncomingMessage,
	];
	const chunks: Buffer[] = [];
	for await (const chunk of response) chunks.push(chunk as Buffer);
	return {
		http: response.statusCode ?? 0,
		body: JSON.parse(Buffer.concat(chunks).toString()) as Refusal["body"],
		requestId: response.headers["x-request-id"] as string | undefined,
	};
}

t.test("an upgrade without a good token is refused over HTTP", async (t) => {
	const api = await startApi(t);
	const refused = async (
		options: ClientOptions,
		http: number,
		status: string,
	) =>
		t.match(await refusalOf(api, options), {
			http,
			body: { status, message: /\w/, data: null },
			requestId: /^[0-9a-f]{16}$/,
		});
	await refused({}, 401, "110001");
	await refused({ token: "wrong" }, 401, "110002");
	await refused({ token: await api.makeToken(["asr"], -1) }, 401, "110002");
	await refused({ token: await api.makeToken(["files"]) }, 403, "110003");
	await refused({ headers: { Authorization: api.token } }, 401, "110001");
	await refused({ protocols: ["bearer.wrong"] }, 401, "110002");
	await refused({ protocols: ["chat"] }, 401, "110001");
	await refused(
		{ token: "wrong", protocols: [`bearer.${api.token}`] },
		401,
		"110002",
	);
	await refused({ path: "/v1/asr/wss", token: api.token }, 404, "100001");
	t.equal(api.lane.opened.length, 0);
	t.equal(await api.sessions(), 0);
	t.notMatch(api.log.join(""), api.token, "no token reaches the log");
});

t.test(
	"a plain GET gets the answer that a WebSocket is expected",
	async (t) => {
		const api = await startApi(t);
		const headers = { Authorization: `Bearer ${api.token}` };
		for (const path of ["/v1/asr/ws", "/v1/asr/transcriber/ws"])
			t.match(await api.ask(path, { headers }), {
				http: 400,
				status: "230001",
				message: /upgrade/,
			});
		t.match(await api.ask("/v1/asr/ws"), { http: 401, status: "110001" });
		t.match(await api.ask("/v1/asr/ws", { method: "POST", headers }), {
			http: 405,
			status: "100002",
		});
	},
);

t.test(
	"a browser's token is sent as a subprotocol, which is echoed",
	async (t) => {
		const api = await startApi(t);
		const name = `bearer.${api.token}`;
		const client = await LiveClient.open(api.url, {
			protocols: ["a", name, "b"],
		});
		t.equal(client.socket.protocol, name);
		client.start();
		await client.receive("RecognitionStarted");
		const plain = await LiveClient.open(api.url, { token: api.token });
		t.equal(plain.socket.protocol, "");
	},
);

t.test("auth.required=false accepts upgrades without a token", async (t) => {
	const api = await startApi(t, { auth: { required: false } });
	const client = await LiveClient.open(api.url);
	client.start();
	t.match(await client.receive("RecognitionStarted"), {
		header: { app_id: "anonymous" },
	});
});

t.test("pages of other origins are refused, programs are not", async (t) => {
	const api = await startApi(t, {
		server: { cors_origins: ["https://a.example"] },
	});
	const protocols = [`bearer.${api.token}`];
	const from = (Origin: string): ClientOptions => ({
		protocols,
		headers: { Origin },
	});
	for (const origin of [
		"https://evil.example",
		"null",
		"http://127.0.0.1:1",
		"x",
	])
		t.match(await refusalOf(api, from(origin)), {
			http: 403,
			body: { status: "110003", message: /cors_origins/ },
		});
	for (const options of [
		from("https://a.example"),
		from(api.url),
		{ token: api.token, headers: { Origin: "https://evil.example" } },
	]) {
		const client = await LiveClient.open(api.url, options);
		client.socket.close();
	}
});

t.test("without tokens the origin is still checked", async (t) => {
	const api = await startApi(t, { auth: { required: false } });
	const headers = { Origin: "https://evil.example" };
	t.match(await refusalOf(api, { headers }), { http: 403 });
	await LiveClient.open(api.url, { headers: { Origin: api.url } });
});

t.test(
	"at capacity: accepted, given the error, closed with 1013",
	async (t) => {
		const api = await startApi(t);
		api.lane.behaviour = {
			refuse: new CodedError("100004", undefined, { retryAfterSeconds: 3 }),
		};
		await checkFailure(t, api, "100004");
	},
);

t.test(
	"over the rate limit: accepted, given the error, closed with 1013",
	async (t) => {
		const api = await startApi(t, {
			auth: { rate_per_second: 0.001, rate_burst: 1 },
		});
		const first = await LiveClient.open(api.url, { token: api.token });
		first.start();
		await first.receive("RecognitionStarted");
		const second = await LiveClient.open(api.url, { token: api.token });
		t.match(await second.receive("TaskFailed"), {
			header: { status: "100005" },
		});
		t.equal(await second.closed, 1013);
		first.socket.close();
		await first.closed;
		t.equal(await api.sessions(), 0);
	},
);

async function checkFailure(t: Test, api: RunningApi, status: string) {
	const client = await LiveClient.open(api.url, { token: api.token });
	client.start({ user_id: "u" });
	t.match(await client.receive("TaskFailed"), {
		header: { namespace: "SpeechRecognizer", status, user_id: "u" },
		payload: { user_id: "u" },
	});
	t.equal(await client.closed, 1013);
	t.same(client.names, ["TaskFailed"]);
}

t.test("headers of an upgrade have their limit, too", async (t) => {
	const api = await startApi(t);
	const headers = { "X-Long": "x".repeat(70_000) };
	t.match(await refusalOf(api, { token: api.token, headers }), {
		http: 431,
		body: { status: "200004" },
	});
});

t.test("an invalid handshake does not crash the server", async (t) => {
	const api = await startApi(t);
	for (const extra of [
		"Sec-WebSocket-Key: x\r\n",
		"Sec-WebSocket-Key: \r\n",
		`Sec-WebSocket-Key: ${"y".repeat(500)}\r\n`,
		"Sec-WebSocket-Protocol: bearer.\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
		"",
	]) {
		const socket = api.socket();
		const answer = readSocket(socket, /\r\n\r\n/);
		socket.write(
			`GET /v1/asr/ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${extra}Authorization: Bearer ${api.token}\r\n\r\n`,
		);
		t.match(await answer, /^HTTP\/1\.1 (101|400) /, extra.slice(0, 40));
		socket.destroy();
	}
	t.match(await api.recognize("lang_type=en"), { http: 200 });
});

t.test(
	"a stop of the server sends every session an error before it closes",
	async (t) => {
		const api = await startApi(t);
		api.lane.behaviour = { holdResult: true };
		const clients = await Promise.all(
			["waiting", "streaming", "stopping", "transcribing"].map(
				async (state) => {
					const client = await LiveClient.open(api.url, { token: api.token });
					if (state === "waiting") return client;
					if (state === "transcribing") client.transcribe();
					else client.start();
					await client.receive(
						state === "transcribing"
							? "TranscriptionStarted"
							: "RecognitionStarted",
					);
					for (let frame = 0; frame < 20; frame++) client.audio(7680);
					if (state === "stopping") client.stop();
					return client;
				},
			),
		);
		const stopped = api.api.stop();
		for (const client of clients) {
			t.match(await client.receive("TaskFailed"), {
				header: { status: "100004" },
			});
			t.equal(await client.closed, 1013);
		}
		await stopped;
		t.equal(api.lane.held, 0);
	},
);

t.test("a stop lets short recognitions finish", async (t) => {
	const api = await startApi(t, { server: { drain_seconds: 3600 } });
	const client = await LiveClient.open(api.url, { token: api.token });
	client.start();
	await client.receive("RecognitionStarted");
	client.audio(100);
	const endless = await LiveClient.open(api.url, { token: api.token });
	endless.transcribe();
	await endless.receive("TranscriptionStarted");
	const stopped = api.api.stop();
	t.equal(await endless.closed, 1013, "what has no end is not waited for");
	client.stop();
	await client.receive("RecognitionCompleted");
	t.equal(await client.closed, 1000);
	await stopped;
});

t.test(
	"a stop of several ports waits no longer than that of one",
	async (t) => {
		const ingress = { enabled: true, host: "127.0.0.1", allow: ["127.0.0.1"] };
		// more than the test has: only the session's end lets the stop go on
		const api = await startApi(t, { server: { drain_seconds: 3600 }, ingress });
		const client = await LiveClient.open(api.url, { token: api.token });
		client.start();
		await client.receive("RecognitionStarted");
		client.audio(100);
		const endless = await LiveClient.open(
			`http://127.0.0.1:${api.api.ingressPort}`,
			{ headers: { "X-Ingress-Path": "/api/hassio_ingress/abc" } },
		);
		endless.transcribe();
		await endless.receive("TranscriptionStarted");
		const stopped = api.api.stop();
		t.match(await endless.receive("TaskFailed"), {
			header: { status: "100004" },
		});
		t.equal(await endless.closed, 1013, "whichever port it came through");
		client.stop();
		await client.receive("RecognitionCompleted");
		t.equal(await client.closed, 1000);
		await stopped;
	},
);

t.test("sockets count as connections as long as they are open", async (t) => {
	const server = { connections_max: 8, network_share_max: 1 };
	const api = await startApi(t, {
		server: { ...server, caller_share_max: 1 },
	});
	const open = () => LiveClient.open(api.url, { token: api.token });
	for (let round = 0; round < 20; round++) {
		const client = await open();
		client.socket.close();
		await client.closed;
	}
	const clients = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(open));
	await t.rejects(open(), "one too many");
	clients[0]?.socket.close();
	await clients[0]?.closed;
	await open();
});
