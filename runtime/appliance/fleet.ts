/** The fleet as this appliance stands in it: what others may see of the house and ask of it. */
import { ConfigError } from "../config/config-error.js";
import type { ConfiguredLane } from "../engine/from-config.js";
import { CodedError } from "../errors.js";
import { Fleet } from "../fleet/fleet.js";
import type { House } from "../fleet/house-port.js";
import { fleetSettings } from "../fleet/settings.js";
import type { SharingHouse } from "../fleet/sharing/sharing-port.js";
import type { Logger } from "../log.js";
import type { Microphones } from "../microphones/microphones.js";
import { mqttOwner } from "../owner.js";
import type { Database } from "../store/database.js";
import { FleetOutboxRepository } from "../store/fleet-outbox.js";
import type { FileService } from "../tasks/file-service.js";
import { type FileIntake, secondsOf } from "../tasks/intake/file-intake.js";
import type { Reloading } from "./reloading.js";
import type { Wellbeing } from "./wellbeing.js";

export interface FleetHouseParts {
	readonly version: string;
	readonly languages: readonly string[];
	readonly database: Database;
	readonly live: ConfiguredLane;
	readonly batch: ConfiguredLane;
	readonly microphones: Microphones;
	readonly files: FileService;
	readonly intake: Pick<FileIntake, "takeNamed">;
	readonly wellbeing: Pick<Wellbeing, "health">;
	readonly reloading: Pick<Reloading, "config" | "reload">;
	/** How files are shared, where they are. */
	readonly sharing: () => SharingHouse;
	readonly log: Logger;
}

/** It announces tasks that are finished. @returns undefined where no broker is named. @throws ConfigError */
export function openFleet(parts: FleetHouseParts): Fleet | undefined {
	const { reloading, database, files, log } = parts;
	const { fleet: config } = reloading.config;
	const settings = fleetSettings(config);
	if (!settings) return undefined;
	const fleet = new Fleet({
		settings,
		config: () => reloading.config.fleet,
		rows: new FleetOutboxRepository(database),
		house: houseOf(parts),
		...(config.share && { sharing: parts.sharing() }),
		log,
	});
	files.announceTo(fleet);
	return fleet;
}

function houseOf(parts: FleetHouseParts): House {
	const { reloading, live, batch, microphones, files, intake, log } = parts;
	return {
		version: parts.version,
		model: reloading.config.model.name,
		languages: parts.languages,
		microphones,
		health: () => parts.wellbeing.health(),
		lanes: () => [live.lane.state, batch.lane.state],
		files: () => files.stats,
		task: (id) => files.tasks.find(id),
		result: (id) => files.tasks.result(id),
		reload: () => {
			try {
				return reloading.reload();
			} catch (error) {
				if (!(error instanceof ConfigError)) throw error;
				log.error({ reason: error.message }, "configuration is not reloaded");
				throw new CodedError("200002", error.message);
			}
		},
		restartEngine: (lane) =>
			(lane === "live" ? live : batch).supervisor.restart(),
		transcribe: (options, request, signal) =>
			intake.takeNamed(options, { owner: mqttOwner, request, signal, log }),
		requested: (key) => {
			const known = files.requests.requested(key);
			if (!known) return undefined;
			const { task, content } = known;
			return { taskId: task.id, seconds: secondsOf(task.audioMs), content };
		},
	};
}
