import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import t from "tap";
import { listensAt } from "../../runtime/update/running-server.js";

/** Longer than a server may take to accept a connection. */
const holdMs = 2500;

t.test("a server is found by a process that was held up", async (t) => {
	const server = createServer().listen(0, "127.0.0.1");
	t.teardown(() => server.close());
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	const found = listensAt(`http://127.0.0.1:${port}/healthz`);
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, holdMs);
	t.equal(await found, true);
});
