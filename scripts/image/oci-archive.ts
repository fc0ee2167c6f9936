/**
 * An image as an OCI archive: an image layout (OCI image specification 1.0, image-layout.md) in a tar file. One for a single processor also has the
 * `manifest.json` of `docker save`, so that every Docker loads it.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	linkSync,
	mkdirSync,
	readdirSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Layer } from "./layer.js";
import type { Platform } from "./platform.js";
import {
	command,
	entryPoint,
	environment,
	healthCheck,
	type Identity,
	labelsOf,
	ports,
	userId,
	volume,
} from "./settings.js";

const types = {
	index: "application/vnd.oci.image.index.v1+json",
	manifest: "application/vnd.oci.image.manifest.v1+json",
	config: "application/vnd.oci.image.config.v1+json",
	layer: "application/vnd.oci.image.layer.v1.tar+gzip",
};
const nanosecondsPerSecond = 1e9;

export interface PlatformImage {
	readonly platform: Platform;
	readonly layers: readonly Layer[];
}

interface Descriptor {
	readonly mediaType: string;
	readonly digest: string;
	readonly size: number;
}

/** @param work a folder to build it in. @param file to write. @returns the image's digest. */
export function writeArchive(
	images: readonly PlatformImage[],
	identity: Identity,
	work: string,
	file: string,
): string {
	const layout = new Layout(work);
	const configured = images.map(({ platform, layers }) => ({
		platform,
		layers,
		config: layout.json(types.config, configOf(platform, layers, identity)),
	}));
	const manifests = configured.map(({ platform, layers, config }) => {
		const { debian: architecture, variant } = platform;
		return {
			...layout.json(types.manifest, {
				schemaVersion: 2,
				mediaType: types.manifest,
				config,
				layers: layers.map((it) => layout.layer(it)),
				annotations: labelsOf(identity),
			}),
			platform: { architecture, os: "linux", ...(variant && { variant }) },
		};
	});
	const [only, ...others] = manifests;
	if (!only) throw new Error("an image of no platform");
	const image =
		others.length === 0
			? only
			: layout.json(types.index, indexOf(manifests, labelsOf(identity)));
	const name = {
		// that of `podman load`
		"org.opencontainers.image.ref.name": `earshot:${identity.version}`,
	};
	layout.file("index.json", indexOf([{ ...image, annotations: name }]));
	layout.file("oci-layout", { imageLayoutVersion: "1.0.0" });
	const [single] = configured;
	if (single && others.length === 0)
		layout.file("manifest.json", dockerManifest(single, identity));
	layout.pack(file);
	return image.digest;
}

class Layout {
	readonly #folder: string;

	constructor(folder: string) {
		this.#folder = folder;
		rmSync(folder, { recursive: true, force: true });
		mkdirSync(join(folder, "blobs/sha256"), { recursive: true });
	}

	json(mediaType: string, value: unknown): Descriptor {
		const text = JSON.stringify(value);
		const sha256 = createHash("sha256").update(text).digest("hex");
		writeFileSync(join(this.#folder, blob(sha256)), text);
		return {
			mediaType,
			digest: `sha256:${sha256}`,
			size: Buffer.byteLength(text),
		};
	}

	layer({ file, sha256, bytes }: Layer): Descriptor {
		const place = join(this.#folder, blob(sha256));
		rmSync(place, { force: true }); // layers of two platforms may be one
		linkSync(file, place);
		return { mediaType: types.layer, digest: `sha256:${sha256}`, size: bytes };
	}

	file(name: string, value: unknown): void {
		writeFileSync(join(this.#folder, name), JSON.stringify(value));
	}

	pack(file: string): void {
		execFileSync("tar", [
			...["--create", `--file=${file}`, `--directory=${this.#folder}`],
			...["--sort=name", "--format=gnu", "--mtime=@0", "--hard-dereference"],
			...["--numeric-owner", "--owner=0", "--group=0", "--mode=u=rwX,go=rX"],
			...readdirSync(this.#folder).sort(),
		]);
	}
}

function blob(sha256: string): string {
	return `blobs/sha256/${sha256}`;
}

function indexOf(
	manifests: readonly object[],
	annotations?: Record<string, string>,
) {
	return {
		schemaVersion: 2,
		mediaType: types.index,
		manifests,
		...(annotations && { annotations }),
	};
}

function configOf(
	{ debian: architecture, variant }: Platform,
	layers: readonly Layer[],
	identity: Identity,
) {
	const { created } = identity;
	return {
		created,
		architecture,
		os: "linux",
		...(variant && { variant }),
		config: {
			User: `${userId}:${userId}`,
			Env: Object.entries(environment).map((it) => it.join("=")),
			Entrypoint: entryPoint,
			Cmd: command,
			WorkingDir: volume,
			Volumes: { [volume]: {} },
			ExposedPorts: Object.fromEntries(ports.map((it) => [it, {}])),
			StopSignal: "SIGTERM",
			Labels: labelsOf(identity),
			Healthcheck: {
				Test: ["CMD-SHELL", healthCheck.command],
				Interval: healthCheck.intervalSeconds * nanosecondsPerSecond,
				Timeout: healthCheck.timeoutSeconds * nanosecondsPerSecond,
				StartPeriod: healthCheck.startSeconds * nanosecondsPerSecond,
				Retries: healthCheck.retries,
			},
		},
		rootfs: {
			type: "layers",
			diff_ids: layers.map((it) => `sha256:${it.contentSha256}`),
		},
		history: layers.map(({ title }) => ({ created, created_by: title })),
	};
}

function dockerManifest(
	{ config, layers }: { config: Descriptor; layers: readonly Layer[] },
	{ version }: Identity,
) {
	return [
		{
			Config: blob(config.digest.replace("sha256:", "")),
			RepoTags: [`earshot:${version}`],
			Layers: layers.map((it) => blob(it.sha256)),
		},
	];
}
