/** Short-lived tokens for browsers: what they allow, and when they end (docs/realtime.md). */
import t from "tap";
import {
	ClientSecrets,
	type SecretRequest,
} from "../../runtime/api/openai/realtime/client-secrets.js";
import { defaultSettings } from "../../runtime/api/openai/realtime/settings.js";
import { ownerOf } from "../../runtime/owner.js";
import { startApi } from "../api/running-api.js";
import { knownSecrets } from "../secrets/known-secrets.js";
import { RealtimeClient } from "./realtime-client.js";

const api = await startApi(t, {
	server: { cors_origins: ["https://app.example"] },
});
const { url, token } = api;

async function ask(
	path: string,
	body?: object,
	key = token,
): Promise<{ http: number; body: Record<string, unknown> }> {
	const answer = await fetch(`${url}/v1/realtime/${path}`, {
		method: "POST",
		headers: { Authorization: `Bearer ${key}` },
		...(body && { body: JSON.stringify(body) }),
	});
	const data = (await answer.json()) as Record<string, unknown>;
	if (typeof data.value === "string") knownSecrets.add("a token", data.value);
	return { http: answer.status, body: data };
}

t.test("a page connects with it, and begins as its server said", async (t) => {
	const { http, body } = await ask("client_secrets", {
		expires_after: { anchor: "created_at", seconds: 60 },
		session: {
			type: "transcription",
			audio: { input: { transcription: { language: "ja" } } },
		},
	});
	t.equal(http, 200);
	const value = String(body.value);
	t.match(value, /^ek_[\w-]{43}$/);
	const inSeconds = Number(body.expires_at) - Date.now() / 1000;
	t.ok(inSeconds > 50 && inSeconds < 70, `${inSeconds} s`);
	const page = await RealtimeClient.open(url, {
		protocols: ["realtime", `openai-insecure-api-key.${value}`],
		headers: { Origin: "https://app.example" },
	});
	t.equal(page.socket.protocol, "realtime", "never the one with the token");
	const { session } = await page.receive("session.created");
	t.match(session, {
		audio: { input: { transcription: { language: "ja" } } },
	});
	page.socket.close();
	await t.rejects(
		RealtimeClient.open(url, {
			protocols: ["realtime", `openai-insecure-api-key.${value}`],
			headers: { Origin: "https://elsewhere.example" },
		}),
		/403/,
	);
	t.match(await ask("client_secrets", {}, value), {
		http: 403,
		body: { error: { code: "insufficient_permissions" } },
	});
});

t.test("without a body, and the path before", async (t) => {
	t.match(await ask("client_secrets"), {
		http: 200,
		body: { value: /^ek_/, session: { type: "transcription" } },
	});
	const { body } = await ask("transcription_sessions", {
		input_audio_format: "g711_alaw",
		client_secret: { expires_after: { seconds: 10 } },
	});
	t.match(body, {
		input_audio_format: "g711_alaw",
		client_secret: { value: /^ek_/, expires_at: Number },
	});
	const secret = body.client_secret as { value: string };
	knownSecrets.add("a token", secret.value);
});

t.test("the path before takes both names of the lifetime", async (t) => {
	for (const name of ["expires_after", "expires_at"]) {
		const lifetime = { anchor: "created_at", seconds: 7200 };
		const { body } = await ask("transcription_sessions", {
			client_secret: { [name]: lifetime },
		});
		const secret = body.client_secret as { value: string; expires_at: number };
		knownSecrets.add("a token", secret.value);
		const inSeconds = secret.expires_at - Date.now() / 1000;
		t.ok(Math.abs(inSeconds - 7200) < 60, `${name}: ${inSeconds} s`);
	}
	const wrong = { client_secret: { expires_at: { seconds: 5 } } };
	t.match(await ask("transcription_sessions", wrong), { http: 400 });
});

t.test("what is wrong is named", async (t) => {
	const wrong: readonly [object, string | null][] = [
		[{ expires_after: { seconds: 5 } }, "expires_after"],
		[
			{ session: { audio: { input: { format: 1 } } } },
			"session.audio.input.format",
		],
		[{ session: { type: "realtime" } }, "session.type"],
	];
	for (const [body, param] of wrong)
		t.match(await ask("client_secrets", body), {
			http: 400,
			body: { error: { type: "invalid_request_error", param } },
		});
	t.equal((await ask("client_secrets", {}, "nonsense")).http, 401);
	const files = await api.makeToken(["files"]);
	t.equal((await ask("client_secrets", {}, files)).http, 403);
});

function requestOf(isInForce: () => boolean): SecretRequest {
	const owner = ownerOf("token", "kiosk");
	return {
		principal: { id: "a", owner, name: "kiosk", may: () => true, isInForce },
		sharer: owner,
		remoteAddress: "192.0.2.1",
		seconds: 10,
		settings: defaultSettings,
	};
}

t.test(
	"it ends with its time, with its maker's token, and is rationed",
	async (t) => {
		let nowMs = 0;
		let isInForce = true;
		const secrets = new ClientSecrets(() => nowMs);
		const request = requestOf(() => isInForce);
		const secret = secrets.issue(request);
		const { principal } = secrets.find(secret) ?? {};
		t.ok(principal?.may("asr"));
		t.notOk(principal?.may("files"));
		isInForce = false;
		t.equal(secrets.find(secret), undefined, "revoked");
		isInForce = true;
		nowMs = 10_000;
		t.equal(secrets.find(secret), undefined, "over");
		for (let i = 0; i < 500; i++) secrets.issue(request);
		t.throws(() => secrets.issue(request), /client secrets/);
		nowMs = 20_000;
		t.match(secrets.issue(request), /^ek_/, "dead ones make room");
	},
);

t.test("one that is asked for does not look at the others", async (t) => {
	let nowMs = 0;
	let isInForce = true;
	let looks = 0;
	const secrets = new ClientSecrets(() => nowMs);
	const request = requestOf(() => {
		looks++;
		return isInForce;
	});
	for (let i = 0; i < 500; i++) secrets.issue(request);
	t.equal(looks, 0);
	for (let i = 0; i < 100; i++)
		t.throws(() => secrets.issue(request), /client secrets/);
	t.equal(looks, 500, "once, for room");
	isInForce = false;
	nowMs = 1000;
	t.match(secrets.issue(request), /^ek_/, "those of a revoked token make room");
});

t.test("one of a revoked token gives its place back when used", async (t) => {
	let isInForce = true;
	const secrets = new ClientSecrets(() => 0);
	const request = requestOf(() => isInForce);
	const issued = Array.from({ length: 500 }, () => secrets.issue(request));
	t.throws(() => secrets.issue(request), /client secrets/);
	isInForce = false;
	t.equal(secrets.find(issued[0] ?? ""), undefined);
	t.match(secrets.issue(request), /^ek_/);
	t.throws(() => secrets.issue(request), /client secrets/);
});
