/** The endpoints of the device itself: its state and its microphones, what may be changed about it, its log, and its messages over MQTT. */
import type { LogTail } from "../../log/log-tail.js";
import { type AsyncApi, asyncApiRoute } from "../asyncapi.js";
import type { SocketEndpoint } from "../live-socket.js";
import type { Route } from "../router.js";
import { upgradeRequired } from "../upgrade-required.js";
import { controlRoutes, type DeviceControl } from "./control.js";
import { logRoute } from "./logs.js";
import { type MicrophoneControl, microphoneRoutes } from "./microphones.js";
import { type DeviceNaming, profileRoute } from "./profile.js";
import { type StatusSource, statusRoutes } from "./status.js";
import { type UpdateLookout, updateRoute } from "./update.js";

export interface DeviceParts extends Omit<StatusSource, "stopping"> {
	readonly microphones: MicrophoneControl;
	readonly control: DeviceControl;
	readonly updates: UpdateLookout;
	readonly naming: DeviceNaming;
	/** Messages over MQTT. */
	readonly asyncApi: () => AsyncApi;
	readonly logs?: LogTail;
}

/** @param socket of a microphone. @param stopping aborted when the server begins to stop. */
export function deviceRoutes(
	device: DeviceParts,
	socket: SocketEndpoint | undefined,
	stopping: AbortSignal,
): readonly Route[] {
	const { microphones, control, updates, naming, logs, asyncApi } = device;
	return [
		...statusRoutes({
			status: () => device.status(),
			levels: () => device.levels(),
			history: () => device.history(),
			stopping,
		}),
		...microphoneRoutes(microphones, upgradeRequired(socket)),
		...controlRoutes(control),
		updateRoute(updates),
		profileRoute(naming),
		...(logs ? [logRoute(logs)] : []),
		asyncApiRoute(asyncApi),
	];
}
