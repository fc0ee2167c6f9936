/** An interface that is switched off is not there: its paths are unknown, its upgrades refused, and the API's document does not name it. */
import { once } from "node:events";
import t from "tap";
import WebSocket from "ws";
import { startApi } from "./running-api.js";

const switched = [
	["POST", "/v1/audio/transcriptions"],
	["POST", "/v1/audio/translations"],
	["GET", "/v1/models"],
	["GET", "/v1/models/any"],
	["POST", "/v1/realtime/client_secrets"],
	["POST", "/v1/realtime/transcription_sessions"],
	["POST", "/inference"],
] as const;
const sockets = ["/v1/realtime", "/v1/calls/ws", "/v1/calls/any/ws"];

t.test("off means off", async (t) => {
	const api = await startApi(t, {
		endpoints: { openai: false, realtime: false, whisper_cpp: false },
		calls: { enabled: false },
	});
	const headers = { Authorization: `Bearer ${api.token}` };
	for (const [method, path] of switched) {
		const answer = await fetch(api.url + path, { method, headers });
		t.equal(answer.status, 404, path);
	}
	for (const path of sockets) {
		const address = api.url.replace("http", "ws") + path;
		const socket = new WebSocket(address, { headers });
		socket.on("error", () => {});
		const [, response] = await once(socket, "unexpected-response");
		t.equal(response.statusCode, 404, path);
		response.resume();
		socket.terminate();
	}
	const document = await fetch(`${api.url}/v1/openapi.json`, { headers });
	const { paths } = (await document.json()) as { paths: object };
	const named = Object.keys(paths).filter((it) =>
		/^\/(v1\/(audio|models|realtime|calls)\b|inference)/.test(it),
	);
	t.same(named, []);
});
