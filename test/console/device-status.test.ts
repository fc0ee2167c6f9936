/** Device does not show old figures as the present ones. */
import { mock } from "node:test";
import t, { type Test } from "tap";
import { FakeDevice, pageCode, replaceGlobal } from "./page-code.js";

interface Code {
	readonly status: { readonly value: { readonly lag_ms: number } | undefined };
	readonly isLost: { readonly value: boolean };
	readonly runs: { readonly value: number };
	follow(): () => void;
}

class FakeEvents {
	static readonly CLOSED = 2;
	static readonly opened: FakeEvents[] = [];
	readyState = 1;
	onopen = () => {};
	onerror = () => {};
	onmessage = (_: { readonly data: string }) => {};

	constructor() {
		FakeEvents.opened.push(this);
	}

	addEventListener(): void {}

	close(): void {
		this.readyState = FakeEvents.CLOSED;
	}

	say(lagMs: number, at = 1000, uptime = 100): void {
		const memory = { total_bytes: 2, free_bytes: 1 };
		const times = { at, uptime_seconds: uptime, lag_ms: lagMs };
		const now = { ...times, memory, processor: { load: 1 } };
		this.onmessage({ data: JSON.stringify(now) });
	}
}

class FakeDocument extends EventTarget {
	hidden = false;

	show(isShown: boolean): void {
		this.hidden = !isShown;
		this.dispatchEvent(new Event("visibilitychange"));
	}
}

/** @returns the page's code in a browser of its own, whose streams are `opened`. */
async function deviceCode(t: Test) {
	const code = await pageCode<Code>("pages/device/status.ts");
	const document = new FakeDocument();
	replaceGlobal(t, "document", document);
	replaceGlobal(t, "EventSource", FakeEvents);
	new FakeDevice(t);
	mock.timers.enable({ apis: ["setTimeout"] });
	t.teardown(() => mock.timers.reset());
	FakeEvents.opened.length = 0;
	return { code, document, opened: FakeEvents.opened };
}

t.test("a device that falls silent is said to be away", async (t) => {
	const { code, opened } = await deviceCode(t);
	const { follow, isLost, status } = code;
	const leave = follow();
	opened[0]?.onopen();
	for (let second = 0; second < 60; second++) {
		opened[0]?.say(second);
		mock.timers.tick(1000);
	}
	t.notOk(isLost.value);
	// its plug was pulled: the connection does not end
	mock.timers.tick(14_000);
	t.ok(isLost.value);
	t.equal(opened[0]?.readyState, FakeEvents.CLOSED);
	t.equal(opened.length, 2, "it is asked again");
	mock.timers.tick(60_000);
	t.equal(opened.length, 2, "by the browser, as long as that takes");
	opened[1]?.onopen();
	opened[1]?.say(70);
	t.notOk(isLost.value);
	t.match(status.value, { lag_ms: 70 });
	leave();
	mock.timers.tick(60_000);
	t.equal(opened.length, 2);
});

t.test("a tab that nobody sees keeps no connection", async (t) => {
	const { code, document, opened } = await deviceCode(t);
	document.hidden = true; // opened in the background
	const leave = code.follow();
	t.equal(opened.length, 0);
	document.show(true);
	opened[0]?.onopen();
	opened[0]?.say(1);
	document.show(false);
	t.equal(opened[0]?.readyState, FakeEvents.CLOSED);
	mock.timers.tick(60_000);
	t.equal(opened.length, 1);
	t.notOk(code.isLost.value, "it is not the device that is away");
	document.show(true);
	t.equal(opened.length, 2);
	mock.timers.tick(15_000);
	t.ok(code.isLost.value, "a device that has gone meanwhile is");
	leave();
	document.show(false);
	document.show(true);
	mock.timers.tick(60_000);
	t.equal(opened.length, 3, "the one that was left");
	t.ok(opened.every(({ readyState }) => readyState === FakeEvents.CLOSED));
});

t.test("another run of the device is told from the same one", async (t) => {
	const { code, document, opened } = await deviceCode(t);
	const { runs, follow } = code;
	const leave = follow();
	opened[0]?.say(1, 1000, 100);
	opened[0]?.say(1, 1001, 101);
	document.show(false);
	document.show(true);
	opened[1]?.say(1, 2000, 1100);
	t.equal(runs.value, 0, "the log stays as it was read");
	document.show(false);
	document.show(true);
	opened[2]?.say(1, 9000, 5000);
	t.equal(runs.value, 1, "it has run for longer than before");
	leave();
});
