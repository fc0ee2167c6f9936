import { once } from "node:events";
import { type AddressInfo, createServer, Socket } from "node:net";
import { mock } from "node:test";
import t from "tap";
import { Outbound } from "../../runtime/outbound/outbound.js";
import type {
	OutboundLimits,
	OutboundRequest,
} from "../../runtime/outbound/outbound-request.js";
import { get, outboundOf, ownPort, startPlace, textOf } from "./places.js";

const loopback = ["127.0.0.1"];
const open = ["sound.example"];

t.test("a name is resolved once and the answer pinned", async (t) => {
	const place = await startPlace(t, (_, response) => response.end("sound"));
	let lookups = 0;
	const outbound = new Outbound({
		allow: open,
		ownPort: () => ownPort,
		resolve: async () => (lookups++ === 0 ? loopback : ["10.0.0.1"]),
	});
	const url = `http://sound.example:${place.port}/a.wav?b=c`;
	t.equal(await textOf(outbound, url), "sound");
	t.equal(lookups, 1);
	t.same(place.requests, [`GET /a.wav?b=c sound.example:${place.port}`]);
});

t.test("each address has its share of the time to connect", async (t) => {
	const place = await startPlace(t, (_, response) => response.end("sound"));
	const connects = mock.method(Socket.prototype, "connect");
	t.teardown(() => connects.mock.restore());
	const names = { "sound.example": ["127.0.0.1", "::1"] };
	const outbound = outboundOf(open, names);
	const limits = { ...get.limits, connectSecondsMax: 4 };
	const url = `http://sound.example:${place.port}/`;
	const exchange = await outbound.send(url, { ...get, limits });
	exchange.close();
	t.match(connects.mock.calls[0]?.arguments.flat(2), [
		{ autoSelectFamilyAttemptTimeout: 2000 },
	]);
});

t.test("every address that DNS returns is checked", async (t) => {
	const names = {
		"127.0.0.1.nip.io": ["127.0.0.1"],
		"mixed.example": ["93.184.216.34", "10.0.0.1"],
		"mapped.example": ["::ffff:127.0.0.1"],
		"link.example": ["fe80::1%eth0"],
		"metadata.example": ["169.254.169.254"],
		"zero.example": ["0.0.0.0"],
		"ours.example": ["203.0.114.7"],
		"junk.example": ["not an address"],
		"none.example": [],
	};
	const outbound = outboundOf([], names);
	for (const host of Object.keys(names))
		await t.rejects(
			outbound.send(`http://${host}/`, get),
			host === "none.example" ? /unknown/ : /not allowed/,
			host,
		);
	await t.rejects(outbound.send("http://nowhere.example/", get), /unknown/);
	await t.rejects(outbound.send("http://mixed.example./", get), /not allowed/);
});

t.test("each redirect is checked like the first address", async (t) => {
	const place = await startPlace(t, (request, response) => {
		const to = new URL(request.url ?? "", "http://x").searchParams.get("to");
		if (to === null) return response.end("arrived");
		return response.writeHead(302, { location: to }).end();
	});
	const { port } = place;
	const outbound = outboundOf(open, {
		"sound.example": loopback,
		"inside.example": ["10.0.0.1"],
	});
	const via = (to: string) =>
		`http://sound.example:${port}/?to=${encodeURIComponent(to)}`;
	t.equal(await textOf(outbound, via("/there")), "arrived");
	for (const [to, why] of [
		["http://127.0.0.1/", /not allowed/],
		[`http://127.0.0.1:${port}/there`, /not allowed/],
		["http://[::1]/", /not allowed/],
		["http://169.254.169.254/latest", /not allowed/],
		["http://inside.example/", /not allowed/],
		["//2130706433/", /not allowed/],
		["file:///etc/passwd", /http or https/],
		["http://user:x@sound.example/", /user name/],
		["http://a b/", /spaces/],
		[via(via(via("/"))), /redirects more than 3/],
	] as const)
		await t.rejects(textOf(outbound, via(to)), why, to.slice(0, 60));
	const callback = { ...get, redirectsMax: 0 };
	const answer = await outbound.send(via("/there"), callback);
	t.equal(answer.status, 302, "a callback does not follow");
	answer.close();
});

t.test("slowness and size have limits", async (t) => {
	const place = await startPlace(t, (request, response) => {
		switch (request.url) {
			case "/silent":
				return;
			case "/half":
				response.writeHead(200, { "content-length": "100" });
				response.write("half");
				return;
			case "/trickle": {
				const timer = setInterval(() => response.write("x"), 50);
				response.on("close", () => clearInterval(timer));
				return;
			}
			case "/drip": {
				const { socket } = request;
				socket.write("HTTP/1.1 200 OK\r\nX: ");
				const timer = setInterval(() => socket.write("x"), 50);
				socket.on("close", () => clearInterval(timer));
				return;
			}
			case "/endless": {
				const more = () => {
					while (!response.destroyed && response.write("x".repeat(500)));
				};
				response.on("drain", more);
				return more();
			}
			case "/declared":
				response.writeHead(200, { "content-length": "1001" });
				return response.write("x");
			case "/cut":
				response.writeHead(200, { "content-length": "100" });
				response.write("x", () => response.destroy());
				return;
			case "/headers":
				response.setHeader("x", "y".repeat(20_000));
				return response.end();
			default:
				return response.writeHead(500).end("broken");
		}
	});
	const outbound = outboundOf(["127.0.0.1"]);
	const fetched = (path: string, limits: Partial<OutboundLimits> = {}) =>
		textOf(outbound, `http://127.0.0.1:${place.port}${path}`, {
			...get,
			limits: { ...get.limits, ...limits },
		});
	const brief = { idleSecondsMax: 0.3 };
	await t.rejects(fetched("/silent", brief), /no data for 0.3 s/);
	await t.rejects(fetched("/half", brief), /no data for 0.3 s/);
	await t.rejects(
		fetched("/trickle", { secondsMax: 1 }),
		/the request took over 1 s/,
	);
	await t.rejects(
		fetched("/trickle", { pieceSecondsMax: 0.5 }),
		/sends too slowly: 32768 bytes took over 0.5 s/,
	);
	await t.rejects(
		fetched("/drip", { headersSecondsMax: 0.5 }),
		/its answer took over 0.5 s/,
	);
	await t.rejects(fetched("/endless"), /larger than 1000 bytes/);
	await t.rejects(fetched("/declared"), /larger than 1000 bytes/);
	await t.rejects(fetched("/cut"), /interrupted/);
	await t.rejects(fetched("/headers"), /headers are longer/);
	t.equal(await fetched("/500"), "broken");
	const nobody = await startPlace(t, () => {});
	const abort = new AbortController();
	const pending = outbound.send(`http://127.0.0.1:${nobody.port}/`, {
		...get,
		signal: abort.signal,
	});
	abort.abort(new Error("not wanted any more"));
	await t.rejects(pending, /not wanted/);
	await t.rejects(
		outbound.send("http://127.0.0.1:1/", get),
		/connection refused/,
	);
});

t.test("the time for the answer begins when the body was sent", async (t) => {
	const place = await startPlace(t, (request, response) => {
		request.pause();
		setTimeout(() => request.resume(), 6000); // a slow line
		request.on("end", () => response.end("read"));
	});
	const piece = "x".repeat(1024 * 1024);
	const request: OutboundRequest = {
		method: "POST",
		redirectsMax: 0,
		limits: { ...get.limits, headersSecondsMax: 5 },
		// more than the kernel takes
		body: (async function* () {
			for (let i = 0; i < 32; i++) yield piece;
		})(),
	};
	const outbound = outboundOf(["127.0.0.1"]);
	const url = `http://127.0.0.1:${place.port}/`;
	t.equal(await textOf(outbound, url, request), "read");
});

t.test("a body is sent as it is produced", async (t) => {
	const bodies: string[] = [];
	const place = await startPlace(t, (request, response) => {
		let body = "";
		request.on("data", (bytes) => {
			body += String(bytes);
		});
		request.on("end", () => {
			bodies.push(body);
			response.end();
		});
	});
	const outbound = outboundOf(["127.0.0.1"]);
	const pieces = Array.from({ length: 300 }, (_, i) => `${i},`.repeat(1000));
	const answer = await outbound.send(`http://127.0.0.1:${place.port}/`, {
		...get,
		method: "POST",
		redirectsMax: 0,
		body: (async function* () {
			yield* pieces;
		})(),
	});
	t.equal(answer.status, 200);
	answer.close();
	t.equal(bodies[0], pieces.join(""));
});

t.test("who accepts a body before it has read it gets all of it", async (t) => {
	let bytes = 0;
	const server = createServer((socket) => {
		socket.once("data", () => {
			socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
		});
		socket.on("data", (chunk) => {
			bytes += chunk.byteLength;
		});
		socket.on("error", () => {});
	});
	const closed = once(server, "connection").then(([socket]) =>
		once(socket, "close"),
	);
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	t.teardown(() => server.close());
	const { port } = server.address() as AddressInfo;
	const pieceBytes = 1024 * 1024;
	const answer = await outboundOf(["127.0.0.1"]).send(
		`http://127.0.0.1:${port}/`,
		{
			...get,
			method: "POST",
			redirectsMax: 0,
			headers: { "Content-Length": String(32 * pieceBytes) },
			// more than the kernel takes
			body: (async function* () {
				for (let i = 0; i < 32; i++) yield Buffer.alloc(pieceBytes);
			})(),
		},
	);
	t.equal(answer.status, 200);
	answer.close();
	await closed;
	t.ok(bytes > 32 * pieceBytes, `${bytes} bytes, with the headers`);
});
