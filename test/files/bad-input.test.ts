import t from "tap";
import { eventually } from "../fixtures/eventually.js";
import { holds } from "../fuzz/holds.js";
import {
	beginUpload,
	boundary,
	filePart,
	formBytes,
	type Part,
	partOf,
	uploadRaw,
} from "./raw-form.js";
import {
	type Fields,
	startFiles,
	wavBytes,
	wavFields,
} from "./running-files.js";
import { formsLeaveNothing } from "./uploads.property.js";

const nothing = { duration: 0, task_id: "" };
const good = [partOf("lang_type", "en"), partOf("format", "wav")];
const sound = wavBytes(1);
/** 张三 */
const inGbk = Buffer.from("d5c5c8fd", "hex");

t.test("an invalid form is refused, and nothing is kept", async (t) => {
	const files = await startFiles(t);
	const file = filePart("a.wav", sound);
	const whole = formBytes([...good, file]);
	const cases: readonly [string, Uint8Array, RegExp, string, string?][] = [
		[
			"no boundary named",
			whole,
			/no boundary/,
			"200003",
			"multipart/form-data",
		],
		[
			"an empty boundary",
			whole,
			/form/,
			"200003",
			"multipart/form-data; boundary=",
		],
		[
			"another boundary",
			whole,
			/form|Missing/,
			"200003",
			"multipart/form-data; boundary=other",
		],
		[
			"JSON",
			Buffer.from("{}"),
			/must be multipart/,
			"200003",
			"application/json",
		],
		["the file alone", sound, /must be multipart/, "200003", "audio/wav"],
		["no end", formBytes([...good, file], false), /is truncated/, "200003"],
		[
			"cut in the file",
			whole.subarray(0, whole.length / 2),
			/is truncated/,
			"200003",
		],
		["cut in a header", whole.subarray(0, 70), /is truncated/, "200003"],
		[
			"two files",
			formBytes([...good, file, file]),
			/file is given more than once/,
			"200002",
		],
		[
			"two files, one without name",
			formBytes([...good, file, partOf("file", sound)]),
			/more than once/,
			"200002",
		],
		[
			"a name of 10 kB",
			formBytes([...good, partOf("n".repeat(10_000), "x"), file]),
			/name is longer than 200/,
			"200003",
		],
		[
			"a value of 10 MB",
			formBytes([...good, partOf("gain", "1".repeat(1e7)), file]),
			/gain must be at most/,
			"200004",
		],
		[
			"a value of 10 MB behind the file",
			formBytes([file, ...good, partOf("x", "1".repeat(1e7))]),
			/must be at most/,
			"200004",
		],
		[
			"many values",
			formBytes([
				...good,
				...new Array<Part>(20).fill(partOf("x", "1".repeat(99_999))),
				file,
			]),
			/fields of the form/,
			"200004",
		],
		[
			"2000 fields",
			formBytes([...new Array<Part>(2000).fill(partOf("x", "1")), file]),
			/more than 1000 fields/,
			"200003",
		],
		["an empty form", formBytes([]), /form|file Parameter Missing/, "20000"],
		["no file", formBytes(good), /^file Parameter Missing$/, "200001"],
		[
			"hotwords in another encoding than UTF-8",
			formBytes([...good, partOf("hotwords_list", inGbk), file]),
			/^hotwords_list must be text in UTF-8$/,
			"200003",
		],
		[
			"an empty file",
			formBytes([...good, filePart("a.wav", "")]),
			/empty/,
			"200007",
		],
		[
			"an empty field",
			formBytes([...good, filePart("", "")]),
			/^file Parameter Missing$/,
			"200001",
		],
	];
	for (const [name, body, why, status, type] of cases) {
		const answer = await uploadRaw(files, body, type);
		t.match(answer, { message: why, data: nothing }, name);
		t.ok(answer.status.startsWith(status), `${name}: ${answer.status}`);
	}
	t.same(files.left(), []);
	t.equal(files.taskService.submitted.length, 0);
});

t.test("unusual but valid forms are accepted", async (t) => {
	const files = await startFiles(t);
	const cases: readonly [string, readonly Part[]][] = [
		["a file without a file's name", [...good, partOf("file", sound)]],
		[
			"an unknown field in another encoding",
			[...good, partOf("x", inGbk), filePart("a.wav", sound)],
		],
		[
			"other files beside it",
			[
				...good,
				{ ...filePart("x", "y"), disposition: 'name="extra"; filename="x"' },
				filePart("a.wav", sound),
			],
		],
		[
			"a part without a name",
			[...good, { disposition: "", body: "x" }, filePart("a.wav", sound)],
		],
		[
			"__proto__ as a field",
			[
				...good,
				partOf("__proto__", "x"),
				partOf("constructor", "y"),
				filePart("a.wav", sound),
			],
		],
		[
			"an empty file field beside a URL",
			[...good, filePart("a.wav", sound), filePart("", "")],
		],
	];
	for (const [name, parts] of cases)
		t.match(
			await uploadRaw(files, formBytes(parts)),
			{ status: "000000" },
			name,
		);
	const unquoted = `multipart/form-data; boundary="${boundary}"`;
	const whole = formBytes([...good, filePart("a.wav", sound)]);
	t.match(await uploadRaw(files, whole, unquoted), { status: "000000" });
	t.equal(files.left().length, cases.length + 1);
});

t.test("a name is displayed, and never used as a path", async (t) => {
	const files = await startFiles(t);
	const shownAs = async (name: string) => {
		const form = formBytes([...good, filePart(name, sound)]);
		const answer = await uploadRaw(files, form);
		t.match(answer, { status: "000000" }, JSON.stringify(name).slice(0, 60));
		return files.taskService.last.fileName;
	};
	for (const [name, shown] of [
		["../../../etc/passwd", "passwd"],
		["..\\..\\windows\\system.ini", "system.ini"],
		["/etc/passwd", "passwd"],
		["..", ""],
		["a\u0000b\u0007.wav", "ab.wav"],
		["a\u202egnp.wav", "agnp.wav"],
		["\u200d\u200b.wav", ".wav"],
		["نمی\u200cدانم.wav", "نمی\u200cدانم.wav"],
		["👩\u200d👧\u200d👦.wav", "👩\u200d👧\u200d👦.wav"],
		["Anna %22Annie%22 Lee.wav", 'Anna "Annie" Lee.wav'],
		["\u001b[31mred.wav", "[31mred.wav"],
		["会議 1.wav", "会議 1.wav"],
		["<script>alert(1)</script>.wav", "script>.wav"],
		[`${"x".repeat(300)}.wav`, "x".repeat(255)],
		["%2e%2e%2fpasswd", "%2e%2e%2fpasswd"],
	] as const)
		t.equal(await shownAs(name), shown);
	for (const name of files.left()) t.match(name, /^[A-Za-z0-9_-]{22}$/);
});

t.test("bytes that do not match their format", async (t) => {
	const files = await startFiles(t);
	const text = Buffer.from(
		"This is a text, and nobody can hear it.\n".repeat(200),
	);
	const zip = Buffer.concat([
		Buffer.from("PK\x03\x04\x14\0\0\0\x08\0", "latin1"),
		Buffer.alloc(5000, 0x61),
	]);
	const cases: readonly [string, Fields, string, RegExp][] = [
		["text as wav", { file: text }, "200006", /the bytes are not wav/],
		["text as mp3", { file: text, format: "mp3" }, "200006", /not mp3/],
		["text as opus", { file: text, format: "opus" }, "200006", /not opus/],
		["a zip as wav", { file: zip }, "200006", /not wav/],
		["a zip as mp4", { file: zip, format: "mp4" }, "200006", /not mp4/],
		[
			"zeros as mp3",
			{ file: Buffer.alloc(100_000), format: "mp3" },
			"200006",
			/not mp3/,
		],
		[
			"AVI as wav",
			{ file: Buffer.from("RIFF\0\0\0\0AVI LIST") },
			"200006",
			/AVI/,
		],
		[
			"WebM",
			{ file: Buffer.from("\x1aE\xdf\xa3 and more", "latin1") },
			"200006",
			/Matroska/,
		],
		["a header alone", { file: wavBytes(0) }, "200007", /empty/],
		["half a header", { file: wavBytes(0).subarray(0, 30) }, "200006", /fmt/],
		[
			"one byte of pcm",
			{ file: Buffer.alloc(1), format: "pcm" },
			"200007",
			/empty/,
		],
		["7 channels", { file: wavBytes(1, 16000, 7) }, "200006", /7 channels/],
		[
			"65535 channels",
			{ file: channelsDeclared(65_535) },
			"200006",
			/65535 channels/,
		],
		["a rate of 4 GHz", { file: rateDeclared(4e9) }, "200006", /sample rate/],
	];
	for (const [name, fields, status, why] of cases)
		t.match(
			await files.upload({ ...wavFields, ...fields }),
			{ status, message: why, data: nothing },
			name,
		);
	t.same(files.left(), []);
	t.match(
		await files.upload({ ...wavFields, file: wavBytes(1, 192_000) }),
		{
			status: "000000",
			data: { duration: 1 },
		},
		"192 kHz is heard",
	);
});

t.test("a connection broken in the middle leaves nothing", async (t) => {
	const files = await startFiles(t);
	const body = formBytes([...good, filePart("a.wav", wavBytes(30))]);
	for (const share of [0.0005, 0.01, 0.5, 0.999]) {
		const socket = beginUpload(files, body.length);
		socket.write(body.subarray(0, Math.floor(body.length * share)));
		if (share > 0.005)
			await eventually("the file to be begun", () => files.left().length > 0);
		socket.destroy();
		await eventually(
			`nothing to be left of one cut at ${share * 100} %`,
			() => files.left().length === 0,
			{ seen: () => files.left() },
		);
	}
	await eventually(
		"its bytes to be given back",
		() => files.shelf.bytes === 0,
		{
			seen: () => files.shelf.bytes,
		},
	);
	t.equal(files.taskService.submitted.length, 0);
	t.match(await uploadRaw(files, body), { status: "000000" }, "others go on");
});

t.test("damaged forms", async (t) => {
	// the forty-fourth is one over which the parser waits until it is given up
	const answers = await holds(t, await formsLeaveNothing(t), 43);
	t.ok(answers.has("000000") && answers.has("200003"), "of both kinds");
});

function channelsDeclared(channels: number): Buffer {
	const bytes = wavBytes(1);
	bytes.writeUInt16LE(channels, 22);
	return bytes;
}

function rateDeclared(rateHz: number): Buffer {
	const bytes = wavBytes(1);
	bytes.writeUInt32LE(rateHz, 24);
	return bytes;
}
