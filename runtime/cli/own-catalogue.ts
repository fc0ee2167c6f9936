/** The catalogue that comes with earshot: published models that it was tried with. scripts/models/sign-catalogue.ts signs it. */
import { ownText } from "../config/own-program.js";
import {
	readCatalogue,
	type SignedCatalogue,
} from "../models/package/signed-catalogue.js";

const path = "models/catalogue.json";
/** ed25519, 32 bytes in base64. */
const publicKey = "fwh8dkD7f4/Um7/XC2oRW1XwfFwDDhvXxt2bqqXpuBk=";

/** @throws PackageError when it was altered. */
export function ownCatalogue(): SignedCatalogue {
	return readCatalogue(
		Buffer.from(ownText(path)),
		ownText(`${path}.sig`),
		publicKey,
	);
}
