/**
 * Updates of the real executable under a booted systemd, with the unit as it is: EARSHOT_BOOT=1, and EARSHOT_BIN names the executable: with models/ beside
 * it, and not below /tmp or /var/tmp, of which the unit has its own.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { repository } from "../e2e/running-appliance.js";
import { cannotBoot, inBootedSystem } from "../service/booted-system.js";
import {
	type Change,
	exits,
	hangs,
	isNeverWell,
	offerOf,
	version,
} from "./altered-executable.js";
import { newSigner } from "./minisign-writer.js";

const { EARSHOT_BIN } = process.env;
const skip =
	cannotBoot || (EARSHOT_BIN ? false : "EARSHOT_BIN names no executable");

t.test(
	"booted: updates are judged by the service, and by its unit if the updater has died",
	{ skip, timeout: 1_800_000 },
	async (t) => {
		const signer = newSigner();
		const folder = mkdtempSync("/var/tmp/earshot-offers-");
		t.teardown(() => rmSync(folder, { recursive: true, force: true }));
		const offer = (name: string, ...changes: Change[]) =>
			offerOf(
				EARSHOT_BIN ?? "",
				join(folder, name),
				name,
				[version(name), ...changes],
				signer,
			);
		const now =
			"earshot --version; systemctl is-active earshot; ls /usr/bin/earshot.*";
		/** Without an updater: only the unit decides. */
		const alone = (from: string, until: string) =>
			`earshot update --from ${from} --no-restart; systemctl restart earshot
for i in $(seq 240); do [ ! -e /usr/bin/earshot.attempt ] && [ "$(systemctl is-active earshot)" = active ] && break; sleep 0.5; done
[ "$(earshot --version)" = ${until} ] && curl -sS http://127.0.0.1:7100/healthz; ${now}`;
		const outputs = await inBootedSystem({
			files: {
				"etc/earshot/earshot.d/20-update.toml": `[update]\nkeys = ["${signer.publicKey}"]\nhealthy_seconds = 15\n`,
				"etc/systemd/system/earshot.service.d/quick.conf":
					"[Service]\nTimeoutStartSec=20s\nRestartSec=1s\n",
			},
			steps: [
				[
					"install",
					`rm /usr/bin/earshot; cp ${EARSHOT_BIN} /usr/bin/earshot; mkdir -p /usr/share/earshot; ln -s ${join(repository, "models")} /usr/share/earshot/models; systemctl start earshot`,
				],
				["good", `earshot update --from ${offer("0.2.0")}; ${now}`],
				[
					"bad",
					`earshot update --from ${offer("0.3.0", isNeverWell)}; ${now}; systemctl show earshot -p StatusText`,
				],
				["alone", alone(offer("0.4.0"), "0.4.0")],
				["exits", alone(offer("0.5.0", exits), "0.4.0")],
				["hangs", alone(offer("0.6.0", hangs), "0.4.0")],
				["journal", "journalctl -u earshot --no-pager -o cat"],
			],
		});
		const text = (name: string) => outputs.get(name)?.text ?? "";
		t.equal(outputs.get("install")?.code, 0, text("install"));
		t.match(
			text("good"),
			/0\.2\.0 is healthy; 0\.1\.0 is kept\n0\.2\.0\nactive\n\S+previous\n$/,
		);
		t.match(
			text("bad"),
			/0\.3\.0 was rolled back: .*; 0\.2\.0 runs again\n0\.2\.0\nactive/,
		);
		t.match(
			text("alone"),
			/0\.4\.0 is installed and is tried at the next start/,
		);
		t.match(text("alone"), /"ready":true.*0\.4\.0\nactive\n/s);
		for (const name of ["exits", "hangs"])
			t.match(text(name), /"ready":true.*0\.4\.0\nactive\n/s, name);
		t.match(text("journal"), /0\.5\.0 is rolled back: it was started 3 times/);
		t.match(
			text("journal"),
			/0\.6\.0 is rolled back: it did not become healthy/,
		);
		if (!t.passing())
			t.comment(
				[...outputs].map(([name, { text }]) => `${name}: ${text}`).join("\n"),
			);
	},
);
