/** However a device of the local network asks for what is announced there: nobody else waits for 50 ms, and the process goes on (docs/security.md). */
import { hostname, networkInterfaces } from "node:os";
import t from "tap";
import { eventually } from "../fixtures/eventually.js";
import { startWyoming } from "../wyoming/running-wyoming.js";
import * as dns from "./dns-messages.js";
import type { Datagrams } from "./fixtures/datagrams.js";
import { Flooder } from "./flooder.js";
import { turnMsMax } from "./loop-probe.js";

const address = Object.values(networkInterfaces())
	.flat()
	.find((it) => it && !it.internal && it.family === "IPv4")?.address;
const service = `guarded ${process.pid}`;
const device = `earshot-${hostname().split(".")[0]}.local`;

t.test(
	"Wyoming's announcement",
	{ skip: address ? false : "this machine has no network" },
	async (t) => {
		if (!address) return;
		const sender = new Flooder<Datagrams>(t, "datagrams");
		const { port, log } = await startWyoming(t, {
			host: address,
			name: service,
		});
		await eventually("announced", () =>
			log.some((line) => line.includes("announced on the local network")),
		);
		const floods: readonly [string, Omit<Datagrams, "address" | "question">][] =
			[
				["thousands of labels", { datagrams: [dns.pointedTo(8000, 65_507)] }],
				["long names", { datagrams: dns.many(40, () => dns.longNames(80)) }],
				["a chain of pointers", { datagrams: [dns.chain] }],
				["all types", { datagrams: [dns.allTypes] }],
				["questions that are repeated", { datagrams: [dns.repeated] }],
				[
					"one question in many letters",
					{ datagrams: [dns.sameQuestions(500, 65_000)], isDevice: true },
				],
				[
					"answers of many letters",
					{
						datagrams: dns.many(200, () => dns.sameQuestions(8, 0)),
						isDevice: true,
					},
				],
				[
					"what is truncated",
					{ datagrams: dns.truncated(200), isDevice: true },
				],
			];
		const question = dns.message({ questions: [dns.question(dns.wyoming)] });
		for (const [what, flood] of floods)
			await t.test(what, async (t) => {
				const ms = await sender.longestTurnMs({ address, question, ...flood });
				t.ok(ms <= turnMsMax, `held for ${ms.toFixed(1)} ms`);
			});
		await t.test("contradictions do not end the process", async () => {
			const { getResponder } = await import("@homebridge/ciao");
			const responder = getResponder({ interface: [address] }); // the announcement's
			await eventually("wholly announced", () =>
				[...responder.getAnnouncedServices()].some(
					(it) => String(it.serviceState) === "announced",
				),
			);
			await responder.shutdown(); // gives it back
			const datagrams = [
				dns.contradiction(service, device, 1, port),
				dns.contradiction(service, device, 120, port + 1),
			];
			await sender.send({ address, question, datagrams, isDevice: true });
		});
	},
);
