import { execFileSync } from "node:child_process";
import {
	readdirSync,
	readFileSync,
	renameSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import type { NetworkInterfaceInfo } from "node:os";
import { join } from "node:path";
import t from "tap";
import { DeviceCertificate } from "../../runtime/tls/device-certificate.js";
import {
	ownHostName,
	reachableHost,
	thisMachine,
} from "../../runtime/tls/device-names.js";
import { mobileConfigOf } from "../../runtime/tls/mobile-config.js";
import { earshot, ended, main } from "../cli/earshot.js";

const dayMs = 86_400_000;

/** A device whose clock, name and addresses the test moves. */
function deviceIn(folder: string) {
	const device = {
		nowMs: Date.parse("2026-11-24T00:00:00Z"),
		machine: { hostName: "Kiosk-7", addresses: ["127.0.0.1", "192.168.1.20"] },
		names: [] as string[],
		isClockSure: true,
		certificate: () =>
			new DeviceCertificate({
				folder,
				names: device.names,
				machine: () => device.machine,
				nowMs: () => device.nowMs,
				isClockSure: () => device.isClockSure,
				builtMs: Date.parse("2026-10-01T00:00:00Z"),
			}),
	};
	return device;
}

t.test("the name that people are given is one of the network", (t) => {
	for (const [hostName, name] of [
		["kiosk", "kiosk.local"],
		["kiosk.example.com", "kiosk.example.com"],
		["kiosk.local", "kiosk.local"],
		["my_kiosk", "my_kiosk"],
	] as const)
		t.equal(ownHostName({ hostName, addresses: [] }), name);
	t.end();
});

t.test("links name what the owner named", (t) => {
	t.equal(reachableHost(["asr.lan", "10.0.0.7"]), "asr.lan");
	t.equal(reachableHost(["fd00::7"]), "[fd00::7]");
	t.equal(reachableHost([]), ownHostName());
	t.end();
});

t.test("addresses that only containers of the device see are left out", (t) => {
	const of = (address: string) => [{ address } as NetworkInterfaceInfo];
	const { addresses } = thisMachine({
		lo: of("127.0.0.1"),
		eth0: of("192.168.1.20"),
		docker0: of("172.17.0.1"),
		veth1a2b3c4: of("fe80::1"),
		"br-0a1b2c3d4e5f": of("172.18.0.1"),
		podman0: of("10.88.0.1"),
		"br-lan": of("192.168.2.1"),
		wlan0: of("fe80::2"),
	});
	t.same(addresses, ["127.0.0.1", "192.168.1.20", "192.168.2.1", "fe80::2"]);
	t.end();
});

t.test("the first start makes an authority and a certificate", async (t) => {
	const folder = t.testdir();
	const device = deviceIn(folder);
	t.equal(await device.certificate().current(), undefined);
	const made = await device.certificate().upToDate();
	t.equal(
		made.certificate.subjectAltName,
		"DNS:kiosk-7, DNS:kiosk-7.local, DNS:localhost, IP Address:127.0.0.1, IP Address:192.168.1.20",
	);
	t.equal(made.certificate.validTo, "Dec 25 00:00:00 2027 GMT");
	t.equal(made.authority.validTo, "Nov 23 00:00:00 2036 GMT");
	t.ok(made.authority.ca);
	t.notOk(made.certificate.ca);
	for (const name of readdirSync(join(folder, "tls")))
		t.equal(statSync(join(folder, "tls", name)).mode & 0o777, 0o600, name);

	await t.test(
		"OpenSSL accepts it, and nothing else that the authority signs",
		async (t) => {
			const authority = join(folder, "ca.crt");
			writeFileSync(authority, `${made.authority}`);
			const verify = (...options: string[]) =>
				execFileSync(
					"openssl",
					[
						...[
							"verify",
							"-x509_strict",
							"-attime",
							String(device.nowMs / 1000),
						],
						...["-CAfile", authority, ...options, made.file],
					],
					{ encoding: "utf8", stdio: "pipe" },
				);
			t.match(verify("-verify_hostname", "kiosk-7.local"), /OK/);
			t.match(verify("-verify_ip", "192.168.1.20"), /OK/);
			t.throws(() => verify("-verify_hostname", "example.com"));
			const text = execFileSync("openssl", ["x509", "-noout", "-text"], {
				input: `${made.authority}`,
				encoding: "utf8",
			});
			t.match(text, /Name Constraints: critical\s+Permitted:\s+DNS:localhost/);
			t.match(text, /IP:192\.168\.0\.0\/255\.255\.0\.0/);
			t.match(text, /CA:TRUE, pathlen:0/);
		},
	);

	await t.test("the next start uses the same one", async (t) => {
		const again = await device.certificate().upToDate();
		t.equal(again.certificate.fingerprint256, made.certificate.fingerprint256);
	});
});

t.test("a certificate is replaced in time, its authority is not", async (t) => {
	const device = deviceIn(t.testdir());
	const first = await device.certificate().upToDate();
	const after = async () => {
		const { certificate, authority } = await device.certificate().upToDate();
		t.equal(authority.fingerprint256, first.authority.fingerprint256);
		return certificate;
	};
	device.nowMs += 365 * dayMs;
	t.equal((await after()).fingerprint256, first.certificate.fingerprint256);
	device.nowMs += 2 * dayMs;
	const second = await after();
	t.not(
		second.fingerprint256,
		first.certificate.fingerprint256,
		"30 days early",
	);

	device.machine.addresses.push("10.0.0.9", "fe80::1%eth0", "203.0.113.5");
	const third = await after();
	t.ok(third.checkIP("10.0.0.9"), "a new address");
	t.ok(third.checkIP("fe80::1"));
	t.notOk(third.checkIP("203.0.113.5"), "a public one is not ours to certify");
	device.machine.addresses.length = 1;
	t.equal(
		(await after()).fingerprint256,
		third.fingerprint256,
		"an address that went away changes nothing",
	);

	device.machine.hostName = "lobby";
	const renamed = await after();
	t.ok(renamed.checkHost("lobby.local"));
	t.notOk(
		renamed.checkHost("lobby"),
		"a bare name that the authority may not certify would spoil the certificate",
	);
	t.equal((await after()).fingerprint256, renamed.fingerprint256);
	const anew = await device.certificate().renew(true);
	t.ok(anew.certificate.checkHost("lobby"), "a new authority may");
	t.not(anew.authority.fingerprint256, first.authority.fingerprint256);
});

t.test("names of the configuration are in both", async (t) => {
	const device = deviceIn(t.testdir());
	device.names = ["asr.example.com", "203.0.113.5"];
	const { certificate } = await device.certificate().upToDate();
	t.ok(certificate.checkHost("asr.example.com"));
	t.ok(certificate.checkIP("203.0.113.5"));
});

t.test(
	"a start with a clock from 1970 keeps the authority that clients trust",
	async (t) => {
		const device = deviceIn(t.testdir());
		const { nowMs } = device;
		const first = await device.certificate().upToDate();
		for (const ms of [100 * dayMs, nowMs]) {
			device.nowMs = ms;
			const { certificate, authority } = await device.certificate().upToDate();
			t.equal(authority.fingerprint256, first.authority.fingerprint256);
			t.equal(certificate.fingerprint256, first.certificate.fingerprint256);
		}
		const another = deviceIn(t.testdir());
		another.nowMs = 100 * dayMs;
		const early = await another.certificate().upToDate();
		another.nowMs = nowMs;
		const later = await another.certificate().upToDate();
		t.equal(
			later.authority.fingerprint256,
			early.authority.fingerprint256,
			"also one that was made then",
		);
	},
);

t.test(
	"a clock that was years ahead, files cut short or of another key: made anew",
	async (t) => {
		const folder = t.testdir();
		const device = deviceIn(folder);
		const { nowMs } = device;
		device.nowMs += 1000 * dayMs;
		const ahead = await device.certificate().upToDate();
		device.nowMs = nowMs;
		const mended = await device.certificate().upToDate();
		t.not(mended.authority.fingerprint256, ahead.authority.fingerprint256);

		for (const days of [2, 20, 40]) {
			device.nowMs = nowMs + days * dayMs;
			const early = await device.certificate().renew(true);
			device.nowMs = nowMs;
			const { authority, certificate } = await device.certificate().upToDate();
			t.not(authority.fingerprint256, early.authority.fingerprint256);
			for (const it of [authority, certificate])
				t.ok(Date.parse(it.validFrom) <= nowMs, `${days} days ahead`);
		}

		const later = await device.certificate().upToDate();
		const file = join(folder, "tls/server.pem");
		const whole = readFileSync(file);
		for (const cut of [0, 100, 300, whole.length - 400]) {
			writeFileSync(file, whole.subarray(0, cut));
			const mended = await device.certificate().upToDate();
			t.equal(mended.authority.fingerprint256, later.authority.fingerprint256);
			t.ok(mended.certificate.verify(mended.authority.publicKey));
		}
		writeFileSync(file, readFileSync(join(folder, "tls/authority.pem")));
		const { certificate } = await device.certificate().upToDate();
		t.notOk(certificate.ca, "an authority's certificate is no server's");
	},
);

t.test("an authority that can't be read is not replaced", async (t) => {
	const folder = t.testdir();
	const device = deviceIn(folder);
	const made = await device.certificate().upToDate();
	const file = join(folder, "tls/authority.pem");
	renameSync(file, `${file}.kept`);
	// as where no more files may be open, which is over a moment later
	symlinkSync("authority.pem", file);
	await t.rejects(device.certificate().upToDate(), { code: "ELOOP" });
	await t.rejects(device.certificate().renew(), { code: "ELOOP" });
	renameSync(`${file}.kept`, file);
	const { authority } = await device.certificate().upToDate();
	t.equal(authority.fingerprint256, made.authority.fingerprint256);
});

for (const days of [-3650, -40, -5, 200, 4000, 36_500])
	t.test(
		`a clock that is wrong by ${days} days and not sure: the authority stays`,
		async (t) => {
			const device = deviceIn(t.testdir());
			const { nowMs } = device;
			const made = await device.certificate().upToDate();
			device.nowMs += days * dayMs;
			device.isClockSure = false; // a power cut, and no time server yet
			const wrong = await device.certificate().upToDate();
			t.equal(wrong.authority.fingerprint256, made.authority.fingerprint256);
			device.nowMs = nowMs;
			device.isClockSure = true;
			const later = await device.certificate().upToDate();
			t.equal(later.authority.fingerprint256, made.authority.fingerprint256);
			t.ok(Date.parse(later.certificate.validFrom) <= nowMs);
			t.ok(Date.parse(later.certificate.validTo) > nowMs);
		},
	);

t.test(
	"a command with a clock that is behind keeps the authority",
	async (t) => {
		const folder = t.testdir();
		const made = await new DeviceCertificate({
			folder,
			names: [],
			nowMs: () => Date.now() + 40 * dayMs,
		}).upToDate();
		const state = { EARSHOT_STATE_DIR: folder };
		t.equal((await earshot(["tls", "renew"], state)).code, 0);
		const renewed = await new DeviceCertificate({
			folder,
			names: [],
		}).current();
		t.not(renewed?.certificate.fingerprint256, made.certificate.fingerprint256);
		t.equal(renewed?.authority.fingerprint256, made.authority.fingerprint256);
	},
);

t.test("an address has one form, however its owner wrote it", async (t) => {
	const device = deviceIn(t.testdir());
	device.names = ["::FFFF:10.0.0.7", "64:ff9b::10.0.0.7", "fd00:0:0::0007"];
	const made = await device.certificate().upToDate();
	for (const address of ["64:ff9b::a00:7", "fd00::7"])
		t.equal(made.certificate.checkIP(address), address);
	const again = await device.certificate().upToDate();
	t.equal(again.certificate.fingerprint256, made.certificate.fingerprint256);
});

t.test("a profile for iOS holds the authority's certificate", async (t) => {
	const device = deviceIn(t.testdir());
	device.machine.hostName = "a";
	const { authority } = await device.certificate().upToDate();
	const profile = mobileConfigOf(authority);
	t.match(profile, authority.raw.toString("base64"));
	t.equal(mobileConfigOf(authority), profile, "the same one each time");
});

t.test(
	"a certificate that can't be written whole leaves the one before, and nothing else",
	async (t) => {
		const folder = t.testdir();
		const state = { EARSHOT_STATE_DIR: folder };
		t.equal((await earshot(["tls", "renew"], state)).code, 0);
		const files = () =>
			readdirSync(join(folder, "tls")).map((name) => [
				name,
				readFileSync(join(folder, "tls", name), "utf8"),
			]);
		const before = files();
		// like a full disk, a limit of the size takes a part of what is written
		const limited = await ended(
			"sh",
			[
				"-c",
				`ulimit -f 1; exec "$@"`,
				"sh",
				process.execPath,
				main,
				"tls",
				"renew",
			],
			state,
		);
		t.not(limited.code, 0);
		t.match(limited.err, /^earshot: [^\n]*EFBIG[^\n]*\n$/);
		t.strictSame(files(), before);
	},
);
