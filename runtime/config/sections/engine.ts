import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const engineSection = {
	threads: setting(
		Type.Integer({ minimum: 0, maximum: 256 }),
		0,
		"Threads of one engine; 0: from the number of cores.",
	),
	live_engines: setting(
		Type.Integer({ minimum: 1, maximum: 64 }),
		1,
		"Engine processes for streams and short requests.",
	),
	queue_max: setting(
		Type.Integer({ minimum: 0, maximum: 10_000 }),
		16,
		"Requests that may wait for a free slot; more are refused with 100004.",
	),
	queue_wait_seconds: setting(
		Type.Number({ minimum: 0, maximum: 60 }),
		5,
		"How long a request waits for a slot before it is refused with 100004.",
	),
};
