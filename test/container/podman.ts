/**
 * Podman with crun, as root. In a mount namespace of its own without the second hierarchy of cgroups, which crun refuses beside the first one; and with the network of
 * this machine, since a sandbox may have no bridge.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const needed = ["podman", "crun", "skopeo", "umoci", "unshare"];
const outputBytesMax = 64 * 1024 * 1024;

export async function run(
	file: string,
	words: readonly string[],
	environment: NodeJS.ProcessEnv = {},
): Promise<string> {
	const { stdout } = await promisify(execFile)(file, [...words], {
		env: { ...process.env, ...environment },
		maxBuffer: outputBytesMax,
	});
	return stdout.trim();
}

/** Why the test of the image can't run here; false: it can. */
export async function cannotRunImages(): Promise<string | false> {
	if (process.env.EARSHOT_CONTAINER !== "1")
		return "takes many minutes: set EARSHOT_CONTAINER=1";
	if (process.getuid?.() !== 0) return "needs root";
	for (const program of needed)
		if (!(await run("which", [program]).catch(() => "")))
			return `${program} is not installed`;
	return false;
}

export function podman(...words: string[]): Promise<string> {
	const script =
		'umount /sys/fs/cgroup/unified 2>/dev/null || true; exec podman "$@"';
	return run("unshare", ["--mount", "sh", "-c", script, "sh", ...words]);
}

/** As docs/container.md says, and with limits that a sandbox may set. */
export const hardened = [
	...["--read-only", "--read-only-tmpfs=false", "--cap-drop=all"],
	...["--security-opt=no-new-privileges", "--network=host"],
	...["--cgroups=disabled", "--ulimit=nofile=4096:4096"],
	"--ulimit=nproc=4096:4096",
];
