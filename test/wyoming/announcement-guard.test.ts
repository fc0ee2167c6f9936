/** What reaches the library that answers multicast DNS, and what of its failures reaches the rest. */
import t from "tap";
import { guardAnnouncement } from "../../runtime/api/listeners/announcement-guard.js";
import { loggerTo } from "../../runtime/log/log.js";
import {
	answerFlags,
	longNames,
	many,
	message,
	nameOf,
	question,
	truncatedFlags,
} from "../hostile/dns-messages.js";

function guarded() {
	const handled: Buffer[] = [];
	const log: string[] = [];
	const server = {
		handleMessage: (_network: string, bytes: Buffer) => {
			handled.push(bytes);
		},
	};
	const library = {
		server,
		handleQuery: () => {
			throw new Error("a label is too long");
		},
		republishService: async () => {
			throw new Error("it is announced already");
		},
	};
	guardAnnouncement(
		library,
		loggerTo({ write: (line) => log.push(line) }, "debug"),
	);
	const receive = (bytes: Buffer) =>
		Reflect.apply(server.handleMessage, server, [
			"eth0",
			bytes,
			{ port: 5353 },
			"IPv4",
		]);
	return { library, handled, log, receive };
}

t.test("what is malformed is left out", async (t) => {
	const { handled, receive } = guarded();
	receive(Buffer.from("hello"));
	t.same(handled, []);
	receive(message({ questions: [question(nameOf("kiosk.local"))] }));
	t.equal(handled.length, 1);
});

t.test("so is what is too much at once", async (t) => {
	const { handled, receive } = guarded();
	const long = longNames(80);
	for (const bytes of many(100, () => long)) receive(bytes);
	t.ok(handled.length >= 1 && handled.length < 10, `${handled.length}`);
});

t.test("a truncated query is answered by itself", async (t) => {
	const { handled, receive } = guarded();
	receive(message({ flags: truncatedFlags }));
	receive(message({ flags: answerFlags | truncatedFlags }));
	const flags = handled.map((bytes) => bytes.readUInt16BE(2));
	t.same(flags, [0, answerFlags | truncatedFlags]);
});

t.test("its errors go no further than the log", async (t) => {
	const { library, log } = guarded();
	library.handleQuery();
	await library.republishService();
	t.match(log, [/too long/, /announced already/]);
});

t.test("another version, without these methods, is refused", async (t) => {
	const log = loggerTo({ write: () => {} }, "debug");
	t.throws(() => guardAnnouncement({ server: {} }, log), TypeError);
});
