import { readFileSync } from "node:fs";
import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import { StoreError } from "../../runtime/store/store-error.js";
import { startPlace } from "../outbound/places.js";
import {
	filePart,
	formBytes,
	formType,
	partOf,
	uploadRaw,
} from "./raw-form.js";
import {
	type Fields,
	startFiles,
	wavBytes,
	wavFields,
} from "./running-files.js";

const vip = "/v1/asrfile/upload/vip";
const nothing = { duration: 0, task_id: "" };

t.test("a file becomes a task, and is on the shelf", async (t) => {
	const files = await startFiles(t);
	const sound = wavBytes(2.6);
	const answer = await files.upload({ ...wavFields, file: sound });
	const { last } = files.taskService;
	t.match(answer, {
		http: 200,
		status: "000000",
		data: { duration: 3, task_id: last.id },
	});
	t.match(last.id, /^[0-9a-f]{32}$/);
	t.match(last, { owner: "token:tester", fileName: "a.wav", audioMs: 2600 });
	t.same(files.left(), [last.audioId]);
	t.same(readFileSync(files.shelf.path(last.audioId)), sound);
	t.same(await files.shelf.ids(), [last.audioId]);
	t.same(last.options, {
		variant: "standard",
		language: "en-US",
		format: "wav",
		sampleRateHz: 16000,
		channels: 1,
		gain: 1,
		output: "text",
		maxSentenceSilenceMs: 800,
		punctuation: true,
		inverseTextNormalization: true,
		modalParticleFilter: false,
		words: false,
		wordsType: 0,
		keywordsQuantity: 0,
		langLabel: false,
		hotwordsWeight: 0.4,
	});
});

t.test("a field is a text, whatever type its client gives it", async (t) => {
	const files = await startFiles(t);
	const type = "application/octet-stream"; // form-data and aiohttp, for bytes
	const parts = [
		{ ...partOf("lang_type", "ja-JP"), type },
		{ ...partOf("format", "wav"), type },
		{ ...partOf("file", wavBytes(0.5)), type },
	];
	t.match(await uploadRaw(files, formBytes(parts)), { http: 200 });
	t.match(files.taskService.last.options, { language: "ja-JP" });
});

t.test("fields may come before the file or after it", async (t) => {
	const files = await startFiles(t);
	const file = wavBytes(0.5);
	await files.upload({
		lang_type: "zh",
		file,
		format: "WAV",
		output: "subtitle",
	});
	t.match(files.taskService.last.options, {
		language: "zh-cmn-Hans-CN",
		format: "wav",
		output: "subtitle",
		punctuation: false,
	});
	await files.upload({ file, ...wavFields });
	t.equal(files.taskService.submitted.length, 2);
});

t.test("every field is read as the interface defines it", async (t) => {
	const files = await startFiles(t);
	const options = async (fields: Fields, path?: string) => {
		const file = wavBytes(0.1);
		const answer = await files.upload({ ...wavFields, file, ...fields }, path);
		t.equal(answer.status, "000000", answer.message);
		return files.taskService.last.options;
	};
	t.match(
		await options({
			lang_type: "ja-en",
			field: "call-center",
			enable_words: "True",
			enable_modal_particle_filter: "TRUE",
			enable_inverse_text_normalization: "False",
			enable_punctuation_prediction: "false",
			words_type: "1",
			clusters: "0",
			hotwords_list: ["one", "two|three", '["four","fünf"]'],
			hotwords_weight: "0.9",
			keywords_quantity: "100",
			enable_lang_label: "true",
			paragraph_condition: "100",
			callback_url: "http://callbacks.example:8080/done?x=1",
			enable_save_log: "False",
			gain: "",
			unknown_field: "ignored",
		}),
		{
			language: "ja-JP-en-US",
			sampleRateHz: 8000,
			gain: 2,
			maxSentenceSilenceMs: 250,
			words: true,
			modalParticleFilter: true,
			inverseTextNormalization: false,
			punctuation: false,
			wordsType: 0, // Mandarin only
			clusters: 0,
			hotwordsList: ["one", "two", "three", "four", "fünf"],
			hotwordsWeight: 0.9,
			keywordsQuantity: 100,
			langLabel: true,
			paragraphCondition: 100,
			callbackUrl: "http://callbacks.example:8080/done?x=1",
		},
	);
	t.match(await options({ lang_type: "zh", words_type: "1" }), {
		wordsType: 1,
	});
	t.match(await options({ enable_lang_label: "true" }), { langLabel: false });
	for (const condition of ["99", "2001", "0", "-5"])
		t.notOk(
			"paragraphCondition" in
				(await options({ paragraph_condition: condition })),
			`paragraph_condition ${condition} disables`,
		);
	t.match(await options({ clusters: "10" }, vip), {
		variant: "vip",
		clusters: 10,
	});
	t.match(await options({ clusters: "1" }), { clusters: 1 });
	t.match(await options({ format: "pcm" }), { format: "wav" }, "bytes win");
	t.match(await options({ file: wavBytes(0.1, 8000, 2), channels: "2" }), {
		channels: 2,
	});
	t.match(
		await options({ channels: "2" }),
		{ channels: 1, clusters: 1 },
		"two channels can't be heard where there is one: its segments have one speaker",
	);
	t.match(
		await options({ format: "pcm", file: Buffer.alloc(64_000), channels: "2" }),
		{ channels: 2, format: "pcm" },
	);
	t.equal(files.taskService.last.audioMs, 1000);
});

t.test("a wrong field is reported, and nothing is kept", async (t) => {
	const files = await startFiles(t);
	const file = wavBytes(0.1);
	const cases: readonly [Fields, string, RegExp, string?][] = [
		[{ file: undefined }, "200001", /^file Parameter Missing$/],
		[{ file: "" }, "200001", /^file Parameter Missing$/],
		[{ file: "", lang_type: "" }, "200001", /^file Parameter Missing$/],
		[{ lang_type: undefined }, "200001", /lang_type is required/],
		[{ lang_type: "tlh" }, "200008", /lang_type must be one of/],
		[{ format: undefined }, "200001", /format is required/],
		[{ format: "mkv" }, "200006", /format must be one of/],
		[{ format: "mp4" }, "200006", /format must be one of/, vip],
		[{ format: "m4a" }, "200006", /format must be one of/, vip],
		[{ field: "phone" }, "200002", /field must be one of/],
		[{ output: "srt" }, "200002", /output must be one of/],
		[
			{ max_sentence_silence: "199" },
			"200002",
			/an integer from 200 to 1200, got 199/,
		],
		[{ max_sentence_silence: "1201" }, "200002", /max_sentence_silence/],
		[
			{ enable_words: "yes" },
			"200002",
			/enable_words must be true or false, got "yes"/,
		],
		[{ words_type: "2" }, "200002", /words_type/],
		[{ clusters: "11" }, "200002", /clusters must be an integer from 0 to 10/],
		[{ clusters: "-1" }, "200002", /clusters/],
		[
			{ clusters: "1" },
			"200002",
			/clusters must be 0 or an integer from 2 to 10/,
			vip,
		],
		[{ channels: "0" }, "200002", /channels/],
		[{ channels: "3" }, "200002", /channels must be an integer from 1 to 2/],
		[
			{ hotwords_list: Array.from({ length: 101 }, (_, i) => `w${i}`) },
			"200002",
			/hotwords_list must be a list of at most 100/,
		],
		[
			{ hotwords_list: ["a".repeat(40_000), "b".repeat(40_000)] },
			"200002",
			/hotwords_list must be a list of at most 100/,
		],
		[{ hotwords_list: "[1,2]" }, "200002", /hotwords_list/],
		[{ hotwords_id: "no such/id" }, "200002", /hotwords_id/],
		[{ hotwords_id: "missing" }, "210404", /missing does not exist/],
		[{ correction_words_id: "a|b" }, "211404", /a does not exist/],
		[{ forbidden_words_id: "a" }, "212404", /a does not exist/],
		[{ hotwords_weight: "0.05" }, "200002", /hotwords_weight/],
		[{ keywords_quantity: "101" }, "200002", /keywords_quantity/],
		[{ gain: "21" }, "200002", /gain/],
		[{ gain: "two" }, "200002", /gain/],
		[{ gain: ["1", "2"] }, "200002", /gain was given 2 times/],
		[{ paragraph_condition: "many" }, "200002", /paragraph_condition/],
		[{ callback_url: "ftp://a/b" }, "200002", /callback_url.*http/],
		[
			{ callback_url: "http://127.0.0.1:7100/" },
			"200002",
			/callback_url.*appliance itself/,
		],
		[
			{ callback_url: "http://169.254.169.254/" },
			"200002",
			/callback_url.*link local/,
		],
		[
			{ callback_url: "http://user:pass@host/" },
			"200002",
			/callback_url.*user name/,
		],
		[
			{ format: "pcm", sample_rate: "8000" },
			"200002",
			/sample_rate must be 16000/,
		],
	];
	for (const [fields, status, why, path] of cases)
		t.match(
			await files.upload({ ...wavFields, file, ...fields }, path),
			{ status, message: why, data: nothing },
			`${JSON.stringify(fields).slice(0, 60)} ${status}`,
		);
	t.same(files.left(), []);
	t.equal(files.shelf.bytes, 0);
	t.equal(files.taskService.submitted.length, 0);
});

t.test("a refused upload gets an answer of the usual shape", async (t) => {
	const files = await startFiles(t);
	const body = new FormData();
	const options = { method: "POST", body };
	t.match(await files.ask("/v1/asrfile/upload", options), {
		http: 401,
		status: "110001",
		data: nothing,
	});
	const other = await files.makeToken(["asr"]);
	const headers = { Authorization: `Bearer ${other}` };
	t.match(await files.ask(vip, { ...options, headers }), {
		http: 403,
		status: "110003",
		data: nothing,
	});
});

t.test("a task service that refuses leaves no audio behind", async (t) => {
	const files = await startFiles(t);
	files.taskService.refuse = new CodedError("100004", "the queue is full");
	const file = wavBytes(0.1);
	t.match(await files.upload({ ...wavFields, file }), {
		http: 503,
		status: "100004",
		data: nothing,
	});
	t.same(files.left(), []);
});

t.test(
	"a lack of disk space is reported as storage, before and while reading",
	async (t) => {
		const disk = { bytesMax: 100_000, reserveBytes: 0 };
		const files = await startFiles(t, { disk });
		const upload = (seconds: number) =>
			files.upload({ ...wavFields, file: wavBytes(seconds) });
		t.match(await upload(1), { status: "000000" });
		const refused = {
			http: 503,
			status: "100004",
			message: /storage/,
			data: nothing,
		};
		t.match(await upload(3), refused);
		t.match(await upload(2.2), refused);
		t.equal(files.left().length, 1);
		t.match(await upload(2), { status: "000000" });
	},
);

t.test("a nearly full disk is left to the database", async (t) => {
	const disk = { bytesMax: 1e9, reserveBytes: 1e18 };
	const full = await startFiles(t, { disk });
	t.match(await full.upload({ ...wavFields, file: wavBytes(1) }), {
		http: 503,
		status: "100004",
		message: /storage/,
		data: nothing,
	});
	t.same(full.left(), []);
});

t.test("size limits depend on the kind of file", async (t) => {
	const files = await startFiles(t, {
		overrides: {
			files: { audio_file_bytes_max: 50_000, video_file_bytes_max: 100_000 },
		},
	});
	const large = wavBytes(2); // 64 kB
	const tooLarge = { http: 413, status: "200004", data: nothing };
	t.match(await files.upload({ ...wavFields, file: large }), tooLarge);
	t.match(
		await files.upload({ file: large, ...wavFields }),
		tooLarge,
		"known only afterwards",
	);
	t.match(
		await files.upload({ ...wavFields, format: "mp4", file: large }),
		tooLarge,
		"it is no video after all",
	);
	t.match(
		await files.upload({ ...wavFields, file: wavBytes(10) }, vip),
		tooLarge,
	);
	const huge = Buffer.alloc(2_000_000);
	t.match(await files.upload({ ...wavFields, file: huge }), tooLarge);
	t.same(files.left(), []);
	t.match(await files.upload({ ...wavFields, file: wavBytes(1.5) }), {
		status: "000000",
	});
});

t.test("durations are limited: 5 hours, 6 for VIP", async (t) => {
	const files = await startFiles(t);
	// 8-bit, 4 kHz: an hour is 14 MB, and nobody has to read it
	const hours = (count: number) => {
		const bytes = Buffer.alloc(44 + count * 3600 * 4000);
		wavBytes(0).copy(bytes);
		bytes.writeUInt32LE(4000, 24);
		bytes.writeUInt16LE(1, 32);
		bytes.writeUInt16LE(8, 34);
		bytes.writeUInt32LE(0, 40);
		return bytes;
	};
	// as bytes: a form of fetch is read in pieces of 64 KiB, which takes longer than all the rest
	const upload = (count: number, path = "/v1/asrfile/upload") =>
		files.ask(path, {
			method: "POST",
			headers: {
				Authorization: `Bearer ${files.token}`,
				"Content-Type": formType,
			},
			body: formBytes([
				...Object.entries(wavFields).map(([name, text]) => partOf(name, text)),
				filePart("a.wav", hours(count)),
			]),
		});
	const tooLong = {
		http: 400,
		status: "200005",
		message: /hours/,
		data: nothing,
	};
	t.match(await upload(5), { data: { duration: 5 * 3600 } });
	t.match(await upload(5.001), tooLong);
	t.match(await upload(5.9, vip), { status: "000000" });
	t.match(await upload(6, vip), tooLong);
	t.equal(files.left().length, 2);
});

t.test("a file is fetched from its URL", async (t) => {
	const sound = wavBytes(1);
	const place = await startPlace(t, (request, response) => {
		if (request.url?.startsWith("/moved"))
			return response.writeHead(302, { location: "/sound.wav" }).end();
		if (request.url === "/404") return response.writeHead(404).end();
		if (request.url === "/gzip")
			return response.writeHead(200, { "content-encoding": "gzip" }).end(sound);
		if (request.url === "/empty") return response.end();
		if (request.url === "/loop")
			return response.writeHead(302, { location: "/loop" }).end();
		if (request.url === "/inside")
			return response.writeHead(302, { location: "http://10.0.0.1/" }).end();
		return response.end(sound);
	});
	const files = await startFiles(t, {
		allow: ["127.0.0.1"],
		overrides: { files: { audio_file_bytes_max: 100_000 } },
	});
	const at = (path: string) => `http://127.0.0.1:${place.port}${path}`;
	const fetchedFrom = (file_url: string, more: Fields = {}) =>
		files.upload({ ...wavFields, file_url, ...more });
	t.match(await fetchedFrom(at("/a/b/%E4%BC%9A%E8%AD%B0.wav?token=1")), {
		status: "000000",
		data: { duration: 1 },
	});
	t.equal(files.taskService.last.fileName, "会議.wav");
	const inGbk = "%C2%BC%D2%F4.wav";
	t.match(await fetchedFrom(at(`/${inGbk}`)), { status: "000000" });
	t.equal(files.taskService.last.fileName, inGbk, "better than none");
	t.match(await fetchedFrom(at("/moved")), { status: "000000" });
	t.equal(files.left().length, 3);
	const requestsBefore = place.requests.length;
	t.match(await fetchedFrom(at("/never"), { file: wavBytes(2) }), {
		data: { duration: 2 },
	});
	t.equal(place.requests.length, requestsBefore, "file wins over file_url");
	const refused = (why: RegExp, status = "200009") => ({
		status,
		message: why,
		data: nothing,
	});
	for (const [url, expected] of [
		[at("/404"), refused(/answered 404/)],
		[at("/gzip"), refused(/compressed/)],
		[at("/loop"), refused(/redirects more than 5/)],
		[at("/inside"), refused(/not allowed.*private/)],
		["http://127.0.0.1:1/", refused(/connection refused/)],
		["http://10.0.0.1/a.wav", refused(/private/)],
		["http://nowhere.example/a.wav", refused(/host name is unknown/)],
		["file:///etc/passwd", refused(/http/)],
		[at("/empty"), refused(/empty/, "200007")],
	] as const)
		t.match(await fetchedFrom(url), expected, url);
	const large = await startPlace(t, (_, response) => response.end(wavBytes(4)));
	t.match(
		await fetchedFrom(`http://127.0.0.1:${large.port}/`),
		refused(/larger than 100000 bytes/, "200004"),
	);
	t.equal(files.left().length, 4);
});

t.test("lists named by an upload are held while it is processed", async (t) => {
	const files = await startFiles(t);
	const token = await files.makeToken(["hotwords"]);
	const headers = { Authorization: `Bearer ${token}` };
	const list = { id: "h", lang_type: "en-US", words: ["earshot"] };
	const made = { method: "POST", headers, body: JSON.stringify(list) };
	await files.ask("/v1/hotwords", made);
	let during: Promise<unknown> = Promise.resolve();
	files.taskService.onSubmit = () => {
		during = files.ask("/v1/hotwords/h", { method: "DELETE", headers });
	};
	const hold = files.taskService.submit.bind(files.taskService);
	files.taskService.submit = async (task) => {
		await hold(task);
		t.match(await during, { status: "210423" });
	};
	const file = wavBytes(0.1);
	const answer = await files.upload({ ...wavFields, file, hotwords_id: "h" });
	t.match(answer, { status: "000000" });
	t.equal(files.taskService.last.options.hotwordsId, "h");
	t.match(await files.ask("/v1/hotwords/h", { method: "DELETE", headers }), {
		status: "000000",
	});
});

t.test("audio is kept where its task may still be written", async (t) => {
	const files = await startFiles(t);
	const send = () => files.upload({ ...wavFields, file: wavBytes(1) });
	const kept = async () => (await files.shelf.ids()).length;
	files.taskService.refuse = new StoreError("full", "the disk is full");
	t.not((await send()).http, 200);
	t.equal(await kept(), 0, "it is certain that there is no task");
	files.taskService.refuse = new StoreError("stuck", "not confirmed in time");
	t.not((await send()).http, 200);
	t.equal(await kept(), 1, "the next start finds the task, or removes it");
});
