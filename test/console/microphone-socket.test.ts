/** Live follows the device's microphones through restarts of the device, and lost networks. */
import { mock } from "node:test";
import t from "tap";
import { FakeDevice, pageCode, replaceGlobal, settled } from "./page-code.js";

interface Code {
	readonly session: { value: object };
	readonly isIn: { readonly value: boolean };
	readonly hasEnded: { readonly value: boolean };
	followMicrophone(
		id: string,
		follower: {
			onMessage(message: object, connection: number): void;
			onLost(): void;
		},
	): () => void;
}

class FakeSocket {
	static readonly opened: FakeSocket[] = [];
	onmessage = (_: { readonly data: string }) => {};
	onclose = () => {};
	isClosed = false;

	constructor(readonly url: string) {
		FakeSocket.opened.push(this);
	}

	close(): void {
		this.isClosed = true;
	}
}

t.test("a connection that ends is opened again", async (t) => {
	const { followMicrophone } = await pageCode<Code>(
		"pages/live/microphone-socket.ts",
	);
	replaceGlobal(t, "WebSocket", FakeSocket);
	new FakeDevice(t);
	mock.timers.enable({ apis: ["setTimeout"] });
	t.teardown(() => mock.timers.reset());
	const { opened } = FakeSocket;
	const got: [string, number][] = [];
	let lost = 0;
	const leave = followMicrophone("a/b", {
		onMessage: (message, connection) =>
			got.push([JSON.stringify(message), connection]),
		onLost: () => {
			lost++;
		},
	});
	const final = '{"is":"final","index":1}';
	t.match(opened[0]?.url, "ws://device/v1/microphones/a%2Fb/ws");
	opened[0]?.onmessage({ data: final });
	opened[0]?.onclose();
	t.equal(lost, 1, "what was being said is not completed");
	t.equal(opened.length, 1);
	mock.timers.tick(1000);
	opened[1]?.onclose();
	mock.timers.tick(1000);
	t.equal(opened.length, 2, "longer and longer pauses");
	mock.timers.tick(1000);
	opened[2]?.onmessage({ data: final });
	t.same(
		got.map(([message]) => message),
		[final, final],
	);
	t.not(got[0]?.[1], got[1]?.[1], "two sentences");
	leave();
	t.ok(opened[2]?.isClosed);
	opened[2]?.onclose();
	mock.timers.tick(60_000);
	t.equal(opened.length, 3);
});

t.test("one that is refused may be the end of the session", async (t) => {
	const { followMicrophone, session, isIn, hasEnded } = await pageCode<Code>(
		"pages/live/microphone-socket.ts",
		"app/session.ts",
	);
	replaceGlobal(t, "WebSocket", FakeSocket);
	const device = new FakeDevice(t);
	mock.timers.enable({ apis: ["setTimeout"] });
	t.teardown(() => mock.timers.reset());
	const signedIn = { signed_in: true, required: true, scopes: ["asr"] };
	session.value = signedIn;
	const leave = followMicrophone("a", { onMessage() {}, onLost() {} });
	t.teardown(leave);
	FakeSocket.opened.at(-1)?.onclose();
	(await device.request(0)).answer("000000", signedIn);
	await settled();
	t.ok(isIn.value, "it may have restarted");
	mock.timers.tick(1000);
	FakeSocket.opened.at(-1)?.onclose();
	(await device.request(1)).answer("000000", { ...signedIn, signed_in: false });
	await settled();
	t.notOk(isIn.value);
	t.ok(hasEnded.value, "and it is said");
});
