import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, connect } from "node:tls";
import t from "tap";
import { WebSocket } from "ws";
import { RunningAppliance, repository } from "../e2e/running-appliance.js";
import { tinyModel } from "../e2e/tiny-model.js";
import { claimedPort } from "../fixtures/claimed-port.js";
import { eventually } from "../fixtures/eventually.js";

const clip = readFileSync(join(repository, "test/clips/en-librivox-0930.wav"));

interface Answer {
	readonly status: number;
	readonly body: string;
	readonly fingerprint: string;
}

function ask(
	url: string,
	ca: string,
	options: { token?: string; body?: Uint8Array } = {},
): Promise<Answer> {
	return new Promise((done, failed) => {
		const { token, body } = options;
		const clientRequest = request(url, {
			ca,
			agent: false,
			method: body ? "POST" : "GET",
			...(token && { headers: { authorization: `Bearer ${token}` } }),
		});
		clientRequest.on("error", failed);
		clientRequest.on("response", async (response) => {
			const socket = response.socket as import("node:tls").TLSSocket;
			const fingerprint = socket.getPeerX509Certificate()?.fingerprint256 ?? "";
			let text = "";
			for await (const piece of response) text += piece;
			done({ status: response.statusCode ?? 0, body: text, fingerprint });
		});
		clientRequest.end(body);
	});
}

t.test("an appliance with HTTPS", async (t) => {
	const port = await claimedPort();
	const earshot = await RunningAppliance.start({
		...(await tinyModel()),
		EARSHOT_TLS_PORT: String(port),
		EARSHOT_TLS_REQUIRED: "true",
		EARSHOT_SERVER_HOST: "0.0.0.0",
		// a session that says nothing while a certificate is renewed
		EARSHOT_LIMITS_STREAM_START_SECONDS: "3600",
	});
	t.teardown(() => earshot.dispose());
	const local = earshot.url.replace("0.0.0.0", "127.0.0.1");
	const secure = `https://localhost:${port}`;
	const ca = await (await fetch(`${local}/ca.crt`)).text();
	const { token } = earshot;
	const path = "/v1/asr/api?lang_type=en-US&format=wav";

	await t.test("a client that trusts the authority is served", async (t) => {
		t.equal((await ask(`${secure}/healthz`, ca)).status, 200);
		const answer = await ask(`${secure}${path}`, ca, { token, body: clip });
		t.equal(answer.status, 200);
		t.match(JSON.parse(answer.body).data.result, /\p{Letter}/u);
		await t.rejects(ask(`${secure}/healthz`, ""), "any other is not");
	});

	await t.test("the profile for iOS holds the same certificate", async (t) => {
		const answer = await fetch(`${local}/ca.mobileconfig`);
		t.equal(
			answer.headers.get("content-type"),
			"application/x-apple-aspen-config",
		);
		const inside = /<data>(.*)<\/data>/.exec(await answer.text())?.[1] ?? "";
		t.match(ca.replaceAll("\n", ""), inside);
	});

	await t.test(
		"the command line and doctor show its fingerprint",
		async (t) => {
			const shown = JSON.parse(
				(await earshot.command("tls", "show", "--json")).stdout,
			);
			const { fingerprint } = await ask(`${secure}/healthz`, ca);
			t.equal(shown.fingerprint_sha256, fingerprint);
			t.ok(shown.names.includes("localhost"));
			t.ok(shown.names.includes("::1"), shown.names.join());
		},
	);

	await t.test("a renewal disconnects nobody", async (t) => {
		const socket = new WebSocket(`wss://localhost:${port}/v1/asr/ws`, [], {
			ca,
			headers: { authorization: `Bearer ${token}` },
		});
		await once(socket, "open");
		const before = (await ask(`${secure}/healthz`, ca)).fingerprint;
		await earshot.command("tls", "renew");
		earshot.process.kill("SIGHUP");
		let now = before;
		await eventually("the new certificate", async () => {
			now = (await ask(`${secure}/healthz`, ca)).fingerprint;
			return now !== before;
		});
		const texts: string[] = [];
		socket.on("message", (data) => texts.push(String(data)));
		socket.send(
			JSON.stringify({
				header: { namespace: "SpeechRecognizer", name: "StartRecognition" },
				payload: { lang_type: "en-US", format: "pcm", sample_rate: 16000 },
			}),
		);
		await eventually("an answer", () => texts.length > 0);
		t.match(texts[0], /RecognitionStarted|"status":"000000"/);
		socket.close();
		await once(socket, "close");
	});

	await t.test(
		"a token over plain HTTP from another machine is refused",
		async (t) => {
			const own = Object.values(networkInterfaces())
				.flatMap((it) => it ?? [])
				.find(({ family, internal }) => family === "IPv4" && !internal);
			const post = (url: string) =>
				fetch(`${url}${path}`, {
					method: "POST",
					headers: { authorization: `Bearer ${token}` },
					body: clip,
				});
			t.equal((await post(local)).status, 200, "this machine itself may");
			if (!own) {
				t.comment("no address besides loopback: not tried from outside");
				return;
			}
			const outside = `http://${own.address}:${new URL(local).port}`;
			const refused = await post(outside);
			t.equal(refused.status, 403);
			t.match(await refused.json(), {
				status: "110003",
				message: /takes tokens over HTTPS only/,
			});
			t.equal((await fetch(`${outside}/healthz`)).status, 200);
			const result = `${outside}/v1/asrfile/result?task_id=unknown`;
			t.equal((await fetch(result)).status, 403, "nor are results shown");
			const { stdout } = await earshot.command("tls", "show", "--json");
			if (!JSON.parse(stdout).names.includes(own.address)) {
				t.comment("this machine's address is a public one: not certified");
				return;
			}
			const same = await ask(`https://${own.address}:${port}${path}`, ca, {
				token,
				body: clip,
			});
			t.equal(same.status, 200, "its address is in the certificate");
		},
	);

	await t.test("a recording of it is of no use to a later thief", async (t) => {
		const shake = async (options: ConnectionOptions) => {
			const socket = connect({ port, servername: "localhost", ca, ...options });
			await once(socket, "secureConnect");
			const { name } = socket.getCipher();
			socket.destroy();
			return name;
		};
		const old = { maxVersion: "TLSv1.2" } as const;
		for (const cipher of ["AES128-GCM-SHA256", "CHACHA20-POLY1305"]) {
			const ciphers = `ECDHE-ECDSA-${cipher}`;
			t.equal(await shake({ ...old, ciphers }), ciphers);
		}
		const ciphers = "ECDHE-ECDSA-AES128-SHA";
		await t.rejects(shake({ ...old, ciphers }), "CBC");
		t.match(await shake({ minVersion: "TLSv1.3" }), /^TLS_/);
	});

	await t.test(
		"what is no TLS, and half a handshake, disturb nobody",
		async (t) => {
			const plain = await fetch(`http://127.0.0.1:${port}/healthz`).catch(
				(error: Error) => error,
			);
			t.ok(plain instanceof Error);
			const half = connect({ port, host: "127.0.0.1", ca, servername: "x" });
			half.on("error", () => {});
			half.destroy();
			t.equal((await ask(`${secure}/healthz`, ca)).status, 200);
		},
	);
});

t.test(
	"certificates that are of no use are refused in one sentence",
	async (t) => {
		const folder = t.testdir({ "none.pem": "nothing here\n" });
		const missing = join(folder, "missing.pem");
		for (const [file, expected] of [
			[missing, /tls.cert_file: can't read .*missing.pem/],
			[join(folder, "none.pem"), /none.pem holds none in PEM/],
		] as const)
			await t.rejects(
				RunningAppliance.launch({
					EARSHOT_TLS_PORT: String(await claimedPort()),
					EARSHOT_TLS_CERT_FILE: file,
				}),
				expected,
			);
	},
);
