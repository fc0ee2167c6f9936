/**
 * Signs models/catalogue.json, the catalogue that comes with earshot, and prints the public key for runtime/cli/own-catalogue.ts.
 * Usage: node build/scripts/models/sign-catalogue.js KEY.pem    an ed25519 key (openssl genpkey -algorithm ed25519 -out KEY.pem); it stays with its owner
 */
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const catalogue = "models/catalogue.json";
const [keyFile] = process.argv.slice(2);
if (keyFile === undefined) {
	process.stderr.write("sign-catalogue: name the private key's file\n");
	process.exit(2);
}
const key = createPrivateKey(readFileSync(keyFile));
const signature = sign(null, readFileSync(catalogue), key).toString("base64");
writeFileSync(`${catalogue}.sig`, `${signature}\n`);
const { x = "" } = createPublicKey(key).export({ format: "jwk" });
process.stdout.write(`${Buffer.from(x, "base64url").toString("base64")}\n`);
