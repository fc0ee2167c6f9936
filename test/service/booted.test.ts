import { join } from "node:path";
import t from "tap";
import { repository } from "../e2e/running-appliance.js";
import { cannotBoot, inBootedSystem } from "./booted-system.js";

const clip = join(repository, "models/whisper-base/probe.wav");
const api = "http://127.0.0.1:7100";
const asService =
	"systemd-run -q --pipe --wait -p User=earshot -p StateDirectory=earshot -p StateDirectoryMode=0700 -p UMask=0077 -p ConfigurationDirectory=earshot";
const ask = `curl -sS -H "Authorization: Bearer $(cat /boot-test/token)"`;
const properties = (...names: string[]) =>
	`systemctl show earshot -p ${names.join(",")}`;

/** Takes over half a minute, and needs root: enabled by EARSHOT_BOOT=1 (and EARSHOT_NSPAWN, if systemd-nspawn is elsewhere). */
t.test(
	"booted: the hardened service serves, reloads, is killed by its watchdog, and comes back",
	{ skip: cannotBoot },
	async (t) => {
		const outputs = await inBootedSystem({
			files: {
				"etc/credstore/earshot.callback.secret": "from the store\n",
				"etc/asound.conf":
					'pcm.mic { type file slave.pcm { type null } file "/dev/null" infile "/boot-test/card.raw" format "raw" }\n',
				"boot-test/card.raw": new Uint8Array(16_000 * 2 * 30),
				"etc/earshot/earshot.d/10-microphone.toml":
					'[[microphone]]\nid = "front"\ndevice = "mic"\nformat = "S16_LE"\n',
			},
			steps: [
				["start", "systemctl start earshot"],
				["running", properties("ActiveState", "StatusText", "User")],
				["health", `curl -sS ${api}/healthz`],
				[
					"token",
					`${asService} earshot token create --name k --scope asr,files 2>/dev/null`,
				],
				[
					"text",
					`${ask} --data-binary @${clip} "${api}/v1/asr/api?lang_type=en&format=wav&audio_url=mp3"`,
				],
				[
					"upload",
					`${ask} -F lang_type=en -F format=wav -F file=@${clip} ${api}/v1/asrfile/upload`,
				],
				[
					"result",
					`id=$(grep -oE '[0-9a-f]{32}' /boot-test/upload); for i in $(seq 40); do curl -sS "${api}/v1/asrfile/result?task_id=$id" | tee /boot-test/last; grep -q transcript /boot-test/last && break; sleep 0.5; done`,
				],
				["secret", "ls /run/credentials/earshot.service"],
				[
					"reload",
					`printf '[log]\\nlevel = "debug"\\n[engine]\\nping_seconds = 1\\n' > /etc/earshot/earshot.d/20.toml; systemctl reload earshot; sleep 1; journalctl -u earshot --no-pager -o cat`,
				],
				["warnings", "journalctl -u earshot -p warning --no-pager -o cat"],
				[
					"target",
					`systemctl start earshot-microphone.target; systemctl is-active earshot-microphone.target
mkdir -p /dev/snd; touch /dev/snd/pcmC1D0c
systemctl start earshot-microphone.target; systemctl is-active earshot-microphone.target`,
				],
				[
					"hang",
					`mkdir -p /etc/systemd/system/earshot.service.d; printf '[Service]\\nWatchdogSec=6s\\n' > /etc/systemd/system/earshot.service.d/w.conf; systemctl daemon-reload; systemctl restart earshot
pid=$(systemctl show earshot -p MainPID --value); kill -STOP $(pgrep -f -P $pid 'lane live'); date +%s
for i in $(seq 60); do [ "$(systemctl show earshot -p NRestarts --value)" = 1 ] && break; sleep 0.5; done; date +%s
for i in $(seq 60); do [ "$(systemctl is-active earshot)" = active ] && break; sleep 0.5; done; date +%s
journalctl -u earshot --no-pager -o cat | tail -40`,
				],
				["again", `curl -sS ${api}/healthz`],
				["stop", "systemctl stop earshot"],
				["ended", properties("Result", "ExecMainStatus")],
			],
		});
		const text = (name: string) => outputs.get(name)?.text ?? "";
		t.equal(outputs.get("start")?.code, 0, text("start"));
		t.match(text("running"), /ActiveState=active/);
		t.match(text("running"), /User=earshot/);
		t.match(text("running"), /StatusText=port 7100: /);
		t.match(text("health"), /"ready":true/, "ready as soon as it is started");
		t.match(text("text"), /"result":"\w+ \w+/);
		t.match(text("text"), /"audio_url":"http/, "ffmpeg runs under the filters");
		t.match(
			text("result"),
			/"transcript":"\w+ \w+/,
			"the engine for files as well",
		);
		t.match(text("secret"), "earshot.callback.secret");
		t.match(text("reload"), /"changed":\["log.level"\]/);
		t.match(text("reload"), /"microphone":"front".*"microphone opened"/);
		t.match(text("warnings"), /"needRestart":\["engine.ping_seconds"\]/);
		t.notMatch(text("warnings"), /"level":"info"/, "lines carry priorities");
		t.equal(
			text("target"),
			"inactive\nactive\n",
			"the target is reached where there is a microphone",
		);
		t.match(text("hang"), /Watchdog timeout/);
		const [stoppedAt = 0, restartedAt = 0, readyAt = 0] = text("hang")
			.split("\n")
			.map(Number);
		t.comment(
			`killed and started again ${restartedAt - stoppedAt} s after its engine hung, ready ${readyAt - restartedAt} s later`,
		);
		t.match(text("again"), /"ready":true/);
		t.equal(outputs.get("stop")?.code, 0);
		t.match(text("ended"), /Result=success/);
		t.match(text("ended"), /ExecMainStatus=0/);
	},
);
