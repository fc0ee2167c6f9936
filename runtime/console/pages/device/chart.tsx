/** Load, memory and lag of the last hour, each on a scale of its own. Its library is loaded with this page only. */
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { theme } from "../../app/theme.js";
import { language, languageTags } from "../../texts/language.js";
import { number } from "../../texts/texts.js";
import { type Sample, samples } from "./status.js";
import { deviceTexts } from "./texts.js";

const height = 128;
/** A line across a few seconds says nothing. */
const shownMinSeconds = 120;

interface Quantity {
	readonly title: string;
	readonly of: (sample: Sample) => number;
	readonly written: (value: number) => string;
	/** The scale reaches at least this far. */
	readonly max: number;
	/** And no farther. */
	readonly isWhole?: boolean;
}

export function Chart() {
	const m = deviceTexts();
	const quantities: readonly Quantity[] = [
		{
			title: m.load,
			of: ({ load }) => load,
			written: (value) => number(value, 1),
			max: 1,
		},
		{
			title: m.memory,
			of: ({ memory }) => memory * 100,
			written: (value) => `${number(value)} %`,
			max: 100,
			isWhole: true,
		},
		{
			title: m.lag,
			of: ({ lagMs }) => lagMs,
			written: (value) => `${number(value)} ms`,
			max: 10,
		},
	];
	return (
		<div class="charts">
			{quantities.map((it) => (
				<Line key={it.title} quantity={it} />
			))}
		</div>
	);
}

function Line({ quantity }: { readonly quantity: Quantity }) {
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
			plot = new uPlot(
				optionsFor(element, quantity),
				dataOf(quantity),
				element,
			);
		});
		const stopFollowing = effect(() => plot?.setData(dataOf(quantity)));
		return () => {
			stopDrawing();
			stopFollowing();
			observer.disconnect();
			plot?.destroy();
		};
	}, []);
	const last = samples.value.at(-1);
	return (
		<figure>
			<figcaption class="row is-apart">
				<span>{quantity.title}</span>
				<span class="number">
					{last && quantity.written(quantity.of(last))}
				</span>
			</figcaption>
			<div class="chart" ref={place} />
		</figure>
	);
}

function dataOf({ of }: Quantity): uPlot.AlignedData {
	const points = samples.value;
	return [points.map(({ at }) => at), points.map(of)];
}

function optionsFor(
	element: HTMLElement,
	{ title, written, max, isWhole = false }: Quantity,
): uPlot.Options {
	const style = getComputedStyle(element);
	const colour = (name: string) => resolved(element, `var(${name})`);
	const timeOfDay = new Intl.DateTimeFormat(languageTags[language.value], {
		timeStyle: "short",
	});
	const axis = {
		stroke: colour("--ink-soft"),
		grid: { stroke: colour("--line"), width: 1 },
		ticks: { show: false },
		font: `12px ${style.fontFamily}`,
	};
	return {
		width: element.clientWidth,
		height,
		padding: [8, 36, 0, 0], // half a time of day stands out of the plot
		legend: { show: false },
		cursor: { show: false },
		scales: {
			x: { range: (_, from, to) => [Math.min(from, to - shownMinSeconds), to] },
			y: {
				range: (_, __, most) => [
					0,
					isWhole ? max : Math.max(max, (most ?? 0) * 1.1),
				],
			},
		},
		axes: [
			{
				...axis,
				size: 32,
				gap: 8,
				space: 72,
				incrs: [60, 300, 600, 900, 1800],
				values: (_, ticks) => ticks.map((it) => timeOfDay.format(it * 1000)),
				grid: { show: false },
			},
			{
				...axis,
				size: 56,
				space: 24,
				values: (_, ticks) => ticks.map(written),
			},
		],
		series: [
			{},
			{
				label: title,
				stroke: colour("--accent"),
				width: 2,
				points: { show: false },
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
