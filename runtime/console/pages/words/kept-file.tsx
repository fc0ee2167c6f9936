/** A clip from a file that the device keeps: the whole of it, or the part between two times, which can be taken from where it plays. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { DescribedTask } from "../../../api/files/described-task.js";
import { answerTo, apiUrl, data, type Envelope } from "../../app/api.js";
import { SelectField, TextField } from "../../parts/fields.js";
import { Loading, Problem, reasonOf } from "../../parts/notice.js";
import { requestSecondsMax } from "../../parts/recognition-options.js";
import { taskName } from "../../parts/task-name.js";
import { refusalText } from "../../texts/errors.js";
import { clockTime } from "../../texts/texts.js";
import { secondsOf } from "./clock-input.js";
import { wordsTexts } from "./texts.js";

const tasksMax = 100;
/** The interface's number for tasks that are completed. */
const completed = "1";

interface Given {
	readonly onClip: (audio: Blob, format: string) => void;
}

/** Of finished ones, the newest first. */
export function KeptFiles({ onClip }: Given) {
	const m = wordsTexts();
	const tasks = useSignal<readonly DescribedTask[]>([]);
	const chosen = useSignal("");
	useEffect(() => {
		data<readonly DescribedTask[]>("v1/asrfile/tasks", {
			query: { count: String(tasksMax), type: completed },
		}).then(
			(known) => {
				tasks.value = known;
			},
			() => {}, // the other sources are there
		);
	}, []);
	if (tasks.value.length === 0) return null;
	return (
		<div class="stack-small">
			<SelectField
				label={m.tryKept}
				value={chosen.value}
				options={[
					["", m.chooseKept],
					...tasks.value.map((it) => [it.task_id, taskName(it)] as const),
				]}
				onChoose={(id) => {
					chosen.value = id;
				}}
			/>
			{chosen.value && (
				<PartOfFile key={chosen.value} id={chosen.value} onClip={onClip} />
			)}
		</div>
	);
}

function PartOfFile({ id, onClip }: Given & { readonly id: string }) {
	const m = wordsTexts();
	const player = useRef<HTMLAudioElement>(null);
	const start = useSignal("0:00");
	const end = useSignal("");
	const wrong = useSignal("");
	const busy = useSignal(false);
	const place = `v1/asrfile/tasks/${id}/audio`;
	const from = secondsOf(start.value) ?? Number.NaN;
	const to = end.value.trim() === "" ? undefined : secondsOf(end.value);
	const complaint = Number.isNaN(from)
		? m.badTime
		: end.value.trim() !== "" && to === undefined
			? m.badTime
			: to !== undefined && to <= from
				? m.endBeforeStart
				: to !== undefined && to - from > requestSecondsMax
					? m.tooLong
					: "";
	const tryPart = async () => {
		wrong.value = "";
		busy.value = true;
		try {
			const answer = await answerTo(place, {
				query: {
					start: String(from),
					...(to !== undefined && { end: String(to) }),
				},
			});
			if (answer.ok) return onClip(await answer.blob(), "wav");
			const { status, message } = (await answer.json()) as Envelope<null>;
			wrong.value =
				status === "100001" ? m.notKept : refusalText(status, message);
		} catch (thrown) {
			wrong.value = reasonOf(thrown);
		} finally {
			busy.value = false;
		}
	};
	const here = () => clockTime(player.current?.currentTime ?? 0, 1);
	return (
		<div class="stack-small">
			{/* biome-ignore lint/a11y/useMediaCaption: what it says is what is being found out */}
			<audio ref={player} controls preload="metadata" src={apiUrl(place)} />
			<div class="cut">
				<Time label={m.from} value={start} here={here} />
				<Time label={m.to} value={end} here={here} hint={m.toTheEnd} />
			</div>
			{complaint && <Problem>{complaint}</Problem>}
			{wrong.value && <Problem>{wrong.value}</Problem>}
			{busy.value ? (
				<Loading>{m.cutting}</Loading>
			) : (
				<button
					type="button"
					class="button"
					disabled={complaint !== ""}
					onClick={() => void tryPart()}
				>
					{m.tryPart}
				</button>
			)}
		</div>
	);
}

function Time({
	label,
	value,
	here,
	hint = "",
}: {
	readonly label: string;
	readonly value: Signal<string>;
	/** Where it plays. */
	readonly here: () => string;
	readonly hint?: string;
}) {
	const m = wordsTexts();
	return (
		<div class="field">
			<TextField
				label={label}
				text={value}
				class="number"
				inputMode="decimal"
				placeholder={hint}
			/>
			<button
				type="button"
				class="button is-small"
				aria-label={`${label}: ${m.here}`}
				onClick={() => {
					value.value = here();
				}}
			>
				{m.here}
			</button>
		</div>
	);
}
