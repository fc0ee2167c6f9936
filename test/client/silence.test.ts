/** How long a client waits for a service from which nothing comes. */
import { mock } from "node:test";
import t from "tap";
import type { SocketEvents } from "../../runtime/client/client-socket.js";
import { StreamClient } from "../../runtime/client/stream-client.js";

/** A session in which a stop was sent, on a clock of its own. */
async function stopped() {
	let events: SocketEvents | undefined;
	const socket = { send: () => {}, close: () => {}, terminate: () => {} };
	const client = new StreamClient({ url: "http://a" }, (_url, _token, its) => {
		events = its;
		return socket;
	});
	const receive = (name: string) =>
		events?.onText(
			JSON.stringify({ header: { name }, payload: { result: "all of it" } }),
		);
	const starting = client.start({ lang_type: "en-US" });
	receive("RecognitionStarted");
	await starting;
	const completed = client.stop();
	completed.catch(() => {});
	return { completed, receive };
}

const minuteMs = 60_000;

t.test(
	"a device that needs minutes for the rest of its audio, and sends nothing meanwhile, is waited for",
	async (t) => {
		mock.timers.enable({ apis: ["setTimeout"] });
		t.teardown(() => mock.timers.reset());
		const { completed, receive } = await stopped();
		mock.timers.tick(9 * minuteMs);
		receive("RecognitionCompleted");
		t.match(await completed, { text: "all of it" });

		const deaf = await stopped();
		mock.timers.tick(9 * minuteMs);
		deaf.receive("RecognitionResultChanged");
		mock.timers.tick(10 * minuteMs);
		await t.rejects(deaf.completed, { message: /went silent/ });
	},
);
