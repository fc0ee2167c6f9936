/** The shape of the audio and where it plays: drawn once for its size; a click goes there, and so do the arrow keys. */
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { clockTime } from "../../texts/texts.js";
import type { Player } from "./player.js";
import { filesTexts } from "./texts.js";
import type { Transcript } from "./transcript.js";

const height = 72;
const barWidth = 3;

export function Waveform({
	player,
	transcript,
}: {
	readonly player: Player;
	readonly transcript: Transcript;
}) {
	const canvas = useRef<HTMLCanvasElement>(null);
	const needle = useRef<HTMLDivElement>(null);
	const length = player.length.value;
	const draw = () => {
		const peaks = transcript.peaks.value;
		if (canvas.current && peaks) drawPeaks(canvas.current, peaks);
	};
	useEffect(() => {
		const observer = new ResizeObserver(draw);
		const scheme = matchMedia("(prefers-color-scheme: dark)");
		if (canvas.current) observer.observe(canvas.current);
		scheme.addEventListener("change", draw);
		return () => {
			observer.disconnect();
			scheme.removeEventListener("change", draw);
		};
	}, []);
	useSignalEffect(draw);
	useSignalEffect(() => {
		const share = player.length.value
			? player.seconds.value / player.length.value
			: 0;
		if (needle.current)
			needle.current.style.transform = `translateX(${share * 100}%)`;
	});
	return (
		<div
			class="waveform"
			role="slider"
			tabIndex={0}
			aria-label={filesTexts().position}
			aria-valuemin={0}
			aria-valuemax={Math.round(length)}
			aria-valuenow={Math.round(player.seconds.value)}
			aria-valuetext={clockTime(player.seconds.value)}
			onPointerDown={(event) => {
				const { left, width } = event.currentTarget.getBoundingClientRect();
				player.goTo(((event.clientX - left) / width) * length);
			}}
		>
			<canvas ref={canvas} />
			<div class="needle-track" ref={needle}>
				<div class="needle" />
			</div>
		</div>
	);
}

function drawPeaks(canvas: HTMLCanvasElement, peaks: Uint8Array): void {
	const width = canvas.clientWidth;
	const scale = devicePixelRatio || 1;
	canvas.width = width * scale;
	canvas.height = height * scale;
	const context = canvas.getContext("2d");
	if (!context) return;
	context.scale(scale, scale);
	context.fillStyle = getComputedStyle(canvas).color;
	const bars = Math.max(1, Math.floor(width / barWidth));
	const each = peaks.length / bars;
	const full = peaks.reduce((most, it) => Math.max(most, it), 32);
	for (let bar = 0; bar < bars; bar++) {
		let loudest = 0;
		const to = Math.max(bar * each + 1, (bar + 1) * each);
		for (let at = Math.floor(bar * each); at < to; at++)
			loudest = Math.max(loudest, peaks[at] ?? 0);
		const size = Math.max(2, (loudest / full) * height);
		context.fillRect(bar * barWidth, (height - size) / 2, barWidth - 1, size);
	}
}
