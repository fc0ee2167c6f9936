/** Validates a bill of materials against the CycloneDX project's schema of version 1.6. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";

const library = createRequire(import.meta.url).resolve(
	"@cyclonedx/cyclonedx-library/package.json",
);

/** @returns nothing if it is valid. */
export function faultsOf(bill: unknown): readonly string[] {
	const schema = (name: string) =>
		JSON.parse(
			readFileSync(
				join(dirname(library), "res/schema", `${name}.SNAPSHOT.schema.json`),
				"utf8",
			),
		);
	const ajv = new Ajv({ strict: false, allErrors: true });
	addFormats.default(ajv);
	for (const format of ["iri-reference", "idn-email"])
		ajv.addFormat(format, true);
	// by the names with which they refer to each other
	for (const name of ["spdx", "jsf-0.82", "cryptography-defs"])
		ajv.addSchema(
			{ ...schema(name), $id: undefined },
			`http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`,
		);
	const isGood = ajv.compile(schema("bom-1.6"));
	if (isGood(bill)) return [];
	return (isGood.errors ?? []).map(
		({ instancePath, message }) => `${instancePath} ${message}`,
	);
}
