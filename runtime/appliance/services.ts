/**
 * Builds every service of the appliance from the configuration and its dependencies; none is started yet. A service is given those built before it. Where it
 * needs one that is built later it gets a function, which is called only when everything has been built.
 */

import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import { Api } from "../api/api.js";
import type { AsyncApi } from "../api/asyncapi.js";
import { ConsoleAssets } from "../api/console/assets.js";
import { watchAppliance } from "../api/metrics/appliance.js";
import { ownText } from "../config/own-program.js";
import type { Config } from "../config/schema.js";
import { languageModelsOf } from "../engine/health.js";
import { ModelSwitch } from "../engine/use-model.js";
import { asyncApiDocument } from "../fleet/asyncapi.js";
import type { Logger } from "../log/log.js";
import type { LogTail } from "../log/log-tail.js";
import type { Language } from "../text/languages.js";
import { ConfigReload } from "./config-reload.js";
import { deviceControl } from "./device-control.js";
import { DeviceStatuses } from "./device-status.js";
import { WyomingDiscovery } from "./discovery.js";
import { openFleet } from "./fleet.js";
import { HealthChecks } from "./health-checks.js";
import { Https } from "./https.js";
import { installedModels } from "./installed-models.js";
import { openListeners } from "./listeners.js";
import { noteModels } from "./models-note.js";
import { Naming } from "./naming.js";
import { sharingPortOf } from "./sharing.js";
import { buildSpeechServices } from "./speech-services.js";
import { openHousekeeping, type State } from "./state.js";
import { StatusHistory } from "./status-history.js";
import { Updates } from "./updates.js";

export interface ServiceParts {
	readonly config: Config;
	/** Reads the configuration again, for a reload. @throws ConfigError */
	readonly readConfig: () => Config;
	readonly log: Logger;
	readonly version: string;
	/** The last lines of `log`. */
	readonly logTail?: LogTail;
	readonly state: State;
	/** Languages of the model in use; the array is updated in place when the model changes. */
	readonly languages: Language[];
	/** Port of the API; undefined until it listens. */
	readonly port: () => number | undefined;
}

/** Made by scripts/bundles/console.ts. */
const consoleBundle = "build/console.json";

export type Services = ReturnType<typeof buildServices>;

/** @throws ConfigError, ServerError with a message of one sentence. */
export function buildServices({
	config,
	readConfig,
	log,
	version,
	logTail,
	state,
	languages,
	port,
}: ServiceParts) {
	const { store, shelf, clock } = state;
	const { database } = store;
	const inForce = () => configReload.config;
	const speech = buildSpeechServices({
		config,
		inForce,
		log,
		state,
		languages,
		port,
	});
	const { live, batch, outbound, links, words, recordings } = speech;
	const { files, intake, microphones, calls } = speech;
	const isShared = config.fleet.url !== "" && config.fleet.share;
	const housekeeping = openHousekeeping(state, config, log);
	const healthChecks = new HealthChecks({
		live,
		batch,
		database,
		clock,
		housekeeping,
	});
	const control = deviceControl({
		live,
		batch,
		log,
		configReload: () => configReload,
	});
	const history = new StatusHistory();
	const naming = new Naming(store.profile);
	const updates = new Updates(inForce, version);
	const api = new Api({
		config,
		store,
		words,
		recordings,
		languages,
		clock,
		log,
		version,
		bodyShelf: shelf,
		files: {
			taskService: files.tasks,
			shelf,
			intake,
			peaks: files.peaksBy(openFfmpeg()),
			cuts: files.cutsBy(openFfmpeg()),
			...(isShared && { links }),
		},
		...(config.calls.enabled && { calls }),
		lane: recordings.recordedLane(words.lane),
		models: () =>
			installedModels(
				configReload.config.model,
				languageModelsOf(live.supervisor.state),
			),
		...(config.console.enabled && {
			console: {
				assets: new ConsoleAssets(JSON.parse(ownText(consoleBundle))),
				device: () => ({
					...naming.now,
					version,
					languages,
					httpsPort: config.tls.port,
				}),
			},
		}),
		device: {
			status: () => statuses.status(),
			levels: () => statuses.levels(),
			history: () => history.samples,
			microphones,
			control,
			updates,
			naming,
			asyncApi: () => asyncApiDocument() as AsyncApi,
			...(logTail && { logs: logTail }),
		},
		health: healthChecks,
		authority: () => https?.authority,
	});
	const https: Https | undefined =
		config.tls.port > 0
			? new Https({
					config,
					api,
					log,
					isClockSure: () => clock.trust.isSynchronised,
				})
			: undefined;
	const configReload: ConfigReload = new ConfigReload({
		config,
		readConfig,
		outbound,
		api,
		https,
		microphones,
		languages,
		log,
		model: new ModelSwitch({ live, batch, log }, config.model),
		noteModels: (model) => noteModels(config.state.dir, model),
	});
	const listeners = openListeners({
		config,
		calls,
		languages,
		version,
		log,
		inForce,
		lane: words.lane,
		wordLists: words.endpointSource,
		model: () => configReload.config.model.name,
		endpointMetrics: api.metrics.endpoints,
	});
	const discovery = new WyomingDiscovery(config, log);
	const fleet = openFleet({
		version,
		updates,
		languages,
		database,
		live,
		batch,
		microphones,
		files,
		calls,
		intake,
		healthChecks,
		https,
		configReload,
		control,
		log,
		pairings: store.pairings,
		clock,
		port,
		sharing: () =>
			sharingPortOf({
				config,
				languages,
				live,
				batch,
				files,
				shelf,
				links,
				clock,
				outbound,
				port,
				inForce,
			}),
	});
	const statuses: DeviceStatuses = new DeviceStatuses({
		config,
		version,
		languages,
		live,
		batch,
		files,
		shelf,
		clock,
		healthChecks,
		microphones,
		port,
		updates,
		naming,
		models: api.models,
		lastCalls: api.lastCalls,
		https: () => https?.state,
		isConnected: () => fleet?.link.is === "up",
		listeners: () => [...listeners.stats, ...api.listenerStats],
	});
	watchAppliance(api.metrics, {
		lanes: () => [live.lane.state, batch.lane.state],
		tasks: () => files.stats,
		clock: () => clock.trust,
		backup: () => housekeeping.backup,
		microphones: () => microphones.stats,
		fleet: () => (fleet ? [fleet.series] : []),
		listeners: () => [...listeners.stats, ...api.listenerStats],
	});
	return {
		...speech,
		healthChecks,
		housekeeping,
		api,
		https,
		listeners,
		discovery,
		configReload,
		fleet,
		history,
	};
}
