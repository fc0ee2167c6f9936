/** On an installed appliance an ordinary user may not enter /etc/earshot: what needs the configuration says so, and the rest works. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { asOtherUser, skipOthers as skip } from "./other-user.js";

/** @param mode of the folder; the file in it is readable where the folder is. */
function configuration(t: Test, mode: number) {
	const folder = mkdtempSync(join(tmpdir(), "earshot-etc-"));
	t.teardown(() => rmSync(folder, { recursive: true, force: true }));
	writeFileSync(join(folder, "earshot.toml"), "[server]\nport = 7\n");
	chmodSync(folder, mode);
	return { CONFIGURATION_DIRECTORY: folder };
}

const denied =
	/^earshot: \S+\/earshot\.toml can't be read: EACCES[^\n]*; run this as a user who may read it \(root, or sudo -u earshot\), or name another file with EARSHOT_CONFIG\n$/;

t.test("what is about the configuration needs it", { skip }, async (t) => {
	const closed = configuration(t, 0o750);
	for (const words of [
		["config", "show"],
		["doctor"],
		["models", "list"],
		["listen", "--microphone", "front"],
	])
		t.match(
			asOtherUser(closed, ...words),
			{ status: 1, stdout: "", stderr: denied },
			words.join(" "),
		);
	const named = join(closed.CONFIGURATION_DIRECTORY, "earshot.toml");
	t.match(
		asOtherUser({ EARSHOT_CONFIG: named }, "transcribe", "nothing.wav"),
		{ status: 1, stderr: denied },
		"one that is named is wanted",
	);
	const open = configuration(t, 0o755);
	const { stdout } = asOtherUser(open, "config", "show");
	t.match(stdout, /server\.port += 7 /);
});

t.test("what is of use without it uses the defaults", { skip }, async (t) => {
	const closed = configuration(t, 0o750);
	t.match(asOtherUser(closed, "text", "--lang", "zh", "三月五号"), {
		status: 0,
		stdout: "3月5号\n",
		stderr: "",
	});
	t.match(asOtherUser(closed, "listen", "--help"), { status: 0 });
	for (const words of [
		["transcribe", "nothing.wav"],
		["listen", "--file", "-", "--set", "server.port=1"],
	]) {
		const { stderr } = asOtherUser(closed, ...words);
		const [first, second] = stderr.split("\n");
		t.match(first, /^earshot: the defaults are used: .*earshot\.toml can't be/);
		t.match(
			second,
			/no such file|ECONNREFUSED|can't be reached/,
			"and goes on",
		);
		t.equal(stderr.split("\n").length, 3, "each is said once");
	}
});
