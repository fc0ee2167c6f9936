/**
 * What an executable is built for, and the files of other packages that go into it as they are. Versions of what npm does not install here (a Node binary,
 * another processor's libraries) stand here with their checksums; all others are those of package-lock.json.
 */

export const architectures = ["x64", "arm64"] as const;
export type Architecture = (typeof architectures)[number];

export interface Target {
	readonly architecture: Architecture;
	readonly node: NodeRelease;
}

export interface NodeRelease {
	readonly version: string;
	/** `process.versions.modules`: native addons are built for one. */
	readonly abi: string;
	/** Of lmdb and msgpackr, which have a build of their own for some ABIs. */
	readonly addonKind: string;
	/** Checksums of the packages `node-linux-<architecture>`, as a registry states them. */
	readonly integrity: Readonly<Record<Architecture, string>>;
}

/** From glibc 2.34 on (lmdb asks for it): Debian 12, Ubuntu 22.04, JetPack 6, Raspberry Pi OS bookworm. */
export const node20: NodeRelease = {
	version: "20.20.2",
	abi: "115",
	addonKind: "abi115",
	integrity: {
		x64: "sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==",
		arm64:
			"sha512-LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==",
	},
};

/** Packages for another processor than the one package-lock.json was made on. */
export const pinned: Readonly<
	Record<string, { readonly version: string; readonly integrity: string }>
> = {
	// 2.0.3 of the package that loads it was published for other processors only; the library's functions are the same
	"@node-rs/jieba-linux-arm64-gnu": {
		version: "2.0.2",
		integrity:
			"sha512-tM0Gdh37ZhHpol8O3REGaWILdPYYoXfDuw+XfXhq1ppNbfwG5fm+DmoW7n4qg4nQM7jGM2t67BbmlENwxiAlCQ==",
	},
};

export interface PackagedFile {
	readonly packageName: string;
	readonly path: string;
	/** In the executable. */
	readonly name: string;
}

/** Loaded by the dynamic loader; the names are known in runtime/executable/parts.ts and in bundle-plugin.ts. */
export function libraryFiles({
	architecture: cpu,
	node,
}: Target): readonly PackagedFile[] {
	const ort = `bin/napi-v6/linux/${cpu}`;
	return [
		{
			packageName: "uWebSockets.js",
			path: `uws_linux_${cpu}_${node.abi}.node`,
			name: "uws.node",
		},
		{
			packageName: `@lmdb/lmdb-linux-${cpu}`,
			path: `node.${node.addonKind}.glibc.node`,
			name: "lmdb.node",
		},
		{
			packageName: `@msgpackr-extract/msgpackr-extract-linux-${cpu}`,
			path: `node.${node.addonKind}.glibc.node`,
			name: "msgpackr-extract.node",
		},
		{
			packageName: `@node-rs/jieba-linux-${cpu}-gnu`,
			path: `jieba.linux-${cpu}-gnu.node`,
			name: "jieba.node",
		},
		{
			packageName: `@yuuang/ffi-rs-linux-${cpu}-gnu`,
			path: `ffi-rs.linux-${cpu}-gnu.node`,
			name: "ffi-rs.node",
		},
		{
			packageName: "onnxruntime-node",
			path: `${ort}/onnxruntime_binding.node`,
			name: "onnxruntime_binding.node",
		},
		{
			packageName: "onnxruntime-node",
			path: `${ort}/libonnxruntime.so.1`,
			name: "libonnxruntime.so.1",
		},
	];
}

/** Read where they lie in the executable. */
export const dataFiles: readonly PackagedFile[] = [
	{
		packageName: "lindera-wasm-nodejs-ipadic",
		path: "lindera_wasm_bg.wasm",
		name: "lindera.wasm",
	},
	{
		packageName: "@node-rs/jieba",
		path: "dict.txt",
		name: "jieba-dict.txt",
	},
	{ packageName: "@node-rs/jieba", path: "idf.txt", name: "jieba-idf.txt" },
];
