/**
 * A Python with the packages of `python/requirements.txt`, each checked by its hash: made on first use, outside the repository. Where it can't be made (no
 * Python or an old one, no package index) the tests that need it are skipped and say why.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { repository } from "./running-appliance.js";

const run = promisify(execFile);
const folder = join(repository, "test/e2e/python");
const { EARSHOT_TEST_CACHE, XDG_CACHE_HOME } = process.env;
const cache =
	EARSHOT_TEST_CACHE ??
	join(XDG_CACHE_HOME ?? join(homedir(), ".cache"), "earshot-test");

/**
 * @param file of the packages.
 * @param installs absent: always; otherwise what installs them where they are not there yet.
 * @returns the interpreter, or why there is none.
 */
export async function pythonWithClients(
	file = "requirements.txt",
	installs?: { readonly variable: string; readonly size: string },
): Promise<{ readonly python: string } | { readonly missing: string }> {
	const requirements = join(folder, file);
	const text = readFileSync(requirements, "utf8");
	const digest = createHash("sha256").update(text);
	const home = join(cache, `python-${digest.digest("hex").slice(0, 12)}`);
	const python = join(home, "bin/python");
	if (existsSync(python)) return { python };
	if (installs && !process.env[installs.variable])
		return {
			missing: `no Python with the packages of ${file}: ${installs.variable}=1 installs them (${installs.size})`,
		};
	const tooOld = await whyTooOld(text);
	if (tooOld) return { missing: `no Python for ${file}: ${tooOld}` };
	// made under another name: one that was interrupted is never taken for whole
	const making = `${home}.${process.pid}`;
	try {
		await run("python3", ["-m", "venv", making]);
		await run(join(making, "bin/python"), [
			...["-m", "pip", "install", "--quiet", "--disable-pip-version-check"],
			...["--require-hashes", "-r", requirements],
		]);
		try {
			renameSync(making, home);
		} catch {
			// another test was faster
		}
		return { python };
	} catch (error) {
		const { stderr, message } = error as Error & { stderr?: string };
		const why = (stderr || message).trim().split("\n").at(-1) ?? "";
		return { missing: `no Python with the clients' packages: ${why}` };
	} finally {
		rmSync(making, { recursive: true, force: true });
	}
}

/** Asked first: an attempt to install takes seconds of the processor's time in every run. @param requirements whose comment may say what they need. */
async function whyTooOld(requirements: string): Promise<string | undefined> {
	const [, least] = /^#.* needs Python 3\.(\d+)/m.exec(requirements) ?? [];
	if (least === undefined) return undefined;
	const { stdout } = await run("python3", ["--version"]).catch(() => ({
		stdout: "no python3",
	}));
	const [, minor = "0"] = /^Python 3\.(\d+)/.exec(stdout) ?? [];
	if (Number(minor) >= Number(least)) return undefined;
	return `it needs Python 3.${least}, found ${stdout.trim()}`;
}
