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

/** Runs programs one after another in one process. @param programs each one's file and arguments. @returns what each has printed. */
export async function printedBy(
	python: string,
	programs: readonly (readonly string[])[],
	options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<string[]> {
	const all = programs.map((it) => JSON.stringify(it));
	const args = [join(folder, "programs.py"), ...all];
	const { stdout } = await run(python, args, options);
	return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

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
	const home = homeOf(text);
	const python = join(home, "bin/python");
	if (existsSync(python)) return { python };
	if (installs && !process.env[installs.variable])
		return {
			missing: `no Python with the packages of ${file}: ${installs.variable}=1 installs them (${installs.size})`,
		};
	const tooOld = await whyTooOld(text);
	if (tooOld) return { missing: `no Python for ${file}: ${tooOld}` };
	try {
		await makeWhole(home, async (making) => {
			try {
				await installWithUv(making, requirements);
			} catch {
				rmSync(making, { recursive: true, force: true });
				await installWithPip(making, requirements);
			}
		});
		return { python };
	} catch (error) {
		const { stderr, message } = error as Error & { stderr?: string };
		const why = (stderr || message).trim().split("\n").at(-1) ?? "";
		return { missing: `no Python with the clients' packages: ${why}` };
	}
}

/** Under another name first: what was interrupted is never taken for whole. */
async function makeWhole(
	home: string,
	make: (making: string) => Promise<void>,
): Promise<void> {
	const making = `${home}.${process.pid}`;
	try {
		await make(making);
		try {
			renameSync(making, home);
		} catch {
			// another test was faster
		}
	} finally {
		rmSync(making, { recursive: true, force: true });
	}
}

async function installWithPip(home: string, requirements: string) {
	await run("python3", ["-m", "venv", home]);
	await run(join(home, "bin/python"), [
		...["-m", "pip", "install", "--quiet", "--disable-pip-version-check"],
		...["--no-compile", "--require-hashes", "-r", requirements],
	]);
}

/** Takes 2 s of processor time for the packages of OpenAI and LiteLLM; pip 40 s, since it looks at every file of every release of each. */
async function installWithUv(home: string, requirements: string) {
	const uv = await uvItself();
	const { PIP_INDEX_URL, PIP_CERT } = process.env;
	const env = {
		...process.env,
		...(PIP_INDEX_URL && { UV_DEFAULT_INDEX: PIP_INDEX_URL }),
		...(PIP_CERT && { SSL_CERT_FILE: PIP_CERT }),
	};
	const common = ["--quiet", "--no-config", "--no-cache"];
	await run(uv, ["venv", ...common, "--python", "python3", home], { env });
	await run(
		uv,
		[
			...["pip", "install", ...common, "--python", join(home, "bin/python")],
			...["--require-hashes", "-r", requirements],
		],
		{ env },
	);
}

async function uvItself(): Promise<string> {
	const requirements = join(folder, "uv-requirements.txt");
	const home = homeOf(readFileSync(requirements, "utf8"));
	const uv = join(home, "bin/uv");
	if (!existsSync(uv))
		await makeWhole(home, (making) => installWithPip(making, requirements));
	return uv;
}

/** @param requirements its text. */
function homeOf(requirements: string): string {
	const digest = createHash("sha256").update(requirements).digest("hex");
	return join(cache, `python-${digest.slice(0, 12)}`);
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
