/** The processors that images are made for, under the names that each tool has for them. */
import type { Architecture } from "../executable/target.js";

export interface Platform {
	/** As Node and scripts/build say. */
	readonly node: Architecture;
	/** As Debian and OCI say. */
	readonly debian: "amd64" | "arm64";
	/** As Home Assistant says. */
	readonly homeAssistant: "amd64" | "aarch64";
	/** Folder of Debian's libraries, below /usr/lib. */
	readonly triplet: string;
	/** Of OCI; absent: there is one. */
	readonly variant?: string;
}

const platforms: Readonly<Record<Architecture, Platform>> = {
	x64: {
		node: "x64",
		debian: "amd64",
		homeAssistant: "amd64",
		triplet: "x86_64-linux-gnu",
	},
	arm64: {
		node: "arm64",
		debian: "arm64",
		homeAssistant: "aarch64",
		triplet: "aarch64-linux-gnu",
		variant: "v8",
	},
};

/** @throws Error for a name that is none. */
export function platformOf(name: string): Platform {
	if (!Object.hasOwn(platforms, name))
		throw new Error(
			`--arch must be one of ${Object.keys(platforms).join(", ")}`,
		);
	return platforms[name as Architecture];
}
