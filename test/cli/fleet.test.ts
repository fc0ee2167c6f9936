import t from "tap";
import {
	eventKey,
	FleetOutboxRepository,
	taskKey,
} from "../../runtime/store/fleet-outbox.js";
import { openStore } from "../../runtime/store/open-store.js";
import { earshotIn } from "./earshot.js";

const deadLetters = ["fleet", "dead-letters"] as const;

t.test(
	"dead letters are shown, sent again and removed beside the server",
	async (t) => {
		const dir = t.testdir();
		const store = await openStore({ dir, as: "serve" });
		t.teardown(() => store.close());
		const rows = new FleetOutboxRepository(store.database);
		const dead = {
			stream: "front",
			topic: "earshot/hq/kiosk-1/events/final",
			createdSeconds: 1e9,
			tries: 9,
			diedSeconds: 1e9 + 60,
			why: "the broker says: quota exceeded, 9 times",
		};
		const text = `{"text":"${"long ".repeat(30)}\u001b[2J"}`;
		await rows.bury(eventKey(7), { ...dead, body: { is: "text", text } });
		await rows.bury(taskKey("abc"), {
			...dead,
			body: { is: "task", id: "abc" },
			diedSeconds: 1e9 + 61,
		});

		const shown = await earshotIn(dir, ...deadLetters);
		t.equal(shown.code, 0, shown.err);
		t.match(shown.out, /e\/0+7 .*quota exceeded.*\n.*t\/abc .*task abc/);
		t.notOk(shown.out.includes("\u001b"), "what others said moves no cursor");
		const [first] = JSON.parse(
			(await earshotIn(dir, ...deadLetters, "--json")).out,
		);
		t.equal(first.message, text, "the request");

		t.match(await earshotIn(dir, ...deadLetters, "--send-again", "e/8"), {
			code: 2,
			err: /no dead letter has the key e\/8/,
		});
		t.match(await earshotIn(dir, ...deadLetters, "--send-again", eventKey(7)), {
			out: "1 will be sent at the next start of the appliance\n",
		});
		t.match(rows.get(eventKey(7)), { tries: 0, body: { text } });
		t.match(await earshotIn(dir, ...deadLetters, "--forget", "all"), {
			out: "1 removed\n",
		});
		t.strictSame(rows.dead(), []);
		const both = await earshotIn(
			dir,
			...deadLetters,
			"--forget=all",
			"--send-again=all",
		);
		t.match(both, { code: 2, err: /be combined/ });
	},
);
