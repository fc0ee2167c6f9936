/** The container image: built twice, read by what others wrote, and run: without root, capabilities and a writable file system (EARSHOT_CONTAINER=1). */
import { createHash } from "node:crypto";
import {
	chmodSync,
	chownSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { repository } from "../e2e/running-appliance.js";
import { claimedPort } from "../fixtures/claimed-port.js";
import { eventually } from "../fixtures/eventually.js";
import { FakeSupervisor } from "../home-assistant/fake-supervisor.js";
import { knownSecrets } from "../secrets/known-secrets.js";
import { cannotRunImages, hardened, podman, run } from "./podman.js";

const version = JSON.parse(readFileSync("package.json", "utf8")).version;
const image = `localhost/earshot:${version}`;
const clip = join(repository, "models/whisper-base/probe.wav");
const text = "He might even have been made amiable himself.";
const out = "dist";
const archive = join(out, `earshot-${version}-linux-amd64.oci.tar`);
const both = join(out, `earshot-${version}.oci.tar`);
const userId = 7100;

/** @returns the digest that it prints. */
async function build(
	words: readonly string[],
	umask: string,
	environment: NodeJS.ProcessEnv = {},
): Promise<string> {
	const output = await run(
		"bash",
		["-c", `umask ${umask}; exec scripts/container "$@"`, "sh", ...words],
		environment,
	);
	return /sha256:[0-9a-f]{64}(?= {2}\S+\.oci\.tar)/.exec(output)?.[0] ?? output;
}

async function containerOf(
	t: { teardown(act: () => Promise<unknown>): unknown },
	name: string,
	words: readonly string[],
): Promise<string> {
	await podman("rm", "--force", "--ignore", name);
	t.teardown(() => podman("rm", "--force", "--ignore", name));
	return podman("run", "--detach", "--name", name, ...words);
}

async function untilHealthy(url: string): Promise<void> {
	await eventually(
		"a healthy container",
		async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.ok,
	);
}

async function transcribe(url: string, token: string): Promise<unknown> {
	const answer = await fetch(`${url}/v1/asr/api?lang_type=en&format=wav`, {
		method: "POST",
		body: readFileSync(clip),
		headers: { Authorization: `Bearer ${token}` },
	});
	const { data } = (await answer.json()) as { data?: { result?: string } };
	return data?.result;
}

/** A file that ffmpeg has to decode. */
async function transcribeM4a(url: string, token: string): Promise<unknown> {
	const folder = mkdtempSync(join(tmpdir(), "earshot-m4a-"));
	const file = join(folder, "clip.m4a");
	await run("ffmpeg", ["-v", "error", "-i", clip, "-c:a", "aac", file]);
	const form = new FormData();
	form.set("file", new Blob([readFileSync(file)]), "clip.m4a");
	form.set("language", "en");
	rmSync(folder, { recursive: true });
	const answer = await fetch(`${url}/v1/audio/transcriptions`, {
		method: "POST",
		body: form,
		headers: { Authorization: `Bearer ${token}` },
	});
	return ((await answer.json()) as { text?: string }).text;
}

const settings = (values: Readonly<Record<string, string>>) =>
	Object.entries(values).flatMap((it) => ["--env", it.join("=")]);

/** On a busy machine; the default suite does not come here. */
const msMax = 3_600_000;
const skip = await cannotRunImages();
if (!skip) t.setTimeout(msMax);

t.test("the image", { skip, timeout: msMax }, async (t) => {
	const work = mkdtempSync("/var/tmp/earshot-image-");
	t.teardown(() => rmSync(work, { recursive: true, force: true }));
	const digest = await build(["--arch", "x64", "--addon"], "022");
	t.match(digest, /^sha256:/);

	await t.test("a second build is the same", async (t) => {
		const index = await build(
			...([["--arch", "x64", "--arch", "arm64"], "077"] as const),
			{ TZ: "Asia/Tokyo", LC_ALL: "C" },
		);
		const raw = await run("skopeo", [
			"inspect",
			"--raw",
			`oci-archive:${both}`,
		]);
		t.equal(`sha256:${sha256(raw)}`, index);
		const { manifests } = JSON.parse(raw);
		t.same(
			manifests.map(
				({ platform }: { platform: { architecture: string } }) =>
					platform.architecture,
			),
			["amd64", "arm64"],
		);
		t.equal(manifests[0].digest, digest, "with another umask and time zone");
		t.comment(`amd64 ${digest}`);
		t.comment(`arm64 ${manifests[1].digest}`);
	});

	await t.test("skopeo reads both", async (t) => {
		for (const architecture of ["amd64", "arm64"]) {
			const output = await run("skopeo", [
				...["--override-arch", architecture, "inspect"],
				`oci-archive:${both}`,
			]);
			t.match(JSON.parse(output), {
				Architecture: architecture,
				Os: "linux",
				Labels: { "org.opencontainers.image.version": version },
			});
		}
	});

	await t.test("umoci unpacks it", async (t) => {
		const layout = join(work, "layout");
		await run("skopeo", [
			...["copy", "--quiet", `oci-archive:${archive}`, `oci:${layout}:it`],
		]);
		const bundle = join(work, "bundle");
		await run("umoci", ["unpack", "--image", `${layout}:it`, bundle]);
		const root = join(bundle, "rootfs");
		const data = lstatSync(join(root, "data"));
		t.same([data.uid, data.gid, data.mode & 0o7777], [userId, userId, 0o700]);
		const special = await run("find", [
			...[root, "(", "-perm", "/7000", "-o", "-perm", "-002", "-not"],
			...["-type", "l", ")", "-not", "-path", `${root}/tmp`],
		]);
		t.equal(special, "", "nothing is setuid or for everybody to write");
		t.same(
			readFileSync(join(root, "usr/lib/earshot/earshot")),
			readFileSync(join(out, `earshot-${version}-linux-x64`)),
		);
		rmSync(bundle, { recursive: true });
	});

	await podman("load", "--quiet", "--input", archive);
	const port = await claimedPort();
	const url = `http://127.0.0.1:${port}`;
	const own = {
		EARSHOT_SERVER_HOST: "127.0.0.1",
		EARSHOT_SERVER_PORT: String(port),
		EARSHOT_TLS_PORT: "0",
	};

	await t.test("it serves, stops and serves again", async (t) => {
		const data = join(work, "data");
		mkdirSync(data);
		chownSync(data, userId, userId);
		const words = [
			...[...hardened, "--volume", `${data}:/data`],
			...[...settings(own), image],
		];
		const name = "earshot-test-image";
		await containerOf(t, name, words);
		await untilHealthy(url);
		const inside = (...command: string[]) => podman("exec", name, ...command);
		t.match(await inside("id"), /^uid=7100\(earshot\) gid=7100\(earshot\)/);
		const status = await inside("cat", "/proc/1/status");
		t.match(status, /^CapEff:\t0{16}$/m);
		await t.rejects(inside("sh", "-c", "echo > /usr/bin/x"), /Read-only/);
		const token = await inside(
			...["earshot", "token", "create", "--name", "k", "--scope", "asr"],
		);
		knownSecrets.add("a token", token);
		t.equal(await transcribe(url, token), text);
		t.equal(await transcribeM4a(url, token), text, "by ffmpeg");
		t.match(await inside("earshot", "models", "list"), /whisper-base/);
		const probe = "/usr/share/earshot/models/whisper-base/probe.wav";
		const alone = ["earshot", "transcribe", "--lang", "en", probe];
		t.equal(await inside(...alone), text, "without the server");
		const health = await inside(
			...["sh", "-c", `wget -q -O /dev/null "${url}/healthz" && echo well`],
		);
		t.equal(health, "well");

		await podman("stop", "--time", "30", name);
		const exit = await podman(
			"inspect",
			"--format",
			"{{.State.ExitCode}}",
			name,
		);
		t.equal(exit, "0", "SIGTERM ends it cleanly");
		await podman("start", name);
		await untilHealthy(url);
		t.equal(await transcribe(url, token), text, "with the token of before");
		const log = await podman("logs", name);
		t.notMatch(log, /"level":"(error|fatal)"/);
	});

	await t.test("in Docker's form it has a health check", async (t) => {
		const form = join(work, "docker");
		await run("skopeo", [
			...["copy", "--quiet", "--format", "v2s2", `oci-archive:${archive}`],
			`dir:${form}`,
		]);
		const docker = "earshot-test-docker";
		const id = await podman("pull", "--quiet", `dir:${form}`);
		const data = join(work, "docker-data");
		mkdirSync(data);
		chownSync(data, userId, userId);
		await containerOf(t, docker, [
			...[...hardened, "--volume", `${data}:/data`, ...settings(own), id],
		]);
		await untilHealthy(url);
		t.equal(await podman("healthcheck", "run", docker), "");
	});

	await t.test("as an add-on of Home Assistant", async (t) => {
		const supervisor = new FakeSupervisor();
		const address = await supervisor.start();
		t.teardown(() => supervisor.stop());
		const data = join(work, "addon-data");
		mkdirSync(data);
		const options = join(data, "options.json");
		writeFileSync(options, '{"wyoming":true,"log_level":"debug"}');
		chmodSync(options, 0o600); // root's, as the Supervisor leaves it
		const folder = join(out, "addon-amd64/earshot");
		const env = [
			...readFileSync(join(folder, "Dockerfile"), "utf8").matchAll(
				/^ENV (\S+)="(.*)"$/gm,
			),
		].map(([, name = "", value = ""]) => [name, value]);
		const [wyoming, ingress] = [await claimedPort(), await claimedPort()];
		await containerOf(t, "earshot-test-addon", [
			...["--read-only", "--read-only-tmpfs=false", "--network=host"],
			...["--cgroups=disabled", "--ulimit=nofile=4096:4096"],
			...["--ulimit=nproc=4096:4096", "--user=0:0"],
			...["--volume", `${data}:/data`],
			...settings({
				...Object.fromEntries(env),
				...own,
				EARSHOT_WYOMING_PORT: String(wyoming),
				EARSHOT_INGRESS_PORT: String(ingress),
				EARSHOT_INGRESS_ALLOW: "127.0.0.1",
				EARSHOT_SUPERVISOR_URL: address,
				SUPERVISOR_TOKEN: supervisor.token,
			}),
			image,
		]);
		await untilHealthy(url);
		const inside = (...command: string[]) =>
			podman("exec", "earshot-test-addon", ...command);
		const processes = await inside("ps", "-o", "user,comm");
		t.match(processes, /^earshot +/m);
		t.notMatch(processes, /^root +(?!tini\b|ps\b| )/m, "nothing else is root");
		await eventually("discovery", () => supervisor.messages.size === 1);
		t.match([...supervisor.messages.values()][0]?.config.uri, `:${wyoming}`);
		const headers = { "X-Ingress-Path": "/api/hassio_ingress/abc" };
		const at = `http://127.0.0.1:${ingress}/v1/hotwords`;
		t.equal((await fetch(at, { headers })).status, 200);
		t.equal((await fetch(at)).status, 401);
		const list = await inside("earshot", "token", "list");
		t.type(list, "string");
		t.equal(lstatSync(join(data, "store.mdb")).uid, userId);
		const shown = await inside("earshot", "config", "show");
		t.match(shown, /the option log_level of the add-on/);
	});

	await t.test("its Dockerfile builds without a network", async (t) => {
		const folder = join(out, "addon-amd64/earshot");
		const id = await run("buildah", [
			...["build", "--quiet", "--network=none", "--format=docker", folder],
		]);
		t.teardown(() => run("buildah", ["rmi", "--force", id]));
		const output = await podman("inspect", id);
		t.match(JSON.parse(output)[0].Config, {
			Entrypoint: ["/usr/bin/tini", "--", "/usr/bin/earshot"],
			Cmd: ["serve"],
			Labels: { "io.hass.version": version, "io.hass.arch": "amd64" },
		});
	});

	await t.test("the arm64 image recognizes, emulated", async (t) => {
		const layout = join(work, "layout-arm64");
		await run("skopeo", [
			...["--override-arch", "arm64", "copy", "--quiet"],
			...[`oci-archive:${both}`, `oci:${layout}:it`],
		]);
		const bundle = join(work, "arm64");
		await run("umoci", ["unpack", "--image", `${layout}:it`, bundle]);
		const root = join(bundle, "rootfs");
		// scripts/test-arm64 starts what it is given, in a namespace whose kernel runs arm64 programs
		const program = join(work, "earshot-arm64");
		writeFileSync(
			program,
			`#!/bin/sh
mountpoint -q ${root}/proc || { mount --rbind /proc ${root}/proc; mount --rbind /dev ${root}/dev; mount --bind /tmp ${root}/tmp; }
export HOME=/tmp EARSHOT_MODEL_DIR=/usr/share/earshot/models EARSHOT_TLS_PORT=0
chroot ${root} /usr/bin/ffmpeg -v error -version >/dev/null || exit 1
exec chroot ${root} /usr/lib/earshot/earshot "$@"
`,
		);
		chmodSync(program, 0o755);
		const output = await run("scripts/test-arm64", [program]);
		t.match(output, /ok healthy after \d+ s/);
		t.match(output, `ok HTTP: ${text}`);
		t.match(output, `ok WebSocket: ${text}`);
		t.comment(output);
	});
});

function sha256(content: string): string {
	return createHash("sha256").update(content).digest("hex");
}
