/** The tail of the log. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ShownLine } from "../../../api/device/logs.js";
import { data } from "../../app/api.js";
import { TextField } from "../../parts/fields.js";
import { Problem, reasonOf } from "../../parts/notice.js";
import { runs } from "./status.js";
import { deviceTexts } from "./texts.js";

const everyMs = 2000;
const shownMax = 500;

export function Log() {
	const m = deviceTexts();
	const lines = useSignal<readonly ShownLine[]>([]);
	const filter = useSignal("");
	const wrong = useSignal("");
	useEffect(() => {
		let timer: ReturnType<typeof setTimeout>;
		let isLeft = false;
		lines.value = []; // numbers begin anew when the device does
		const again = async () => {
			try {
				const after = String(lines.value.at(-1)?.number ?? 0);
				const more = await data<readonly ShownLine[]>("v1/logs", {
					query: { after },
				});
				if (isLeft) return;
				if (more.length > 0)
					lines.value = [...lines.value, ...more].slice(-2000);
				wrong.value = "";
			} catch (thrown) {
				wrong.value = reasonOf(thrown);
			}
			if (!isLeft) timer = setTimeout(again, everyMs);
		};
		void again();
		return () => {
			isLeft = true;
			clearTimeout(timer);
		};
	}, [runs.value]);
	const wanted = filter.value.toLowerCase();
	const shown = lines.value
		.filter(({ line }) => line.toLowerCase().includes(wanted))
		.slice(-shownMax);
	return (
		<>
			<TextField label={m.filter} text={filter} type="search" />
			{wrong.value && <Problem>{wrong.value}</Problem>}
			<div
				class="log"
				tabIndex={0}
				role="log"
				aria-live="off"
				aria-label={m.log}
				lang="en"
			>
				{shown.length === 0 && m.logEmpty}
				{[...shown].reverse().map(({ number, line }) => (
					<LogLine key={number} line={line} />
				))}
			</div>
		</>
	);
}

function LogLine({ line }: { readonly line: string }) {
	const { level, time, msg, pid: _, ...rest } = parsed(line);
	const kind =
		level === "error" || level === "fatal"
			? "is-error"
			: level === "warn"
				? "is-warn"
				: "";
	const more = Object.entries(rest).map(
		([name, value]) =>
			`${name}=${typeof value === "object" ? JSON.stringify(value) : value}`,
	);
	return (
		<div class={kind}>
			{typeof time === "string" ? `${time.slice(11, 19)}Z` : ""}{" "}
			{String(level ?? "").padEnd(5)} {String(msg ?? line)} {more.join(" ")}
		</div>
	);
}

function parsed(line: string): Record<string, unknown> {
	try {
		return JSON.parse(line) as Record<string, unknown>;
	} catch {
		return {};
	}
}
