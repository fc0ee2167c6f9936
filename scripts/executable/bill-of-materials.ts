/**
 * What is in an executable, for programs that look for known flaws: CycloneDX 1.6 in JSON (ECMA-424). No serial number and no time: the same commit gives
 * the same file.
 */
import type { Component } from "./inventory.js";

export function billOfMaterials(
	[program, ...others]: readonly Component[],
	parts: readonly { readonly name: string; readonly sha256: string }[],
): string {
	if (!program) throw new Error("an executable without a program");
	const bill = {
		bomFormat: "CycloneDX",
		specVersion: "1.6",
		version: 1,
		metadata: { component: { ...asComponent(program), type: "application" } },
		components: [
			...others.map(asComponent),
			...parts.map(({ name, sha256 }) => ({
				type: "file",
				"bom-ref": `file:${name}`,
				name,
				hashes: [{ alg: "SHA-256", content: sha256 }],
			})),
		],
	};
	return `${JSON.stringify(bill, null, "\t")}\n`;
}

function asComponent({ name, version, licence, purl, integrity }: Component) {
	return {
		type: "library",
		"bom-ref": purl ?? `${name}@${version}`,
		name,
		version,
		licenses: [licenceOf(licence)],
		...(purl && { purl }),
		...(integrity && { hashes: [hashOf(integrity)] }),
	};
}

/** One licence by its id; several as an expression. */
function licenceOf(licence: string) {
	return / (AND|OR|WITH) /.test(licence)
		? { expression: licence.replace(/^\((.*)\)$/, "$1") }
		: { license: { id: licence } };
}

function hashOf(integrity: string) {
	const [kind = "", base64 = ""] = integrity.split(/-(.*)/s);
	return {
		alg: kind.replace("sha", "SHA-"),
		content: Buffer.from(base64, "base64").toString("hex"),
	};
}
