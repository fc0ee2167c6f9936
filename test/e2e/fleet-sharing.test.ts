/** Several real appliances at one mosquitto: files that wait at one are transcribed by the others. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import t, { type Test } from "tap";
import { clipBytes } from "../audio/clips.js";
import { pcmWav } from "../audio/wav-bytes.js";
import { eventually } from "../fixtures/eventually.js";
import { nextHexId } from "../fixtures/ids.js";
import { Broker, brokerMissing } from "../fleet/broker.js";
import { Listener } from "../fleet/listener.js";
import { Peer } from "../fleet/played-sharing.js";
import { RunningAppliance } from "./running-appliance.js";

/** A device that is alive is not to be called dead because the machine is busy; `b` lends to one that is killed, and waits for the end of its lease. */
const leaseSecondsOf = (name: string) => (name === "b" ? 15 : 600);

/** Somebody reads; a round is worth a second's work. */
function talkOf(rounds: number): Uint8Array {
	const clip = clipBytes("en-librivox-0930.wav");
	const other = clipBytes("en-librivox-0880.wav");
	const gap = Buffer.alloc(32_000);
	const round = Buffer.concat([clip, gap, other, gap]);
	return pcmWav(Buffer.concat(Array(rounds).fill(round)));
}

async function site(t: Test, names: readonly string[]) {
	const broker = await Broker.during(t, t.testdir());
	const listener = await Listener.during(t, broker.url, ["earshot/#"]);
	const devices = new Map<string, RunningAppliance>();
	await Promise.all(
		names.map(async (name) => {
			const device = await RunningAppliance.start({
				EARSHOT_FLEET_URL: broker.url,
				EARSHOT_FLEET_SITE: "hq",
				EARSHOT_FLEET_DEVICE: name,
				EARSHOT_FLEET_SHARE: "true",
				EARSHOT_FLEET_LEASE_SECONDS: String(leaseSecondsOf(name)),
				EARSHOT_FLEET_REPORT_SECONDS: "1",
				EARSHOT_OUTBOUND_ALLOW: "127.0.0.1",
				EARSHOT_ENGINE_THREADS: "1",
			});
			t.teardown(() => device.dispose());
			devices.set(name, device);
		}),
	);
	const device = (name: string) => {
		const found = devices.get(name);
		if (!found) throw new Error(`no ${name}`);
		return found;
	};
	const shared = (name: string) =>
		listener.json(`hq/${name}/metrics`).at(-1)?.shared as
			| Record<string, number>
			| undefined;
	/** Its figures since then: nothing is out, and all that it had to say is said. */
	const hasAllBack = (name: string, from: number) =>
		listener.messages
			.slice(from)
			.filter((it) => it.topic.endsWith(`hq/${name}/metrics`))
			.map((it) => JSON.parse(it.text))
			.some(
				({ shared, outbox }) =>
					shared.lent + shared.borrowed + outbox.waiting === 0,
			);
	const untilAllIsBack = (name: string, from: number) =>
		eventually(`all files of ${name} to be back`, () => hasAllBack(name, from));
	const untilReported = (name: string, ids: readonly string[]) =>
		eventually(
			`${name}'s files to be done`,
			() =>
				ids.every((id) => listener.json(`hq/${name}/tasks/${id}`).length > 0),
			{ deadlineMs: 250_000, seen: () => shared(name) },
		);
	t.teardown(() => {
		if (process.env.EARSHOT_TEST_TALK)
			for (const [name, { log }] of devices)
				for (const line of log.filter((it) =>
					/shared|another device|offers|task/.test(it),
				))
					t.comment(name, line);
	});
	return { listener, device, shared, untilAllIsBack, untilReported };
}

async function upload(
	{ url, token }: RunningAppliance,
	bytes: Uint8Array,
): Promise<string> {
	const form = new FormData();
	form.append("lang_type", "en-US");
	form.append("format", "wav");
	form.append("enable_words", "true");
	form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), "talk.wav");
	const headers = { authorization: `Bearer ${token}` };
	const answer = await fetch(`${url}/v1/asrfile/upload`, {
		method: "POST",
		headers,
		body: form,
	});
	const { data } = (await answer.json()) as { data: { task_id: string } };
	return data.task_id;
}

/** The words of a result, whatever sentences they stand in. */
function wordsOf(message: Record<string, unknown> | undefined): string {
	const result = (message?.result ?? []) as { transcript: string }[];
	return result
		.map((it) => it.transcript)
		.join(" ")
		.toLowerCase()
		.replace(/[^a-z ]/g, "");
}

t.test("devices of one site", { skip: brokerMissing }, async (t) => {
	const names = ["a", "b", "c"];
	const { listener, device, shared, ...wait } = await site(t, names);
	const { untilAllIsBack, untilReported } = wait;

	await t.test("share files, and a client sees no difference", async (t) => {
		const talk = talkOf(1);
		const ids: string[] = [];
		for (let i = 0; i < 5; i++) ids.push(await upload(device("a"), talk));
		const messagesOf = (id: string) => listener.json(`hq/a/tasks/${id}`);
		await untilReported("a", ids);
		const from = listener.messages.length;
		for (const name of ["a", "b", "c"]) await untilAllIsBack(name, from);
		const words = ids.map((id) => wordsOf(messagesOf(id)[0]));
		t.match(words[0], /amiable himself/);
		for (const it of words) t.equal(it, words[0]);
		for (const id of ids) {
			t.equal(messagesOf(id).length, 1, "reported once");
			t.match(messagesOf(id)[0], { desc: "Completed", message: "success" });
		}
		t.ok((shared("a")?.given ?? 0) >= 2, JSON.stringify(shared("a")));
		t.ok((shared("b")?.taken ?? 0) >= 1, JSON.stringify(shared("b")));
		t.ok((shared("c")?.taken ?? 0) >= 1, JSON.stringify(shared("c")));
		for (const name of ["a", "b", "c"])
			t.match(
				shared(name),
				{ lent: 0, borrowed: 0, lost: 0 },
				"nothing is left over",
			);
		t.equal(
			listener.messages.filter((it) => /hq\/[bc]\/tasks/.test(it.topic)).length,
			0,
			"only its owner tells of a task",
		);
	});

	await t.test("finish the file of one that is killed, once", async (t) => {
		await device("a").stop();
		const talk = talkOf(3);
		const before = device("b").log.length; // it may be shared before its upload is answered
		const ids = [
			await upload(device("b"), talk),
			await upload(device("b"), talk),
		];
		const isLogged = (pattern: RegExp) =>
			device("b")
				.log.slice(before)
				.some((line) => pattern.test(line));
		await eventually("a file to be shared", () => isLogged(/file shared/));
		device("c").process.kill("SIGSTOP"); // at once: it has the audio, and some seconds of work
		await device("c").stop("SIGKILL");
		const messagesOf = (id: string) => listener.json(`hq/b/tasks/${id}`);
		await untilReported("b", ids);
		await untilAllIsBack("b", listener.messages.length);
		t.ok(isLogged(/shared file returned by the device/));
		for (const id of ids) {
			t.equal(messagesOf(id).length, 1, "reported once");
			t.match(messagesOf(id)[0], { desc: "Completed" });
			const result = messagesOf(id)[0]?.result as {
				seg_num: number;
				begin: string;
			}[];
			t.strictSame(
				result.map((it) => it.seg_num),
				result.map((_, at) => at + 1),
			);
			const begins = result.map((it) => it.begin);
			t.strictSame(begins, [...begins].sort(), "nothing is told twice");
		}
		const [one, ...others] = ids.map((id) => wordsOf(messagesOf(id)[0]));
		const count = (text = "") => text.split(/ +/).length;
		for (const other of others)
			t.ok(Math.abs(count(other) - count(one)) <= 0.03 * count(one));
	});

	await t.test(
		"fetch nothing but the audio of a task, whoever asks",
		async (t) => {
			const requests: string[] = [];
			const elsewhere = "/admin?expires=1&signature=x";
			const server = createServer((request, response) => {
				requests.push(request.url ?? "");
				response.writeHead(302, { location: elsewhere }).end();
			}).listen(0, "127.0.0.1");
			t.teardown(() => server.close());
			await once(server, "listening");
			const { port } = server.address() as AddressInfo;
			const peer = new Peer(listener, "stranger", "b");
			const audio = `/v1/asrfile/audio/${"x".repeat(22)}.task`;
			const tries: readonly [string, number][] = [
				[elsewhere, 1000],
				[`${audio}?expires=1&signature=x&more=y`, 1000],
				[`${audio}?expires=1&signature=x`, 2 ** 44],
				[`${audio}?expires=1&signature=x`, 1000], // and it leads elsewhere
			];
			for (const [path, bytes] of tries) {
				const offer = nextHexId(16);
				const lease = nextHexId(16);
				const whisper = { model: "whisper-base", language: "en-US" };
				// a device reads offers while it has nothing to do, and the one before may just be done
				await eventually("an offer to be accepted", async () => {
					await peer.offer({ offer, ...whisper, audio_ms: 1 });
					return peer.hasReceived("accept", { offer });
				});
				await peer.send("grant", {
					offer,
					lease,
					bytes,
					lease_seconds: 60,
					url: `http://127.0.0.1:${port}${path}`,
				});
				await peer.receive("end", { lease });
			}
			t.strictSame(requests, [tries[3]?.[0]]);
		},
	);
});
