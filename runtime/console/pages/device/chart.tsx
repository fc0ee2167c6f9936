/** Load, memory and lag of the last hour. Its library is loaded with this page only. */
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { theme } from "../../app/theme.js";
import { language, languageTags } from "../../texts/language.js";
import { samples } from "./status.js";
import { deviceTexts } from "./texts.js";

const height = 200;
/** A line across a few seconds says nothing. */
const shownMinSeconds = 120;

export function Chart() {
	const place = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const element = place.current;
		if (!element) return;
		let plot: uPlot | undefined;
		const observer = new ResizeObserver(() =>
			plot?.setSize({ width: element.clientWidth, height }),
		);
		observer.observe(element);
		const stopDrawing = effect(() => {
			void theme.value;
			void language.value;
			plot?.destroy();
			plot = new uPlot(optionsFor(element), dataOf(), element);
		});
		const stopFollowing = effect(() => plot?.setData(dataOf()));
		return () => {
			stopDrawing();
			stopFollowing();
			observer.disconnect();
			plot?.destroy();
		};
	}, []);
	return <div class="chart" ref={place} />;
}

function dataOf(): uPlot.AlignedData {
	const points = samples.value;
	return [
		points.map(({ at }) => at),
		points.map(({ load }) => load),
		points.map(({ memory }) => memory * 100),
		points.map(({ lagMs }) => lagMs),
	];
}

function optionsFor(element: HTMLElement): uPlot.Options {
	const m = deviceTexts();
	const style = getComputedStyle(element);
	const colour = (name: string) => resolved(element, `var(${name})`);
	const points = { show: false };
	const timeOfDay = new Intl.DateTimeFormat(languageTags[language.value], {
		timeStyle: "medium",
	});
	const axis = {
		stroke: colour("--ink-soft"),
		grid: { stroke: colour("--line") },
		font: `12px ${style.fontFamily}`,
	};
	return {
		width: element.clientWidth,
		height,
		legend: { live: false },
		cursor: { show: false },
		scales: {
			x: { range: (_, from, to) => [Math.min(from, to - shownMinSeconds), to] },
			y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] },
			percent: { range: [0, 100] },
		},
		axes: [
			{
				...axis,
				space: 88,
				incrs: [15, 60, 300, 600, 900, 1800],
				values: (_, ticks) => ticks.map((it) => timeOfDay.format(it * 1000)),
			},
			axis,
			{
				...axis,
				side: 1,
				size: 64,
				scale: "percent",
				values: (_, ticks) => ticks.map((it) => `${it} %`),
				grid: { show: false },
			},
		],
		// told apart by their dashes as well
		series: [
			{},
			{ label: m.load, stroke: colour("--accent"), width: 2, points },
			{
				label: `${m.memory} %`,
				scale: "percent",
				stroke: colour("--warn"),
				width: 2,
				dash: [8, 4],
				points,
			},
			{
				label: `${m.lag} ms`,
				stroke: colour("--bad"),
				width: 2,
				dash: [2, 3],
				points,
			},
		],
	};
}

/** A canvas does not know `var` and `light-dark`. */
function resolved(element: HTMLElement, colour: string): string {
	const before = element.style.color;
	element.style.color = colour;
	const { color } = getComputedStyle(element);
	element.style.color = before;
	return color;
}
