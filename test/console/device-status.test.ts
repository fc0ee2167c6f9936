/** Device does not show old figures as the present ones. */
import { mock } from "node:test";
import t from "tap";
import { FakeDevice, pageCode, replaceGlobal } from "./page-code.js";

interface Code {
	readonly status: { readonly value: { readonly lag_ms: number } | undefined };
	readonly isLost: { readonly value: boolean };
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

	say(lagMs: number): void {
		const memory = { total_bytes: 2, free_bytes: 1 };
		const now = { at: 1000, memory, processor: { load: 1 }, lag_ms: lagMs };
		this.onmessage({ data: JSON.stringify(now) });
	}
}

t.test("a device that falls silent is said to be away", async (t) => {
	const { follow, isLost, status } = await pageCode<Code>(
		"pages/device/status.ts",
	);
	replaceGlobal(t, "EventSource", FakeEvents);
	new FakeDevice(t);
	mock.timers.enable({ apis: ["setTimeout"] });
	t.teardown(() => mock.timers.reset());
	const { opened } = FakeEvents;
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
