/** The model that a device names to others after a reload, and for which files. */
import { join } from "node:path";
import t from "tap";
import { openFleet } from "../../runtime/appliance/fleet.js";
import { sharingPortOf } from "../../runtime/appliance/sharing.js";
import { loadConfig } from "../../runtime/config/load.js";
import type { Config } from "../../runtime/config/schema.js";
import { loggerTo } from "../../runtime/log/log.js";
import { Database } from "../../runtime/store/database.js";
import { Broker, brokerMissing } from "./broker.js";
import { Listener } from "./listener.js";
import { Peer } from "./played-sharing.js";
import { PlayedAppliance } from "./running-fleet.js";

const skip = brokerMissing;

t.test("a device whose model was changed by a reload", { skip }, async (t) => {
	const broker = await Broker.during(t, t.testdir());
	const listener = await Listener.during(t, broker.url, [
		"earshot/#",
		"hq/jobs",
	]);
	const { values: config } = loadConfig({
		environment: {
			EARSHOT_FLEET_URL: broker.url,
			EARSHOT_FLEET_SITE: "hq",
			EARSHOT_FLEET_DEVICE: "kiosk-1",
			EARSHOT_FLEET_SHARE: "true",
			EARSHOT_FLEET_REPORT_SECONDS: "1",
		},
	});
	const configReload = { config };
	const use = (changes: Partial<Config["model"]>) => {
		configReload.config = { ...config, model: { ...config.model, ...changes } };
	};
	let emitWaiting: (ids: readonly string[]) => void = () => {};
	const files = {
		...new PlayedAppliance().port,
		stats: new PlayedAppliance().port.files(),
		announceTo() {},
		onWaiting: (listener: typeof emitWaiting) => {
			emitWaiting = listener;
		},
		sharing: {
			shareable: (language: string) => ({ language, audioMs: 1, audioId: "a" }),
		},
	};
	const states: object[] = [];
	const lane = {
		lane: { state: { lane: "live" } },
		supervisor: { state: { load: { languageModels: states } } },
	};
	const database = Database.open(join(t.testdir(), "store.mdb"));
	t.teardown(() => database.close());
	const languages = ["en-US", "ja-JP", "ja-JP-en-US"];
	const parts = { files, configReload, languages, live: lane, batch: lane };
	const played = new PlayedAppliance().port;
	const fleet = openFleet({
		...parts,
		version: "1.2.3",
		updates: { state: played.updates },
		database,
		https: undefined,
		microphones: played.microphones,
		calls: played.calls,
		healthChecks: { health: () => [] },
		sharing: () =>
			sharingPortOf({
				...parts,
				config,
				inForce: () => configReload.config,
			} as never),
		log: loggerTo({ write: () => {} }, "fatal"),
	} as never);
	await fleet?.start();
	t.teardown(() => fleet?.stop());
	const isUsed = (name: string) =>
		listener.until(
			({ topic, text }) =>
				topic.endsWith("/status") && JSON.parse(text).model === name,
			`the model ${name} in the status`,
		);
	const offered = async (language: string) => {
		const before = listener.messages.length;
		emitWaiting([language]);
		const offer = await listener.until(
			(it) => it.topic === "hq/jobs" && listener.messages.indexOf(it) >= before,
		);
		emitWaiting([]);
		const { offer: id, model } = JSON.parse(offer.text);
		await peer.send("decline", { offer: id });
		return model;
	};
	const peer = new Peer(listener);
	/** Whether it takes a file. */
	const takes = async (model: string, language: string) => {
		const offer = `${model}-${language}-${listener.messages.length}`;
		const id = Buffer.from(offer).toString("hex").slice(-32).padEnd(32, "0");
		await peer.offer({ offer: id, model, language, audio_ms: 1 });
		const answer = await listener.until(({ topic, text }) => {
			return topic.endsWith("/peer/jobs") && text.includes(id);
		});
		const { is } = JSON.parse(answer.text);
		await peer.send("gone", { offer: id });
		return is === "accept";
	};

	await isUsed("whisper-base");
	t.equal(await offered("en-US"), "whisper-base");

	use({ name: "parakeet-en" });
	await isUsed("parakeet-en");
	t.equal(await offered("en-US"), "parakeet-en");
	t.notOk(await takes("whisper-base", "en-US"), "the old one");
	t.ok(await takes("parakeet-en", "en-US"));

	use({ by_language: { "ja-JP": "zipformer-ja" } });
	t.equal(await offered("en-US"), "whisper-base");
	t.equal(await offered("ja-JP"), "zipformer-ja");
	t.notOk(await takes("whisper-base", "ja-JP"), "not of this language");
	const mixed = await offered("ja-JP-en-US");
	t.not(mixed, "whisper-base", "the model of either language may be used");
	use({ by_language: { "ja-JP": "zipformer-ja", "en-US": "parakeet-en" } });
	t.not(await offered("ja-JP-en-US"), mixed);
	use({ by_language: { "ja-JP-en-US": "mixed" } });
	t.equal(await offered("ja-JP-en-US"), "mixed");

	use({ by_language: { "ja-JP": "zipformer-ja" } });
	t.ok(await takes("zipformer-ja", "ja-JP"));
	// one that is not there is named by its folder
	const name = "/models/zipformer-ja";
	states.push({ name, languages: ["ja-JP"], state: "failed" });
	t.notOk(
		await takes("zipformer-ja", "ja-JP"),
		"it failed here, and another one would transcribe the file",
	);
	t.notOk(await takes(mixed, "ja-JP-en-US"), "the same of mixed speech");
	t.ok(await takes("whisper-base", "en-US"));
	t.equal(await offered("ja-JP"), "zipformer-ja", "others may have it");
});
