/** The chart, once its library is there: most of what this page loads, and nobody has to wait for it to read the rest. */
import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { Loading, Problem } from "../../parts/notice.js";
import { common } from "../../texts/common.js";

export function ChartLater() {
	const chart = useSignal<ComponentType | "failed" | undefined>(undefined);
	useEffect(() => {
		import("./chart.js").then(
			({ Chart }) => {
				chart.value = Chart;
			},
			() => {
				chart.value = "failed";
			},
		);
	}, []);
	const { value: Chart } = chart;
	if (Chart === "failed") return <Problem>{common().notLoaded}</Problem>;
	if (Chart) return <Chart />;
	return (
		<div class="chart">
			<Loading>{common().loading}</Loading>
		</div>
	);
}
