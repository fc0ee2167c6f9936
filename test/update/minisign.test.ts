/** Signatures: minisign's own (version 0.11), those of our own writer, and every kind of invalid one. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import {
	readPublicKey,
	readSignature,
	verifyFile,
} from "../../runtime/update/minisign.js";
import { releaseOf } from "../../runtime/update/release.js";
import { newSigner, signatureOf } from "./minisign-writer.js";

const minisign = ["/usr/bin/minisign", "/usr/local/bin/minisign"].find((it) =>
	existsSync(it),
);

/** Made by minisign, of a file with the line `earshot hears`. */
const published = {
	key: `untrusted comment: minisign public key A22846962B13DE00
RWQA3hMrlkYoooZUlQoxH+OY9/u5kXczLqkjM4b+gIgxhZ/xCqWcrYeT
`,
	prehashed: `untrusted comment: signature from minisign secret key
RUQA3hMrlkYooghMjpFVO0PlFx16R7VkJ0f7t9RtCbMlwJeFoNlYS+H8bffaZOeH6JYNe4ZzvXiIcXaXiPoMA7p/quw8XH25pQM=
trusted comment: timestamp:1795313337\tfile:earshot-0.2.0-linux-x64\thashed
MYF8QzrYhqGjBEJuf7xxrblj4lBoCu3bgWzJTUnuVme2h1E59jy85UfvfQbmybnmPk6TzFAFUBbRhZ+KQr47Ag==
`,
	plain: `untrusted comment: signature from minisign secret key
RWQA3hMrlkYootchxv9jQCDAGvD55EMrm1bD95wJfi5f9xpS0yxydOKM1ApLy15zd8Xd2/YEbH14Ad/oXJ43mwuhn3hPfp6tvwM=
trusted comment: timestamp:1\tversion:0.2.0\tarch:arm64\tbytes:14
pIDBhdlKTjNNlvBkAT2zLzIarR43MqjWzETyc/4fUtLB2LNR8CBnIgrgee2Vz6ao9t8nQmF1PL+4daDz0tlTCQ==
`,
};

t.test("signatures by minisign are verified, in both formats", async (t) => {
	const path = join(t.testdir(), "program");
	writeFileSync(path, "earshot hears\n");
	const key = readPublicKey(published.key);
	t.equal(key.id, "A22846962B13DE00");
	const hashed = readSignature(published.prehashed, [key]);
	await verifyFile(path, hashed);
	t.strictSame(releaseOf(hashed.trustedComment), {
		version: "0.2.0",
		architecture: "x64",
	});
	const plain = readSignature(published.plain, [newKey(), key]);
	await verifyFile(path, plain);
	t.strictSame(releaseOf(plain.trustedComment), {
		version: "0.2.0",
		architecture: "arm64",
		bytes: 14,
	});
	writeFileSync(path, "earshot hearz\n");
	for (const signature of [hashed, plain])
		await t.rejects(verifyFile(path, signature), {
			name: "UpdateError",
			message: /invalid signature/,
		});
});

t.test("any changed letter is noticed", async (t) => {
	const path = join(t.testdir(), "program");
	writeFileSync(path, "earshot hears\n");
	const keys = [readPublicKey(published.key)];
	for (const text of [published.prehashed, published.plain]) {
		const from = text.indexOf("\n") + 1; // the first line is not signed
		for (let at = from; at < text.length - 1; at++) {
			const other = text[at] === "A" ? "B" : "A";
			const altered = `${text.slice(0, at)}${other}${text.slice(at + 1)}`;
			await t.rejects(
				async () => verifyFile(path, readSignature(altered, keys)),
				{ name: "UpdateError" },
				`at ${at}`,
			);
		}
	}
});

t.test("the signer is reported, and must be trusted", async (t) => {
	const [ours, theirs] = [newSigner(), newSigner()];
	const text = signatureOf(Buffer.from("x"), theirs, { comment: "c" });
	t.throws(() => readSignature(text, [readPublicKey(ours.publicKey)]), {
		message: /signed with the key [0-9A-F]{16}; trusted are [0-9A-F]{16}$/,
	});
	// the same id, another key
	const liar = { ...theirs, id: ours.id };
	t.throws(
		() =>
			readSignature(signatureOf(Buffer.from("x"), liar, { comment: "c" }), [
				readPublicKey(ours.publicKey),
			]),
		/altered/,
	);
});

t.test("invalid keys and signatures are reported as such", async (t) => {
	for (const text of ["", "RWQ", "untrusted comment: x\n", published.plain])
		t.throws(
			() => readPublicKey(text),
			/not a minisign public key/,
			text.slice(0, 20),
		);
	const { key, plain } = published;
	for (const text of ["", "x\ny\nz\n", key, `${plain}more`, "\0".repeat(9999)])
		t.throws(
			() => readSignature(text, [readPublicKey(key)]),
			/minisign signature/,
		);
});

t.test(
	"minisign and our writer are compatible",
	{ skip: minisign ? false : "minisign is not installed" },
	async (t) => {
		const dir = t.testdir();
		const run = (...words: string[]) =>
			execFileSync(minisign as string, words, { cwd: dir, encoding: "utf8" });
		run("-G", "-W", "-p", "pub", "-s", "key");
		const content = Buffer.alloc(100_000, "sound");
		writeFileSync(join(dir, "a"), content);
		for (const kind of [["-l"], ["-H"]]) {
			run("-S", ...kind, "-s", "key", "-m", "a", "-t", "said");
			const key = readPublicKey(readFileSync(join(dir, "pub"), "utf8"));
			const text = readFileSync(join(dir, "a.minisig"), "utf8");
			const signature = readSignature(text, [key]);
			t.equal(signature.trustedComment, "said");
			await verifyFile(join(dir, "a"), signature);
		}
		const ours = newSigner();
		for (const isPlain of [false, true]) {
			const text = signatureOf(content, ours, { comment: "c", isPlain });
			writeFileSync(join(dir, "a.minisig"), text);
			t.match(run("-V", "-P", ours.publicKey, "-m", "a"), /verified/);
		}
	},
);

function newKey() {
	return readPublicKey(newSigner().publicKey);
}
