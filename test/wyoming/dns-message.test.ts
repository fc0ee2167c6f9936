/** Which messages of multicast DNS are decoded at all. */
import t from "tap";
import { workMax, workOf } from "../../runtime/api/listeners/dns-message.js";
import {
	allTypes,
	answerFlags,
	chain,
	firstName,
	label,
	longNames,
	many,
	message,
	nameOf,
	numbers,
	pointedTo,
	pointerTo,
	question,
	record,
	repeated,
	sameQuestions,
} from "../hostile/dns-messages.js";

const devicePort = 5353;
const programPort = 40_000;
const name = nameOf("printer.local");
const local = Buffer.concat([label("kiosk"), pointerTo(firstName + 8)]);

function answer(type: number, data: Uint8Array): Buffer {
	return message({ flags: answerFlags, answers: [record(name, type, data)] });
}

t.test("what devices and programs send", async (t) => {
	const types = Buffer.concat([name, Buffer.of(0, 4, 0x40, 0, 0, 8)]);
	const wrongPointer = Buffer.concat([
		pointerTo(0x3fff),
		Buffer.of(0, 1, 0x40),
	]);
	const service = Buffer.concat([numbers(0, 0, 80), local]);
	const messages: readonly [string, Buffer][] = [
		["a question", message({ questions: [question(name)] })],
		["an address", answer(1, Buffer.alloc(4))],
		["an address of IPv6", answer(28, Buffer.alloc(16))],
		["a pointer", answer(12, local)],
		["a service", answer(33, service)],
		["a text", answer(16, Buffer.concat([label("a=1"), label("b=2")]))],
		["an empty text", answer(16, Buffer.alloc(0))],
		["types", answer(47, types)],
		["types with a wrong pointer", answer(47, wrongPointer)],
		["what isn't known", answer(13, Buffer.of(1, 2, 3))],
		[
			"options",
			message({
				questions: [question(name)],
				others: [
					record(Buffer.of(0), 41, numbers(4, 2, 0), { capacity: 1440 }),
				],
			}),
		],
	];
	for (const [what, bytes] of messages) t.ok(workOf(bytes, devicePort), what);
	t.ok(workOf(longNames(80), devicePort), "long names");
	t.ok(workOf(message({ questions: [question(name)] }), programPort));
});

t.test(
	"a hundred questions at once are less than half of the most",
	async (t) => {
		const suffix = firstName + 8;
		const questions = [
			question(nameOf("_type-0._tcp.local")),
			...many(99, (i) =>
				question(Buffer.concat([label(`_type-${i + 1}`), pointerTo(suffix)])),
			),
		];
		const work = workOf(message({ questions }), devicePort) ?? workMax;
		t.ok(work < workMax / 2, `${work}`);
	},
);

t.test("what costs too much", async (t) => {
	const bytes = message({ questions: [question(name)] });
	const messages: readonly [string, Buffer][] = [
		["too long a message", Buffer.concat([bytes, Buffer.alloc(9000)])],
		["too long a name", pointedTo(128, 1472)],
		["names in all", longNames(120)],
		["a chain of pointers", chain],
		["all types", allTypes],
		["a question in many letters", sameQuestions(9, 1440)],
		["long answers", sameQuestions(1, 9000)],
		["a text of many pieces", answer(16, Buffer.alloc(8000))],
		[
			"records that are planned",
			message({ planned: many(33, () => record(name, 1, Buffer.alloc(4))) }),
		],
	];
	for (const [what, bytes] of messages)
		t.equal(workOf(bytes, devicePort), undefined, what);
	t.equal(workOf(repeated, programPort), undefined, "repeated questions");
});

t.test("what is malformed", async (t) => {
	const whole = message({ questions: [question(name)] });
	for (let length = 0; length < whole.length; length++)
		t.equal(workOf(whole.subarray(0, length), devicePort), undefined);
	const behind = pointerTo(firstName + 20);
	const messages: readonly [string, Buffer][] = [
		["more behind it", Buffer.concat([whole, Buffer.of(0)])],
		["a pointer to itself", message({ questions: [question(pointerTo(12))] })],
		["a pointer ahead", message({ questions: [question(behind)] })],
		[
			"an old kind of label",
			message({ questions: [question(Buffer.of(0x80, 0))] }),
		],
		["a short address", answer(1, Buffer.alloc(3))],
		["a long address of IPv6", answer(28, Buffer.alloc(17))],
		["a name and more", answer(12, Buffer.concat([local, Buffer.of(0)]))],
		["a service without a name", answer(33, numbers(0, 0))],
		["a text that ends too late", answer(16, Buffer.of(2, 1))],
		["types without an end of the name", answer(47, label("a"))],
		["types without their list", answer(47, Buffer.of(0, 0))],
		["types in two lists", answer(47, Buffer.of(0, 0, 1, 1, 0, 1, 1))],
	];
	for (const [what, bytes] of messages)
		t.equal(workOf(bytes, devicePort), undefined, what);
});
