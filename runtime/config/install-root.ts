/**
 * The folder of this program, and whether it is a checkout: a checkout keeps its state beside itself, an installation in /var/lib. The state directory of a
 * service manager (systemd's `StateDirectory=`) takes precedence in both.
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

export function defaultStateDir(root: string): string {
	const [given] = (process.env.STATE_DIRECTORY ?? "").split(":");
	if (given) return given;
	return isCheckout(root) ? join(root, "var") : "/var/lib/earshot";
}
