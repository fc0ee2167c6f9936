/** The fleet as this appliance stands in it: what others may see of the house and ask of it. */
import type { Api } from "../api/api.js";
import type { HealthCheck } from "../api/health.js";
import { ConfigError } from "../config/config-error.js";
import type { Reload } from "../config/reload.js";
import type { Config } from "../config/schema.js";
import type { Microphones } from "../ears/microphones.js";
import type { ConfiguredLane } from "../engine/from-config.js";
import { CodedError } from "../errors.js";
import { Fleet } from "../fleet/fleet.js";
import type { House } from "../fleet/house-port.js";
import { fleetSettings } from "../fleet/settings.js";
import type { SharingHouse } from "../fleet/sharing/sharing-port.js";
import type { Logger } from "../log.js";
import { mqttOwner } from "../owner.js";
import type { Database } from "../store/database.js";
import { FleetOutboxRepository } from "../store/fleet-outbox.js";
import type { FileService } from "../tasks/file-service.js";
import { secondsOf } from "../tasks/intake/taken-file.js";

export interface FleetHouseParts {
	/** In force now. */
	readonly config: () => Config;
	readonly version: string;
	readonly languages: readonly string[];
	readonly database: Database;
	readonly live: ConfiguredLane;
	readonly batch: ConfiguredLane;
	readonly microphones: Microphones;
	readonly files: FileService;
	readonly api: Pick<Api, "takeFile">;
	readonly health: () => readonly HealthCheck[];
	readonly reload: () => Reload;
	/** How files are shared, where they are. */
	readonly sharing: () => SharingHouse;
	readonly log: Logger;
}

/** @returns undefined where no broker is named. @throws ConfigError */
export function openFleet(parts: FleetHouseParts): Fleet | undefined {
	const { config, database, log } = parts;
	const settings = fleetSettings(config().fleet);
	if (!settings) return undefined;
	return new Fleet({
		settings,
		config: () => config().fleet,
		rows: new FleetOutboxRepository(database),
		house: houseOf(parts),
		...(config().fleet.share && { sharing: parts.sharing() }),
		log,
	});
}

function houseOf(parts: FleetHouseParts): House {
	const { config, live, batch, microphones, files, api, log } = parts;
	return {
		version: parts.version,
		model: config().model.name,
		languages: parts.languages,
		microphones,
		health: parts.health,
		lanes: () => [live.lane.state, batch.lane.state],
		files: () => files.figures,
		task: (id) => files.desk.find(id),
		result: (id) => files.desk.result(id),
		reload: () => {
			try {
				return parts.reload();
			} catch (error) {
				if (!(error instanceof ConfigError)) throw error;
				log.error({ reason: error.message }, "configuration is not reloaded");
				throw new CodedError("200002", error.message);
			}
		},
		restartEngine: (lane) =>
			(lane === "live" ? live : batch).supervisor.restart(),
		transcribe: (options, request, signal) =>
			api.takeFile({
				texts: textsOf(options),
				file: undefined,
				owner: mqttOwner,
				request,
				signal,
				log,
			}),
		requested: (key) => {
			const known = files.requests.requested(key);
			if (!known) return undefined;
			const { task, content } = known;
			return { taskId: task.id, seconds: secondsOf(task.audioMs), content };
		},
	};
}

/** JSON as the fields of the form that it stands for. */
function textsOf(
	options: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, readonly string[]> {
	const texts = new Map<string, readonly string[]>();
	for (const [name, value] of Object.entries(options)) {
		if (value === null || value === undefined || value === "") continue;
		const text = typeof value === "string" ? value : JSON.stringify(value);
		texts.set(name, [text]);
	}
	return texts;
}
