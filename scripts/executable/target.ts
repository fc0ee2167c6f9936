/**
 * What an executable is built for, and the files of other packages that go into it as they are. Versions of what npm does not install here (a Node binary,
 * another processor's libraries) stand here with their checksums; all others are those of package-lock.json.
 */

export const architectures = ["x64", "arm64"] as const;
export type Architecture = (typeof architectures)[number];

export interface Target {
	/** By the C library that it runs with. */
	readonly flavour: string;
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
const node20: NodeRelease = {
	version: "20.20.2",
	abi: "115",
	addonKind: "abi115",
	integrity: {
		x64: "sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==",
		arm64:
			"sha512-LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==",
	},
};

/** From glibc 2.38 on (uWebSockets.js asks for it): Debian 13, Ubuntu 24.04, JetPack 7. A newer server than Node 20 can load (README, security notes). */
const node24: NodeRelease = {
	version: "24.21.0",
	abi: "137",
	addonKind: "napi",
	integrity: {
		x64: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
		arm64:
			"sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
	},
};

/** By the oldest C library that they run with. */
export const flavours: Readonly<Record<string, NodeRelease>> = {
	"glibc2.34": node20,
	"glibc2.38": node24,
};
export const usualFlavour = "glibc2.34";

/** `earshot update` reads version and processor in it (runtime/update/release.ts). */
export function executableName(
	version: string,
	{ architecture, flavour }: Pick<Target, "architecture" | "flavour">,
): string {
	const suffix = flavour === usualFlavour ? "" : `-${flavour}`;
	return `earshot-${version}-linux-${architecture}${suffix}`;
}

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

/** Files of the repository itself. */
export const ownPackage = "earshot";

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
}: Omit<Target, "flavour">): readonly PackagedFile[] {
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
		{
			packageName: ownPackage,
			path: `drivers/onnx/capi/native/linux-${cpu}.so`,
			name: "earshot_ort.so",
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
