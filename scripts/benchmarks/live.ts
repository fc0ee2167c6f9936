/**
 * earshot as a speaker meets it: real speech fed at its own pace over WebSockets, in packets of 40 ms, and what comes back when; beside WhisperLiveKit on the
 * same weights, fed the same way in the same run.
 * Usage: scripts/bench live [--only PART,PART] [--clips N] [--streams N,N] [--seconds N] [--idle N] [--minutes N] [--texts] [--record]
 * Parts: one (one speaker at a time, earshot), beside (the same while a file is transcribed), peer (the same clips, the peer), many (several speakers at once), idle, long.
 * --clips: of each language (default 6); --seconds: how long many speak (40); --minutes: of speech for the long transcription (20).
 */
import { parseArgs } from "node:util";
import { measureBesideFile } from "./live/beside-file.js";
import { measureIdle } from "./live/idle.js";
import { measureLong } from "./live/long.js";
import { measureMany } from "./live/many.js";
import { measureOne } from "./live/one.js";
import { measurePeer } from "./live/peer.js";
import { chooseClips, recognizeOffline } from "./live/speech.js";
import { type Measurement, report } from "./report.js";
import { withServer } from "./server.js";

const { values } = parseArgs({
	options: {
		only: { type: "string", default: "one,beside,peer,many,idle,long" },
		clips: { type: "string", default: "6" },
		streams: { type: "string", default: "4,8,12" },
		seconds: { type: "string", default: "40" },
		idle: { type: "string", default: "950" },
		minutes: { type: "string", default: "20" },
		texts: { type: "boolean", default: false },
		record: { type: "boolean", default: false },
	},
});
const parts = values.only.split(",");
const clips = chooseClips(Number(values.clips));
if (clips.length === 0) process.exit(1);

const measurements: Measurement[] = [];
// all speakers share one token: another caller's reserve would be left free
await withServer({ EARSHOT_ENGINE_LIVE_SHARE_MAX: "1" }, async (server) => {
	const endpoint = server.endpoint;
	const speeches = await recognizeOffline(endpoint, clips);
	if (parts.includes("one"))
		measurements.push(...(await measureOne(endpoint, speeches, values.texts)));
	if (parts.includes("beside"))
		measurements.push(...(await measureBesideFile(server, speeches)));
	if (parts.includes("peer"))
		measurements.push(...(await measurePeer(endpoint, speeches, values.texts)));
	if (parts.includes("many"))
		for (const streams of values.streams.split(",").map(Number))
			measurements.push(
				...(await measureMany(
					server,
					speeches,
					streams,
					Number(values.seconds),
				)),
			);
	if (parts.includes("long"))
		measurements.push(
			...(await measureLong(server, speeches, Number(values.minutes))),
		);
});
if (parts.includes("idle"))
	measurements.push(...(await measureIdle(Number(values.idle))));
report(measurements, values.record);
