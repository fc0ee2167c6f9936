/** What the device says of its updates: from the files beside the program, and the signature of what is offered. */
import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import t, { type Test } from "tap";
import { writeAttempt } from "../../runtime/update/attempt.js";
import { readPublicKey } from "../../runtime/update/minisign.js";
import { placesOf } from "../../runtime/update/places.js";
import {
	availability,
	updateState,
} from "../../runtime/update/update-state.js";
import { newSigner, signatureOf } from "./minisign-writer.js";

const signer = newSigner();

t.test("what is on trial, kept and rolled back is told", async (t) => {
	const dir = t.testdir({ earshot: "the program" });
	const places = placesOf(join(dir, "earshot"));
	t.same(await updateState(places, "0.1.0"), {
		hasPrevious: false,
		trial: undefined,
		refused: undefined,
	});
	writeFileSync(places.previous, "the old one");
	writeFileSync(
		places.refused,
		JSON.stringify({ version: "0.3.0", sha256: "0", why: "it died" }),
	);
	const mask = process.umask(0o077); // as the unit has it
	t.teardown(() => process.umask(mask));
	await writeAttempt(places, {
		schema: 1,
		from: "0.1.0",
		to: "0.2.0",
		sha256: "0".repeat(64),
		healthySeconds: 60,
		starts: 0,
	});
	t.equal(statSync(places.attempt).mode & 0o777, 0o644, "the service reads it");
	t.match(await updateState(places, "0.2.0"), {
		hasPrevious: true,
		trial: { from: "0.1.0", to: "0.2.0" },
		refused: { version: "0.3.0", why: "it died", atSeconds: Number },
	});
	const later = await updateState(places, "0.3.0");
	t.equal(later.refused, undefined, "this version runs now");
	for (const damaged of ["{", '{"sha256":"0"}', '{"sha256":"0","version":1}']) {
		writeFileSync(places.refused, damaged);
		t.match(await updateState(places, "0.1.0"), { refused: undefined });
	}
});

t.test(
	"a newer version that is offered is told, by its signature alone",
	async (t) => {
		const offered = (version: string, architecture: string = process.arch) =>
			offer(t, `version:${version}\tarch:${architecture}\tbytes:9`);
		const check = (location: string, isExecutable = true) =>
			availability({
				isExecutable,
				location,
				keys: () => [readPublicKey(signer.publicKey)],
				here: { version: "0.2.0", architecture: process.arch },
			});
		t.same(await check(offered("0.3.0")), {
			is: "newer",
			version: "0.3.0",
			bytes: 9,
			notes: "",
		});
		t.same(await check(offered("0.2.0")), { is: "none" });
		t.match(await check(offered("0.3.0", "s390x")), {
			is: "failed",
			reason: /built for s390x/,
		});
		t.match(await check(join(t.testdir({}), "missing")), {
			is: "failed",
			reason: /signature .* can't be read/,
		});
		t.same(await check(""), { is: "not-configured" });
		t.same(await check("anything", false), { is: "checkout" });
	},
);

t.test("what a newer version changes is told as it was signed", async (t) => {
	const notes = "Partials are steadier.\n";
	const sum = createHash("sha256").update(notes).digest("hex");
	const signed = (version: string) =>
		offer(t, `version:${version}\tarch:${process.arch}\tnotes:${sum}`);
	const check = (location: string) =>
		availability({
			isExecutable: true,
			location,
			keys: () => [readPublicKey(signer.publicKey)],
			here: { version: "0.2.0", architecture: process.arch },
		});
	const release = signed("0.3.0");
	t.match(await check(release), {
		is: "newer",
		version: "0.3.0",
		notes: "",
		notesTrouble: /notes .* can't be read/,
	});
	writeFileSync(`${release}.notes`, notes);
	t.same(await check(release), {
		is: "newer",
		version: "0.3.0",
		bytes: undefined,
		notes,
	});
	const server = createServer((request, response) =>
		response.end(readFileSync(`${release}${extname(request.url ?? "")}`)),
	);
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	t.teardown(() => server.close());
	const { port } = server.address() as AddressInfo;
	t.match(await check(`http://127.0.0.1:${port}/earshot`), { notes });
	writeFileSync(`${release}.notes`, `${notes}And worse.`);
	t.match(await check(release), { notes: "", notesTrouble: /not those/ });
	writeFileSync(`${release}.notes`, "x".repeat(70_000));
	t.match(await check(release), { notes: "", notesTrouble: /too large/ });
	t.same(
		await check(signed("0.2.0")),
		{ is: "none" },
		"nor are they asked for",
	);
});

/** @returns the path of a release that has only a signature. */
function offer(t: Test, comment: string): string {
	const path = join(t.testdir({}), "earshot");
	const signature = signatureOf(Buffer.from("a release"), signer, { comment });
	writeFileSync(`${path}.minisig`, signature);
	return path;
}
