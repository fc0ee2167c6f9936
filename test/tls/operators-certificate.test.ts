import { createPrivateKey } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { Https } from "../../runtime/appliance/https.js";
import { loggerTo } from "../../runtime/log/log.js";
import { Certificates } from "../../runtime/tls/certificates.js";
import { DeviceCertificate } from "../../runtime/tls/device-certificate.js";

const certificates =
	/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----\n/g;

/** HTTPS with a certificate of the operator's, and what its server was given of it. */
async function withOwn(t: Test) {
	const folder = t.testdir();
	const made = await new DeviceCertificate({ folder, names: [] }).upToDate();
	const pem = readFileSync(made.file, "utf8");
	const [leaf = "", signer = ""] = pem.match(certificates) ?? [];
	const cert_file = join(folder, "asr.crt");
	const used: string[] = [];
	const errors: string[] = [];
	const https = new Https({
		config: {
			tls: {
				port: 7143,
				names: [],
				required: false,
				cert_file,
				key_file: made.file,
			},
			state: { dir: folder },
		},
		api: {
			useCertificate: async ({ certificate }) => {
				used.push(readFileSync(certificate, "utf8"));
				return 7143;
			},
		},
		log: loggerTo({ write: (line) => errors.push(line) }, "error"),
	});
	return { https, used, errors, cert_file, leaf, signer };
}

t.test(
	"the certificates that signed the operator's are used once they are in its file",
	async (t) => {
		const { https, used, cert_file, leaf, signer } = await withOwn(t);
		writeFileSync(cert_file, leaf);
		await https.start();
		t.teardown(() => https.stop());
		await https.refresh();
		t.strictSame(used, [leaf], "what is as before is not used anew");
		writeFileSync(cert_file, leaf + signer);
		await https.refresh();
		t.strictSame(used, [leaf, leaf + signer]);
	},
);

t.test("a key with a passphrase is said to have one", async (t) => {
	const folder = t.testdir();
	const made = await new DeviceCertificate({ folder, names: [] }).upToDate();
	const key_file = join(folder, "asr.key");
	const key = createPrivateKey(readFileSync(made.file));
	const own = { names: [], cert_file: made.file, key_file };
	for (const type of ["pkcs8", "sec1"] as const) {
		const cipher = "aes-256-cbc";
		const passphrase = "of its owner";
		const pem = key.export({ type, format: "pem", cipher, passphrase });
		writeFileSync(key_file, pem);
		await t.rejects(
			new Certificates(own, folder).upToDate(),
			/^tls\.key_file: the key in .*asr\.key has a passphrase, .*openssl pkey -in /,
		);
	}
});

t.test("what is wrong with one is logged once", async (t) => {
	const { https, errors, cert_file, leaf } = await withOwn(t);
	for (const content of ["none", "none", leaf, "none"]) {
		writeFileSync(cert_file, content);
		await https.refresh();
	}
	t.equal(errors.length, 2, "and again after it was right");
	t.match(errors[0], "certificate not replaced");
});
