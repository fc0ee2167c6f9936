import t, { type Test } from "tap";
import {
	type Census,
	connectedTo,
	connectionsTo,
} from "../../runtime/api/server/connection-census.js";
import { ConnectionLimiter } from "../../runtime/api/server/connection-limiter.js";
import {
	connectionsThatFit,
	descriptorsMax,
} from "../../runtime/api/server/descriptors.js";
import { startApi } from "./running-api.js";

/** A room whose census a test takes, on a clock that only it moves. */
function roomOf(max: number, perNetworkMax: number) {
	const clock = { ms: 0 };
	const requests: ((census: Census | undefined) => void)[] = [];
	const room = new ConnectionLimiter(
		{ max, perNetworkMax },
		() => [0],
		() => new Promise((answer) => requests.push(answer)),
		() => clock.ms,
	);
	const answer = async (byNetwork: Record<string, number>) => {
		const total = Object.values(byNetwork).reduce((a, b) => a + b, 0);
		requests.pop()?.({ total, byNetwork: new Map(Object.entries(byNetwork)) });
		await new Promise((turn) => setImmediate(turn));
	};
	/** @returns how many connections were accepted. */
	const open = (count: number, address: string) => {
		let letIn = 0;
		for (let i = 0; i < count; i++) {
			if (room.opened(address)) letIn++;
			else room.closed();
		}
		return letIn;
	};
	return { room, clock, requests, answer, open };
}

/** A connection opened during a census may be counted twice. */
function about(t: Test, count: number, wanted: number, what: string): void {
	t.ok(Math.abs(count - wanted) <= 1, `${what}: ${count}`);
}

t.test(
	"while no network can have too many connections, nothing is counted",
	(t) => {
		const { room, requests, open } = roomOf(100, 50);
		t.equal(open(50, "10.0.0.1"), 50);
		t.equal(room.open, 50);
		t.equal(requests.length, 0);
		for (let i = 0; i < 50; i++) room.closed();
		t.equal(open(50, "10.0.0.2"), 50);
		t.end();
	},
);

t.test(
	"a network gets its share, and all networks together get the maximum",
	async (t) => {
		const { clock, requests, answer, open } = roomOf(100, 50);
		t.equal(open(51, "10.0.0.1"), 51, "before it is known whose they are");
		t.equal(requests.length, 1);
		await answer({ "10.0.0.1": 51 });
		t.equal(open(5, "10.0.0.1"), 0);
		t.equal(requests.length, 0, "not requests again at once");
		about(t, open(100, "10.0.0.2"), 49, "up to all there are");
		clock.ms += 1000;
		t.equal(open(1, "10.0.0.2"), 0);
		await answer({ "10.0.0.1": 10, "10.0.0.2": 30 });
		about(t, open(50, "10.0.0.1"), 40, "those that have gone are seen");
	},
);

t.test("closed sockets count until they are gone", async (t) => {
	const { room, clock, requests, answer, open } = roomOf(100, 50);
	for (let round = 0; round < 4; round++) {
		t.equal(open(25, "10.0.0.1"), 25);
		for (let i = 0; i < 25; i++) room.left();
	}
	t.equal(requests.length, 1);
	await answer({ "10.0.0.1": 25 });
	clock.ms += 1000;
	t.equal(open(1, "10.0.0.1"), 1);
	await answer({ "10.0.0.1": 100 });
	t.equal(open(5, "10.0.0.2"), 0, "their descriptors are still taken");
	clock.ms += 20_001;
	t.equal(open(5, "10.0.0.2"), 5);
	t.equal(room.open, 6);
});

t.test(
	"where the kernel reports nothing, the total is still limited",
	async (t) => {
		const { requests, open } = roomOf(100, 50);
		t.equal(open(60, "10.0.0.1"), 60);
		requests.pop()?.(undefined);
		await new Promise((turn) => setImmediate(turn));
		t.equal(open(100, "10.0.0.2"), 40);
	},
);

t.test("connections are parsed from the kernel's tables", async (t) => {
	const head =
		"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
	const line = (local: string, remote: string, state: string, inode: number) =>
		`  12: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0000000000000000 20 4 30 10 -1\n`;
	const mapped = "0000000000000000FFFF0000";
	const table = [
		line("00000000:1BBC", "00000000:0000", "0A", 77), // listens
		line("0100007F:1BBC", "0A01A8C0:D431", "01", 78),
		line("0100007F:1BBC", "0B01A8C0:D431", "05", 79), // half closed
		line("0100007F:1BBC", "0C01A8C0:D431", "06", 0), // nobody's any more
		line("0100007F:1BBC", "0A01A8C0:D431", "01", 78), // read twice
		line("0100007F:1BBD", "0D01A8C0:D431", "01", 80), // another port
		line(`${mapped}0100007F:1BBC`, `${mapped}0E01A8C0:D431`, "01", 81),
		line(
			`${mapped}0100007F:1BBC`,
			"B80D0120000000000000000001000000:D431",
			"01",
			82,
		),
	];
	t.same(
		[...connectedTo([7100], head + table.join(""))],
		[
			"192.168.1.10",
			"192.168.1.11",
			"0000:0000:0000:0000:0000:ffff:c0a8:010e",
			"2001:0db8:0000:0000:0000:0000:0000:0001",
		],
	);
	const api = await startApi(t);
	const sockets = [1, 2, 3].map(() => api.socket());
	t.teardown(() => {
		for (const socket of sockets) socket.destroy();
	});
	for (const socket of sockets)
		await new Promise<void>((answered) => {
			socket.once("data", () => answered());
			socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
		});
	const census = await connectionsTo([api.port]);
	t.equal(census?.byNetwork.get("127.0.0.1"), 3);
	t.equal(census?.total, 3);
});

t.test("files and connections share the descriptors", (t) => {
	t.equal(
		connectionsThatFit(Number.POSITIVE_INFINITY),
		Number.POSITIVE_INFINITY,
	);
	t.equal(connectionsThatFit(20_000), 8750);
	t.equal(connectionsThatFit(1024), 448);
	t.equal(connectionsThatFit(256), 64);
	t.equal(connectionsThatFit(100), 4, "some are let in all the same");
	t.ok(descriptorsMax() > 0);
	t.end();
});
