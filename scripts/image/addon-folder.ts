/**
 * The add-on as a folder that Home Assistant builds by itself (`/addons/earshot`): addon/ with the image's layers and a Dockerfile that unpacks them, so that
 * nothing is fetched.
 */
import {
	copyFileSync,
	cpSync,
	mkdirSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Layer } from "./layer.js";
import type { Platform } from "./platform.js";
import {
	addonEnvironment,
	command,
	entryPoint,
	environment,
	healthCheck,
	type Identity,
	labelsOf,
} from "./settings.js";

/** @param out where `addon-<arch>/earshot` is made. @returns the folder. */
export function writeAddon(
	platform: Platform,
	layers: readonly Layer[],
	identity: Identity,
	out: string,
): string {
	const folder = join(out, `addon-${platform.homeAssistant}`, "earshot");
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	cpSync("addon", folder, { recursive: true });
	const files = layers.map(({ file }, index) => {
		const name = `layer-${index + 1}.tar.gz`;
		copyFileSync(file, join(folder, name));
		return name;
	});
	writeFileSync(
		join(folder, "Dockerfile"),
		dockerfile(files, platform, identity),
	);
	return folder;
}

export function dockerfile(
	layers: readonly string[],
	{ homeAssistant }: Pick<Platform, "homeAssistant">,
	identity: Identity,
): string {
	const labels = {
		...labelsOf(identity),
		"io.hass.type": "app",
		"io.hass.version": identity.version,
		"io.hass.arch": homeAssistant,
	};
	const { intervalSeconds, timeoutSeconds, startSeconds, retries } =
		healthCheck;
	return [
		"# Made by scripts/container --addon: it unpacks what lies beside it.",
		"FROM scratch",
		...layers.map((it) => `ADD ${it} /`),
		...assignments("ENV", { ...environment, ...addonEnvironment }),
		...assignments("LABEL", labels),
		"WORKDIR /data",
		"STOPSIGNAL SIGTERM",
		`HEALTHCHECK --interval=${intervalSeconds}s --timeout=${timeoutSeconds}s --start-period=${startSeconds}s --retries=${retries} CMD ${healthCheck.command}`,
		`ENTRYPOINT ${JSON.stringify(entryPoint)}`,
		`CMD ${JSON.stringify(command)}`,
		"",
	].join("\n");
}

function assignments(
	instruction: string,
	values: Readonly<Record<string, string>>,
): string[] {
	return Object.entries(values).map(
		([name, value]) => `${instruction} ${name}=${JSON.stringify(value)}`,
	);
}
