/** A microphone's sentence on its way: from the end of speech and the pause that ends it to a subscriber at the broker. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Broker } from "../../../test/fleet/broker.js";
import { Listener } from "../../../test/fleet/listener.js";
import { fakeCard } from "../../../test/microphones/alsa.js";
import { readClips } from "../clips.js";
import { judged, type Measurement } from "../report.js";
import { Server, ServerState } from "../server.js";
import { median, percentile } from "../statistics.js";
import { readWav } from "../wav.js";

const rateHz = 16_000;
const pauseMs = 800;
/** So long an utterance lasts beyond its speech (session/utterance.ts). */
const tailMs = 200;
const lateMsMax = 100;
const gapSeconds = 2.5;
const clipsMax = 6;

export async function measureDelivery(folder: string): Promise<Measurement[]> {
	const clips = (readClips() ?? [])
		.filter((it) => it.language === "en" && it.seconds > 3 && it.seconds < 9)
		.slice(0, clipsMax);
	const sounds = clips.map(({ path }) => readWav(path));
	const broker = await Broker.start(folder);
	const listener = await Listener.open(broker.url, ["earshot/#"]);
	const state = new ServerState();
	const config = join(folder, "delivery.toml");
	writeFileSync(config, `[[microphone]]\nid = "bench"\ndevice = "mic"\n`);
	const server = await Server.spawn(state, {
		...fakeCard(folder, new Uint8Array(roomWith(sounds).buffer)),
		EARSHOT_CONFIG: config,
		EARSHOT_FLEET_URL: broker.url,
		EARSHOT_FLEET_DEVICE: "bench",
	});
	try {
		await server.untilAnswering();
		const seconds = sounds.reduce(
			(sum, it) => sum + it.length / rateHz + gapSeconds,
			15,
		);
		await pause(seconds * 1000);
	} finally {
		await server.stop();
		await listener.close();
		await broker.kill();
		state.remove();
	}
	const lateMs = listener.messages
		.filter((it) => it.topic.endsWith("events/final"))
		.map((it) => it.atMs - (JSON.parse(it.text).end_ms - tailMs) - pauseMs);
	const half = median(lateMs);
	return [
		{
			what: `fleet: microphone to subscriber: end of speech + ${pauseMs} ms pause to events/final at mosquitto's reader, ${lateMs.length} sentences, median / p95`,
			earshot: `${half.toFixed(0)} / ${percentile(lateMs, 0.95).toFixed(0)} ms`,
			goal: judged(`median < ${lateMsMax} ms`, half < lateMsMax),
		},
	];
}

/** A quiet room, then the clips with gaps. */
function roomWith(sounds: readonly Int16Array[]): Int16Array<ArrayBuffer> {
	const quiet = 12 * rateHz;
	const gap = gapSeconds * rateHz;
	const spoken = sounds.reduce((sum, it) => sum + it.length + gap, 0);
	const card = new Int16Array(quiet + spoken + 60 * rateHz);
	for (let i = 0; i < card.length; i++) card[i] = ((i * 7919) % 33) - 16;
	let at = quiet;
	for (const sound of sounds) {
		card.set(sound, at);
		at += sound.length + gap;
	}
	return card;
}
