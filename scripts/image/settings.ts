/** How a container of the image is started, and what it says of itself. The same values go into the Dockerfile of Home Assistant's add-on (addon-folder.ts). */

/** Its user and group; `root` only in the add-on, whose /data belongs to root (files/earshot). */
export const userId = 7100;

/** Where what lasts is kept, and what is unpacked and added. */
export const environment: Readonly<Record<string, string>> = {
	PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
	HOME: "/data",
	EARSHOT_STATE_DIR: "/data",
	EARSHOT_MODEL_DIR: "/data/models",
	EARSHOT_UNPACK_DIR: "/data/unpacked",
};

/** Of the add-on: what its users can't turn off, since the Supervisor counts on it, and where it finds what they chose. */
export const addonEnvironment: Readonly<Record<string, string>> = {
	EARSHOT_USER: "earshot",
	EARSHOT_ADDON_OPTIONS: "/data/options.json",
	CONFIGURATION_DIRECTORY: "/config",
	EARSHOT_INGRESS_ENABLED: "true",
	EARSHOT_SUPERVISOR_DISCOVERY: "true",
	// discovery does that: a container's own network is nobody's
	EARSHOT_WYOMING_ANNOUNCE: "false",
};

/** tini reaps what is left of ffmpeg when an engine dies: the first process of a container is everybody's parent. */
export const entryPoint = ["/usr/bin/tini", "--", "/usr/bin/earshot"];
export const command = ["serve"];
export const volume = "/data";
/** HTTP, HTTPS, Wyoming. */
export const ports = ["7100/tcp", "7143/tcp", "10300/tcp"];

/** Of OCI's configuration only Docker's extension has it. A model is loaded in a minute on the slowest device. */
export const healthCheck = {
	command:
		'wget -q -O /dev/null "http://127.0.0.1:$' +
		'{EARSHOT_SERVER_PORT:-7100}/healthz"',
	intervalSeconds: 30,
	timeoutSeconds: 5,
	startSeconds: 120,
	retries: 3,
};

export interface Identity {
	readonly version: string;
	/** Commit that it is built of. */
	readonly revision: string;
	/** Time of that commit, ISO 8601. */
	readonly created: string;
}

export function labelsOf({
	version,
	revision,
	created,
}: Identity): Record<string, string> {
	const labels = {
		title: "earshot",
		description: "Speech recognition that lives on the device",
		licenses: "MIT",
		version,
		revision,
		created,
	};
	return Object.fromEntries(
		Object.entries(labels).map(([name, value]) => [
			`org.opencontainers.image.${name}`,
			value,
		]),
	);
}
