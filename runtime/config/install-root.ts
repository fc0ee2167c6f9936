/**
 * Where this program lies, and whether that is a checkout: a checkout keeps its state beside itself, an installation in /var/lib. A service manager that
 * gives a state directory (systemd's `StateDirectory=`) is followed in both.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ownRoot } from "./own-program.js";

/** The directory that holds `models/`, and `config/` in a checkout. */
export const installRoot = ownRoot;

export function isCheckout(root: string): boolean {
	const has = (name: string) => existsSync(join(root, name));
	return has("package.json") && (has(".git") || has("tsconfig.json"));
}

export function defaultStateDir(
	root: string,
	environment: NodeJS.ProcessEnv = process.env,
): string {
	const [given] = (environment.STATE_DIRECTORY ?? "").split(":");
	if (given) return given;
	return isCheckout(root) ? join(root, "var") : "/var/lib/earshot";
}
