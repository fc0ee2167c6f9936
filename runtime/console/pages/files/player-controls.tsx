/** Playing a file by buttons, and by keys where nothing is typed. */
import { Icon } from "../../parts/icon.js";
import { clockTime, number } from "../../texts/texts.js";
import type { Player } from "./player.js";
import { filesTexts } from "./texts.js";
import type { Transcript } from "./transcript.js";

export function Controls({ player }: { readonly player: Player }) {
	const m = filesTexts();
	return (
		<div class="row">
			<button
				type="button"
				class="button"
				aria-label={`−5 s: ${m.backwards}`}
				title={m.backwards}
				onClick={() => player.step(-1)}
			>
				−5 s
			</button>
			<button
				type="button"
				class="button is-main"
				onClick={() => player.toggle()}
			>
				<Icon name={player.playing.value ? "pause" : "play"} />
				{player.playing.value ? m.pause : m.play}
			</button>
			<button
				type="button"
				class="button"
				aria-label={`+5 s: ${m.forwards}`}
				title={m.forwards}
				onClick={() => player.step(1)}
			>
				+5 s
			</button>
			<span class="number grow play-time">
				{clockTime(player.seconds.value)} / {clockTime(player.length.value)}
			</span>
			<select
				class="speed"
				aria-label={m.speed}
				value={player.speed.value}
				onChange={(event) => player.setSpeed(Number(event.currentTarget.value))}
			>
				{player.speeds.map((it) => (
					<option key={it} value={it}>
						{number(it, 2)} ×
					</option>
				))}
			</select>
		</div>
	);
}

/** Where nothing is typed, keys drive the player. */
export function followKey(
	event: KeyboardEvent,
	player: Player,
	transcript: Transcript,
): void {
	const target = event.target as HTMLElement;
	const isTyped = target.matches("input, textarea, select, [contenteditable]");
	if (isTyped || event.altKey || document.querySelector("dialog[open]")) return;
	if (event.ctrlKey || event.metaKey) {
		if (event.key === "z") transcript.undo();
		if (event.key === "y" || event.key === "Z") transcript.redo();
		return;
	}
	const acts: Readonly<Record<string, () => void>> = {
		ArrowLeft: () => player.step(-1),
		ArrowRight: () => player.step(1),
		"[": () => player.changeSpeed(-1),
		"]": () => player.changeSpeed(1),
		...(!target.matches("button, a, summary") && {
			" ": () => player.toggle(),
		}),
	};
	const act = acts[event.key];
	if (!act) return;
	event.preventDefault();
	act();
}
