import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import t from "tap";
import { checkCards, checkMicrophone } from "../../runtime/cli/checks/audio.js";
import { ownerOfDevice } from "../../runtime/cli/checks/sound-cards.js";
import { meterText } from "../../runtime/cli/level-meter.js";
import { LiveLines } from "../../runtime/cli/live-lines.js";
import { microphoneSection } from "../../runtime/config/sections/microphone.js";
import { readTable } from "../../runtime/config/tables.js";
import { type Script, spoken, startService } from "../client/fake-service.js";
import {
	alsaMissing,
	fakeCard,
	interleaved,
	writers,
} from "../microphones/alsa.js";

const main = fileURLToPath(new URL("../../runtime/main.js", import.meta.url));

const microphone = (table: object) =>
	readTable("microphone", microphoneSection, "here", { id: "front", ...table });

function tone(channels: number): Uint8Array {
	const samples = Float32Array.from(
		{ length: 32_000 },
		(_, i) => Math.sin(i / 4) / 10,
	);
	return interleaved(
		Array.from({ length: channels }, () => samples),
		writers.S16_LE,
		2,
	);
}

t.test("cards are listed, with their problems", async (t) => {
	const root = t.testdir({
		proc: {
			pcm: "00-00: HDMI : HDMI : playback 1\n01-00: USB Audio : USB Audio : playback 1 : capture 1\n02-00: seeed : x : capture 1\n03-00: other : x : capture 1\n",
			cards: " 0 [HDMI ]: HDMI\n",
			card1: { pcm0c: { sub0: { status: "closed\n" } } },
			card2: {
				pcm0c: {
					sub0: { status: `state: RUNNING\nowner_pid   : ${process.pid}\n` },
				},
			},
		},
		dev: { pcmC1D0c: "", pcmC2D0c: "" },
	});
	const places = { proc: join(root, "proc"), dev: join(root, "dev") };
	const [free, busy, missing, ...others] = await checkCards(places);
	t.same(others, []);
	t.match(free, { about: "hw:1,0", state: "ok", says: "USB Audio" });
	t.match(busy, { about: "hw:2,0", state: "warning", todo: /dsnoop/ });
	t.match(busy?.says, new RegExp(`process ${process.pid} .* is recording it`));
	t.match(missing, { about: "hw:3,0", state: "broken", todo: /container/ });
	const nothing = { proc: join(root, "none"), dev: join(root, "none") };
	t.match(await checkCards(nothing), [{ state: "warning", says: /no sound/ }]);
	writeFileSync(join(root, "proc", "pcm"), "00-00: HDMI : HDMI : playback 1\n");
	t.match(await checkCards(places), [{ says: /none of them can record/ }]);
});

t.test("the process that uses a device is found by its name", async (t) => {
	const owned = { sub0: { status: `state: RUNNING\nowner_pid   : 1\n` } };
	const mine = { sub0: { status: `owner_pid   : ${process.pid}\n` } };
	const proc = t.testdir({
		pcm: "00-00: a : a : capture 1\n01-00: b : b : capture 1\n01-02: c : c : capture 1\n",
		cards: " 0 [PCH            ]: HDA\n 1 [ArrayUAC10     ]: USB-Audio - x\n",
		card0: { pcm0c: owned },
		card1: { pcm0c: { sub0: { status: "closed\n" } }, pcm2c: mine },
	});
	const pid = async (device: string) =>
		(await ownerOfDevice(device, proc))?.pid;
	t.equal(await pid("hw:0,0"), 1);
	t.equal(await pid("hw:1,0"), undefined, "it is free");
	t.equal(await pid("plughw:CARD=ArrayUAC10,DEV=2"), process.pid);
	t.equal(await pid("hw:ArrayUAC10"), process.pid);
	t.equal(await pid("default"), 1, "its card is unknown");
});

t.test(
	"a microphone is opened, or there is advice",
	{ skip: alsaMissing },
	async (t) => {
		const command = {
			file: process.execPath,
			args: [main, "capture"],
			environment: fakeCard(t.testdir(), tone(2)),
		};
		const check = (table: object) =>
			checkMicrophone(microphone(table), undefined, command);
		t.match(await check({ device: "mic", channels: 2 }), {
			about: "microphone front",
			state: "ok",
			says: /mic opens: 2 channels, 16000 Hz, S16_LE/,
		});
		t.match(await check({ device: "hw:9,0" }), {
			state: "broken",
			says: /ENOENT/,
			todo: /no such device/,
		});
	},
);

const oneSentence: Script = {
	onStart: (caller) => caller.send("TranscriptionStarted"),
	onStop: (caller) => {
		caller.send("SentenceBegin", { index: 1, time: 0 });
		caller.send("SentenceEnd", spoken("Heard.", 1));
		caller.send("TranscriptionCompleted", { index: 1, time: 1 });
	},
};

t.test(
	"a device is recorded until it is stopped",
	{ skip: alsaMissing },
	async (t) => {
		let child: ReturnType<typeof spawn> | undefined;
		let bytes = 0;
		let isStopped = false;
		const service = await startService(t, {
			...oneSentence,
			onAudio: (caller) => {
				bytes = caller.audioBytes;
				if (bytes > 10_000 && !isStopped)
					isStopped = child?.kill("SIGINT") ?? false;
			},
		});
		const args = ["--url", service.url, "--device", "mic", "--channels", "2"];
		child = spawn(process.execPath, [main, "listen", ...args], {
			env: { ...process.env, ...fakeCard(t.testdir(), tone(2)) },
		});
		let out = "";
		let err = "";
		child.stdout?.on("data", (data) => {
			out += data;
		});
		child.stderr?.on("data", (data) => {
			err += data;
		});
		const code = await new Promise((done) => child?.on("close", done));
		t.same({ code, out, err }, { code: 0, out: "Heard.\n", err: "" });
		t.ok(bytes > 10_000, `${bytes}`);
	},
);

t.test(
	"a missing device gives one sentence",
	{ skip: alsaMissing },
	async (t) => {
		const service = await startService(t, oneSentence);
		const errorOf = async (...args: string[]) => {
			const child = spawn(
				process.execPath,
				[main, "listen", "--url", service.url, ...args],
				{ env: { ...process.env, ...fakeCard(t.testdir(), tone(1)) } },
			);
			let err = "";
			child.stderr.on("data", (data) => {
				err += data;
			});
			const code = await new Promise((done) => child.on("close", done));
			return `${code} ${err}`;
		};
		t.match(
			await errorOf("--device", "hw:9,0"),
			/^1 earshot: hw:9,0: .*ENOENT.*doctor audio\n$/,
		);
		t.match(
			await errorOf("--device", "mic", "--channels", "40"),
			/^2 .*--channels .*from 1 to 16/,
		);
		t.match(await errorOf("--microphone", "nobody"), /^2 .*configured: none/);
		t.match(
			await errorOf("--file", "-", "--device", "mic"),
			/^2 .*give exactly one of/,
		);
	},
);

t.test("a meter shows each microphone and the direction", async (t) => {
	t.equal(meterText([-90, -40, -5], 359.7), "[ ▄█]   -5 dB   0°");
	t.equal(meterText([-120], undefined), "[ ] -120 dB");
	const written: string[] = [];
	const lines = new LiveLines({
		isTTY: true,
		columns: 20,
		write: (text) => written.push(text),
	});
	lines.meter("[█]");
	lines.meter("[█]");
	lines.partial("He might even have been");
	lines.final("He.");
	const erase = "\r\x1b[2K";
	t.same(written, [
		`${erase}[█] \x1b[2m\x1b[0m`,
		`${erase}[█] \x1b[2m…even have been\x1b[0m`,
		erase,
		"He.\n",
	]);
	written.length = 0;
	const narrow = new LiveLines(
		{ isTTY: true, columns: 14, write: (text) => written.push(text) },
		false,
	);
	narrow.meter("[████]  -5 dB");
	narrow.partial("He might even");
	t.same(
		written,
		[erase, `${erase}He might even`],
		"a narrow one shows the text, without colour where none is wanted",
	);
});
