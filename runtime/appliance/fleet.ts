/** The appliance as a member of the fleet: the state that it publishes and the commands that it accepts. */
import type { DeviceControl } from "../api/device/control.js";
import type { CallEvents } from "../calls/call-events.js";
import type { Clock } from "../clock/clock.js";
import type { ConfiguredLane } from "../engine/from-config.js";
import { CodedError } from "../errors.js";
import type { AppliancePort } from "../fleet/appliance-port.js";
import { Fleet } from "../fleet/fleet.js";
import { fleetSettings } from "../fleet/settings.js";
import type { SharingPort } from "../fleet/sharing/sharing-port.js";
import type { Logger } from "../log/log.js";
import type { Microphones } from "../microphones/microphones.js";
import { mqttOwner } from "../owner.js";
import type { Moment } from "../store/clock-state.js";
import type { Database } from "../store/database.js";
import { FleetOutboxRepository } from "../store/fleet-outbox.js";
import type { PairingRepository } from "../store/pairings.js";
import type { Scope } from "../store/token-row.js";
import type { FileService } from "../tasks/file-service.js";
import { type FileIntake, secondsOf } from "../tasks/intake/file-intake.js";
import type { ConfigReload } from "./config-reload.js";
import type { HealthChecks } from "./health-checks.js";
import type { Https } from "./https.js";
import { codeSeconds, makePairing, type Pairing } from "./pairing.js";
import type { Updates } from "./updates.js";

export interface FleetApplianceParts {
	readonly version: string;
	readonly updates: Pick<Updates, "state">;
	readonly languages: readonly string[];
	readonly database: Database;
	readonly live: ConfiguredLane;
	readonly batch: ConfiguredLane;
	readonly microphones: Microphones;
	readonly calls: CallEvents;
	readonly files: FileService;
	readonly intake: Pick<FileIntake, "takeNamed">;
	readonly healthChecks: Pick<HealthChecks, "health">;
	/** Undefined where it is off. */
	readonly https: Pick<Https, "state"> | undefined;
	readonly configReload: Pick<ConfigReload, "config">;
	readonly control: DeviceControl;
	readonly pairings: PairingRepository;
	readonly clock: Pick<Clock, "expirySeconds" | "operatingSeconds">;
	/** Of the API; undefined until it listens. */
	readonly port: () => number | undefined;
	/** Called where files are shared. */
	readonly sharing: () => SharingPort;
	readonly log: Logger;
}

/** The fleet announces finished tasks. @returns undefined where no broker is configured. @throws ConfigError */
export function openFleet(parts: FleetApplianceParts): Fleet | undefined {
	const { configReload, database, files, log } = parts;
	const { fleet: config } = configReload.config;
	const settings = fleetSettings(config);
	if (!settings) return undefined;
	const fleet = new Fleet({
		settings,
		config: () => configReload.config.fleet,
		rows: new FleetOutboxRepository(database),
		appliance: appliancePortOf(parts),
		...(config.share && { sharing: parts.sharing() }),
		log,
	});
	files.announceTo(fleet);
	return fleet;
}

/** For senders who lost the answer; more would only make codes easier to guess. */
const waitingCodesMax = 20;

async function pairingFor(
	{ configReload, pairings, clock, port, https }: FleetApplianceParts,
	name: string,
	scopes: readonly Scope[],
): Promise<Pairing> {
	const { config } = configReload;
	if (!config.console.enabled)
		throw new CodedError("200002", "the console is off (console.enabled)");
	const nowSeconds = (made?: Moment) => clock.expirySeconds(made);
	if (pairings.waiting(nowSeconds) >= waitingCodesMax)
		throw new CodedError(
			"100004",
			`${waitingCodesMax} pairing codes wait to be typed; each is forgotten after ${codeSeconds / 60} minutes`,
		);
	return makePairing({
		pairings,
		name,
		scopes,
		clock,
		config,
		port: port(),
		certificateSha256: https?.state?.certificateSha256,
	});
}

function appliancePortOf(parts: FleetApplianceParts): AppliancePort {
	const { configReload, live, batch, microphones, files, intake, log } = parts;
	return {
		version: parts.version,
		updates: () => parts.updates.state(),
		model: () => configReload.config.model.name,
		languages: parts.languages,
		https: () => parts.https?.state,
		microphones,
		calls: parts.calls,
		health: () => parts.healthChecks.health(),
		lanes: () => [live.lane.state, batch.lane.state],
		files: () => files.stats,
		task: (id) => files.tasks.find(id),
		result: (id) => files.tasks.result(id),
		...parts.control,
		pair: (name, scopes) => pairingFor(parts, name, scopes),
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
