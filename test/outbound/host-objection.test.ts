/** Whether a stream of the network may be connected to, as its name leads now. */
import { mock } from "node:test";
import t from "tap";
import { deviceOpener } from "../../runtime/cli/capture.js";
import { hostObjection } from "../../runtime/outbound/host-objection.js";
import { OutboundError } from "../../runtime/outbound/outbound-error.js";

const camera = { host: "camera.test", port: 554 };

t.test("every address of the name must be allowed", async (t) => {
	const resolve = async () => ["192.168.1.7", "10.0.0.7"];
	const allowed = ["192.168.1.0/24"];
	t.match(await hostObjection(camera, allowed, resolve), /private/);
	const both = [...allowed, "10.0.0.0/8"];
	t.equal(await hostObjection(camera, both, resolve), undefined);
	const none = () => Promise.reject(new Error("ENOTFOUND"));
	t.equal(
		await hostObjection(camera, [], none),
		undefined,
		"as it says itself",
	);
});

t.test(
	"a name server that never answers is not awaited for ever",
	async (t) => {
		t.teardown(() => mock.timers.reset());
		mock.timers.enable({ apis: ["setTimeout"] });
		const refused = hostObjection(camera, [], () => new Promise(() => {}));
		mock.timers.tick(8000);
		await t.rejects(refused, { message: "the name lookup took over 8 s" });
	},
);

t.test("a name that nobody could be asked about is not allowed", async (t) => {
	const failing = (code: string) => () =>
		Promise.reject(Object.assign(new Error(code), { code }));
	await t.rejects(hostObjection(camera, [], failing("EAI_AGAIN")), {
		message: "its name could not be looked up: no name server answers",
	});
	t.equal(await hostObjection(camera, [], failing("ENOTFOUND")), undefined);
});

t.test("a capture says that no name server answers", async (t) => {
	const why = "the name lookup took over 8 s";
	const open = deviceOpener(() =>
		Promise.reject(new OutboundError("unreachable", why)),
	);
	const request = {
		device: "rtsp://camera.test/1",
		channels: 1,
		rateHz: 16_000,
		format: undefined,
		periodMs: 80,
		bufferMs: 560,
	};
	await t.rejects(open(request), {
		name: "CaptureError",
		code: "ETIMEDOUT",
		message: why,
	});
});
