/** Overload: uploads, and requests for results. */
import { once } from "node:events";
import t from "tap";
import { mqttOwner } from "../../runtime/owner.js";
import { listeningLog } from "../engine/fake-lane.js";
import { eventually } from "../fixtures/eventually.js";
import { type Place, startPlace } from "../outbound/places.js";
import { beginUpload, filePart, formBytes, partOf } from "./raw-form.js";
import { formOf, startFiles, wavBytes, wavFields } from "./running-files.js";

t.test(
	"an upload above the limit is refused, and its place is given back",
	async (t) => {
		const files = await startFiles(t, {
			overrides: { files: { uploads_max: 2 } },
		});
		const form = formBytes([
			partOf("lang_type", "en"),
			partOf("format", "wav"),
			filePart("a.wav", wavBytes(1)),
		]);
		const half = Math.floor(form.length / 2);
		const slow = [
			beginUpload(files, form.length),
			beginUpload(
				files,
				form.length,
				await files.makeToken(["files"], 600, "other"),
			),
		];
		t.teardown(() => {
			for (const socket of slow) socket.destroy();
		});
		for (const socket of slow) socket.write(form.subarray(0, half));
		await eventually("both to be begun", () => files.left().length === 2);

		const refused = await files.upload({ ...wavFields, file: wavBytes(1) });
		t.match(refused, {
			http: 503,
			status: "100004",
			message: /2 files are being uploaded/,
			data: { duration: 0, task_id: "" },
		});
		t.ok(Number(refused.headers.get("retry-after")) > 0);
		t.match(
			await files.upload({ ...wavFields, file_url: "http://127.0.0.1/a" }),
			{
				status: "100004",
			},
		);
		t.equal(files.left().length, 2);

		const [first, second] = slow;
		first?.write(form.subarray(half));
		const [answer] = await once(first as NonNullable<typeof first>, "data");
		t.match(String(answer), /200 OK[\s\S]*"000000"/);
		t.match(await files.upload({ ...wavFields, file: wavBytes(1) }), {
			status: "000000",
		});
		second?.destroy(); // who goes away leaves the place, too
		await eventually("it to be gone", () => files.left().length === 2);
		for (let i = 0; i < 3; i++)
			t.match(await files.upload(wavFields), { status: "200001" });
		t.match(await files.upload({ ...wavFields, file: wavBytes(1) }), {
			status: "000000",
		});
	},
);

t.test("a full queue is said before a file is sent", async (t) => {
	const place = await startPlace(t, (_, response) => response.end(wavBytes(1)));
	const files = await startFiles(t, { allow: ["127.0.0.1"] });
	files.taskService.isFull = true;
	const socket = beginUpload(files, 1e9);
	t.teardown(() => socket.destroy());
	const [answer] = await once(socket, "data");
	t.match(String(answer), /^HTTP\/1.1 503 [\s\S]*"100004"/);
	t.same(files.left(), []);
	const file_url = `http://127.0.0.1:${place.port}/a`;
	const takeFile = async () =>
		files.intake?.takeNamed(
			{ ...wavFields, file_url },
			{
				owner: mqttOwner,
				signal: new AbortController().signal,
				log: listeningLog(() => {}),
			},
		);
	await t.rejects(takeFile(), /the queue is full/);
	t.equal(place.requests.length, 0);
});

t.test("an upload that a restart cuts off is answered as one", async (t) => {
	const files = await startFiles(t, {
		overrides: { server: { drain_seconds: 0 } },
	});
	const form = formBytes([
		partOf("lang_type", "en"),
		filePart("a.wav", wavBytes(1)),
	]);
	const socket = beginUpload(files, form.length);
	t.teardown(() => socket.destroy());
	socket.write(form.subarray(0, form.length / 2));
	await eventually("it to be begun", () => files.left().length === 1);
	const answered = once(socket, "data");
	await files.api.stop();
	const [answer] = await answered;
	const [, body = ""] = String(answer).split("\r\n\r\n");
	t.match(JSON.parse(body), {
		status: "100004",
		data: { duration: 0, task_id: "" },
	});
});

t.test("endless files take no place from others", async (t) => {
	let heldAll = () => {};
	const held = new Promise<void>((resolve) => {
		heldAll = resolve;
	});
	const tarpit = await startPlace(t, (_, response) => {
		response.writeHead(200).write("R"); // and no more
		if (tarpit.requests.length === 3) heldAll();
	});
	const place = await startPlace(t, (_, response) => response.end(wavBytes(1)));
	const files = await startFiles(t, {
		allow: ["127.0.0.1"],
		overrides: { files: { uploads_max: 4 } },
	});
	const fetchedFrom = ({ port }: Place, token = files.token) =>
		files.ask("/v1/asrfile/upload", {
			method: "POST",
			headers: { Authorization: `Bearer ${token}` },
			body: formOf({ ...wavFields, file_url: `http://127.0.0.1:${port}/a` }),
		});
	const stuck = [1, 2, 3].map(() => fetchedFrom(tarpit));
	await held;
	t.match(await fetchedFrom(tarpit), {
		status: "100004",
		message: /too many of this caller's files/,
	});
	t.equal(tarpit.requests.length, 3);
	const other = await files.makeToken(["files"], 600, "other");
	for (let i = 0; i < 3; i++)
		t.match(await fetchedFrom(place, other), { status: "000000" });
	tarpit.close();
	for (const answer of await Promise.all(stuck))
		t.match(answer, { status: "200009", message: /interrupted/ });
	t.match(await fetchedFrom(place), { status: "000000" });
});

t.test("files requested over the broker share the places", async (t) => {
	let onHeld = () => {};
	const held = new Promise<void>((resolve) => {
		onHeld = resolve;
	});
	const { port, close } = await startPlace(t, () => onHeld());
	const files = await startFiles(t, {
		allow: ["127.0.0.1"],
		overrides: { files: { uploads_max: 2 } },
	});
	const texts = { ...wavFields, file_url: `http://127.0.0.1:${port}/a` };
	const takeFile = async () =>
		files.intake?.takeNamed(texts, {
			owner: mqttOwner,
			signal: new AbortController().signal,
			log: listeningLog(() => {}),
		});
	const stuck = takeFile();
	await held;
	await t.rejects(takeFile(), /too many of this caller's files/);
	t.match(await files.upload({ ...wavFields, file: wavBytes(1) }), {
		status: "000000",
	});
	close();
	await t.rejects(stuck, /interrupted/);
	await t.rejects(takeFile(), /connection refused/, "its place is given back");
});

t.test(
	"the rate of requests for a result is limited for that task alone",
	async (t) => {
		const files = await startFiles(t, {
			overrides: { auth: { rate_per_second: 0.001, rate_burst: 3 } },
		});
		const [one, other] = ["1".repeat(32), "2".repeat(32)];
		files.taskService.put(one);
		files.taskService.put(other);
		const poll = (id: string) => files.ask(`/v1/asrfile/result?task_id=${id}`);
		for (let i = 0; i < 3; i++) t.match(await poll(one), { http: 200 });
		const refused = await poll(one);
		// data is an object: a client that polls goes on
		t.match(refused, { http: 429, status: "100005", data: {} });
		t.ok(Number(refused.headers.get("retry-after")) > 900);
		t.match(await poll(other), { http: 200 });

		for (let i = 0; i < 3; i++)
			t.match(await poll(`unknown-${i}`), { status: "220404" });
		t.match(await poll("unknown-3"), { http: 429 });
		t.match(await poll(other), { http: 200 }, "who guesses keeps nobody out");
	},
);
