/** The image's parts, without an image: layers and archives are the same bytes for the same files, and a root of Debian's files has what programs need. */
import { createHash } from "node:crypto";
import {
	existsSync,
	mkdirSync,
	readFileSync,
	readlinkSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import t from "tap";
import { DebianRoot } from "../../scripts/image/debian-root.js";
import { makeLayer } from "../../scripts/image/layer.js";
import {
	isElf,
	loaderOf,
	neededLibraries,
} from "../../scripts/image/needed-libraries.js";
import { writeArchive } from "../../scripts/image/oci-archive.js";
import { platformOf } from "../../scripts/image/platform.js";

const identity = {
	version: "1.2.3",
	revision: "abc",
	created: "2026-01-01T00:00:00Z",
};
const x64 = platformOf("x64");
const sha256 = (bytes: Uint8Array) =>
	createHash("sha256").update(bytes).digest("hex");

/** Writes files below a folder; a value that begins with "-> " is a link. */
function fill(folder: string, files: Readonly<Record<string, string>>): string {
	for (const [path, content] of Object.entries(files)) {
		const place = join(folder, path);
		mkdirSync(dirname(place), { recursive: true });
		if (content.startsWith("-> ")) symlinkSync(content.slice(3), place);
		else writeFileSync(place, content);
	}
	return folder;
}

async function layerIn(work: string, mtime: number) {
	const folder = fill(join(work, "root"), {
		"usr/bin/b": "program",
		"usr/bin/a": "-> b",
	});
	utimesSync(join(folder, "usr/bin/b"), mtime, mtime);
	const data = join(work, "data");
	mkdirSync(join(data, "data"), { recursive: true });
	return makeLayer(
		"files",
		[
			{ folder, owner: 0, mode: "u=rwX,go=rX" },
			{ folder: data, owner: 7100, mode: "0700" },
		],
		join(work, "layer.tar.gz"),
	);
}

t.test("the same files give the same image", async (t) => {
	const before = process.umask();
	t.teardown(() => process.umask(before));
	const made = [];
	for (const [index, umask] of [0o022, 0o077].entries()) {
		process.umask(umask);
		const work = join(t.testdir(), String(index));
		const layer = await layerIn(work, 1e9 + index);
		t.equal(layer.sha256, sha256(readFileSync(layer.file)));
		const content = gunzipSync(readFileSync(layer.file));
		t.equal(layer.contentSha256, sha256(content));
		const file = join(work, "image.oci.tar");
		const images = [{ platform: x64, layers: [layer] }];
		const digest = writeArchive(images, identity, join(work, "layout"), file);
		made.push({ digest, archive: sha256(readFileSync(file)) });
	}
	t.same(made[0], made[1]);
});

t.test("an archive is a layout of blobs that are what they say", async (t) => {
	const work = t.testdir();
	const layer = await layerIn(work, 1e9);
	const layout = join(work, "layout");
	const arm64 = platformOf("arm64");
	const images = [x64, arm64].map((platform) => ({
		platform,
		layers: [layer],
	}));
	const digest = writeArchive(images, identity, layout, join(work, "both.tar"));
	const json = (path: string) =>
		JSON.parse(readFileSync(join(layout, path), "utf8"));
	const blob = ({ digest, size }: { digest: string; size: number }) => {
		const path = `blobs/${digest.replace(":", "/")}`;
		const bytes = readFileSync(join(layout, path));
		t.equal(`sha256:${sha256(bytes)}`, digest);
		t.equal(bytes.length, size);
		return bytes;
	};
	t.same(json("oci-layout"), { imageLayoutVersion: "1.0.0" });
	t.notOk(existsSync(join(layout, "manifest.json")), "docker save knows one");
	const [entry] = json("index.json").manifests;
	t.equal(entry.digest, digest);
	const { manifests } = JSON.parse(blob(entry).toString());
	t.match(manifests, [
		{ platform: { architecture: "amd64", os: "linux" } },
		{ platform: { architecture: "arm64", os: "linux", variant: "v8" } },
	]);
	for (const it of manifests) {
		const manifest = JSON.parse(blob(it).toString());
		for (const part of manifest.layers) blob(part);
		const { config, rootfs } = JSON.parse(blob(manifest.config).toString());
		t.same(rootfs.diff_ids, [`sha256:${layer.contentSha256}`]);
		t.match(config, {
			User: "7100:7100",
			Entrypoint: ["/usr/bin/tini", "--", "/usr/bin/earshot"],
			Volumes: { "/data": {} },
			Healthcheck: { Test: ["CMD-SHELL", /\/healthz/] },
			Labels: { "org.opencontainers.image.version": "1.2.3" },
		});
	}

	writeArchive(images.slice(1), identity, layout, join(work, "one.tar"));
	const [docker] = json("manifest.json");
	t.same(docker.RepoTags, ["earshot:1.2.3"]);
	for (const path of [docker.Config, ...docker.Layers])
		t.ok(existsSync(join(layout, path)), path);
});

t.test("what a program needs to be loaded", (t) => {
	const program = readFileSync(process.execPath);
	t.ok(isElf(program));
	t.ok(neededLibraries(program).includes("libc.so.6"));
	const loader = loaderOf(program) ?? "";
	t.match(loader, /^\/lib.*\/ld-linux/);
	t.equal(loaderOf(readFileSync(loader)), undefined, "a library");
	for (const other of ["", "#!/bin/sh\n", "\x7fELF\x01\x01"])
		t.notOk(isElf(Buffer.from(other)), other);
	t.end();
});

t.test("a root has what is used, and its notices", (t) => {
	const work = t.testdir();
	const packaged = (name: string, files: Record<string, string>) => ({
		name,
		control: `Package: ${name}\n`,
		root: fill(join(work, name), {
			[`usr/share/doc/${name}/copyright`]: `of ${name}`,
			...files,
		}),
	});
	const root = join(work, "root");
	const debian = new DebianRoot(
		root,
		[
			packaged("base-files", { "usr/share/common-licenses/GPL-3": "GPL" }),
			packaged("tool", { "usr/bin/tool": "-> ../share/tool/tool" }),
			packaged("tool-data", {
				"usr/share/tool/tool": "#!/bin/sh",
				"usr/share/tool/unused": "never",
			}),
			packaged("blas", { "lib/x86_64-linux-gnu/blas/libblas.so.3": "it" }),
			packaged("unused", { "usr/bin/unused": "never" }),
		],
		x64,
	);
	debian.add("usr/bin/tool");
	debian.addLibrary("libblas.so.3");
	t.same(debian.addNotices(), ["base-files", "blas", "tool", "tool-data"]);
	t.equal(
		readFileSync(join(root, "bin/tool"), "utf8"),
		"#!/bin/sh",
		"a link, through a folder that is one",
	);
	t.equal(
		readlinkSync(join(root, "usr/lib/x86_64-linux-gnu/libblas.so.3")),
		"blas/libblas.so.3",
		"where the loader looks",
	);
	for (const path of ["usr/bin/unused", "usr/share/tool/unused"])
		t.notOk(existsSync(join(root, path)), path);
	t.ok(existsSync(join(root, "usr/share/doc/tool-data/copyright")));
	t.ok(existsSync(join(root, "var/lib/dpkg/status.d/blas")));
	t.throws(() => debian.add("usr/bin/other"), /no package has usr\/bin\/other/);
	t.throws(() => debian.addLibrary("libother.so.1"), /libother\.so\.1/);
	t.throws(() => platformOf("riscv64"), /--arch must be one of x64, arm64/);
	t.ok((statSync("scripts/image/files/earshot").mode & 0o111) !== 0);
	t.end();
});
