/** How fast a transcript's audio plays, whenever that was chosen. */
import t from "tap";
import { pageCode, replaceGlobal } from "./page-code.js";

/** A browser's: one that opens a source begins at its default speed (HTML, "media element load algorithm"). */
class FakeAudio {
	currentTime = 0;
	paused = true;
	playbackRate = 1;
	defaultPlaybackRate = 1;
	play = async () => {};

	set src(_: string) {
		this.playbackRate = this.defaultPlaybackRate;
	}
}

interface Player {
	readonly element: FakeAudio;
	readonly speed: { readonly value: number };
	toggle(): void;
	again(): void;
	setSpeed(speed: number): void;
}

t.test("a speed that was chosen is the one that is heard", async (t) => {
	replaceGlobal(t, "Audio", FakeAudio);
	const { Player } = await pageCode<{ Player: new (path: string) => Player }>(
		"pages/files/player.ts",
	);
	const player = new Player("v1/asrfile/tasks/task/audio");
	player.setSpeed(1.5);
	player.toggle();
	t.equal(player.element.playbackRate, 1.5, "chosen before it was opened");
	player.setSpeed(2);
	player.again();
	t.equal(player.element.playbackRate, 2, "opened again after a trouble");
	t.equal(player.speed.value, 2);
});
