/** Every file: on its way, in the queue, heard, failed. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { DescribedTask } from "../../../api/files/described-task.js";
import { hrefTo } from "../../app/router.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { FileButton } from "../../parts/file-button.js";
import { Icon } from "../../parts/icon.js";
import { Empty, Loading, Problem } from "../../parts/notice.js";
import { OptionsPanel } from "../../parts/options-panel.js";
import { taskName } from "../../parts/task-name.js";
import { common } from "../../texts/common.js";
import { localTime, number } from "../../texts/texts.js";
import {
	forget,
	hasLongFailed,
	hasMore,
	isUnderWay,
	listTrouble,
	loadMore,
	loadTasks,
	placeOf,
	reasons,
	removeTask,
	type Sending,
	send,
	sendAgain,
	sendings,
	tasks,
} from "./tasks.js";
import { filesTexts } from "./texts.js";

const soonMs = 1500;
const laterMs = 10_000;

export function FileList() {
	const m = filesTexts();
	// beside the rows: what asks is still there when the row has gone, and gives the focus back
	const removing = useSignal<DescribedTask | undefined>(undefined);
	useEffect(() => {
		let timer: ReturnType<typeof setTimeout>;
		let isLeft = false;
		const again = async () => {
			if (!document.hidden) await loadTasks();
			if (!isLeft) timer = setTimeout(again, isUnderWay() ? soonMs : laterMs);
		};
		void again();
		return () => {
			isLeft = true;
			clearTimeout(timer);
		};
	}, []);
	const isEmpty = tasks.value?.length === 0 && sendings.value.length === 0;
	return (
		<>
			<header class="page-head">
				<h1>{m.title}</h1>
			</header>
			<div class="columns">
				<div class="stack">
					<DropZone />
					{listTrouble.value && (
						<Problem again={() => void loadTasks()}>
							{listTrouble.value}
						</Problem>
					)}
					{!tasks.value && !listTrouble.value && (
						<Loading>{common().loading}</Loading>
					)}
					{isEmpty && (
						<Empty icon="file" title={m.emptyTitle}>
							<p>{m.empty}</p>
						</Empty>
					)}
					<ul class="cards-list">
						{sendings.value.map((it) => (
							<SendingRow key={it.key} sending={it} />
						))}
						{tasks.value?.map((it) => (
							<TaskRow
								key={it.task_id}
								task={it}
								onRemove={() => {
									removing.value = it;
								}}
							/>
						))}
					</ul>
					{hasMore.value && (
						<button
							type="button"
							class="button"
							onClick={() => void loadMore()}
						>
							{m.older}
						</button>
					)}
				</div>
				<OptionsPanel forFiles />
			</div>
			{removing.value && (
				<RemoveDialog
					task={removing.value}
					onClose={() => {
						removing.value = undefined;
					}}
				/>
			)}
		</>
	);
}

function DropZone() {
	const m = filesTexts();
	const over = useSignal(false);
	return (
		<div
			class={over.value ? "drop is-over" : "drop"}
			onDragOver={(event) => {
				event.preventDefault();
				over.value = true;
			}}
			onDragLeave={() => {
				over.value = false;
			}}
			onDrop={(event) => {
				event.preventDefault();
				over.value = false;
				send([...(event.dataTransfer?.files ?? [])]);
			}}
		>
			<div>
				<p>{m.drop}</p>
				<small>{m.dropHint}</small>
			</div>
			<FileButton label={m.add} multiple onFiles={send} />
		</div>
	);
}

function SendingRow({ sending }: { readonly sending: Sending }) {
	const m = filesTexts();
	const { key, name, share, wrong } = sending;
	return (
		<li class="card is-tight stack-small">
			<div class="row is-apart">
				<strong class="file-name">
					<bdi>{name}</bdi>
				</strong>
				<span class="row">
					<span class={wrong ? "badge is-bad" : "badge is-busy"}>
						{wrong
							? m.Failed
							: share === undefined
								? m.waiting
								: m.sending(number(share * 100))}
					</span>
					<button
						type="button"
						class="icon-button"
						aria-label={`${wrong ? m.remove : m.cancel}: ${name}`}
						title={wrong ? m.remove : m.cancel}
						onClick={() => forget(key)}
					>
						<Icon name="close" />
					</button>
				</span>
			</div>
			{wrong ? (
				<Problem again={() => sendAgain(key)}>{wrong}</Problem>
			) : (
				<progress value={share ?? 0} max={1} aria-label={name} />
			)}
		</li>
	);
}

function RemoveDialog({
	task,
	onClose,
}: {
	readonly task: DescribedTask;
	readonly onClose: () => void;
}) {
	const m = filesTexts();
	return (
		<ConfirmDialog
			title={m.removeTitle}
			text={m.removeText(taskName(task))}
			action={m.remove}
			act={() => removeTask(task.task_id)}
			onClose={onClose}
		/>
	);
}

function TaskRow({
	task,
	onRemove,
}: {
	readonly task: DescribedTask;
	readonly onRemove: () => void;
}) {
	const m = filesTexts();
	const { task_id: id, desc, progress } = task;
	const name = taskName(task);
	const isDone = desc === "Completed";
	const isBusy = desc === "Transcribing";
	const badge = {
		Completed: "is-good",
		Failed: "is-bad",
		Transcribing: "is-busy",
		Queued: "",
	}[desc];
	const icon = { Completed: "check", Failed: "warning" } as const;
	const reason = reasons.value[id];
	const place = desc === "Queued" ? placeOf(task) : undefined;
	return (
		<li class="card is-tight stack-small">
			<div class="row is-apart">
				<div class="grow file-name">
					{isDone ? (
						<a href={hrefTo("files", id)}>
							<bdi>{name}</bdi>
						</a>
					) : (
						<strong>
							<bdi>{name}</bdi>
						</strong>
					)}
					<br />
					<small class="number">{localTime(task.insert_time)}</small>
				</div>
				<span class="row">
					<span class={`badge ${badge}`}>
						{desc in icon && <Icon name={icon[desc as keyof typeof icon]} />}
						{place === undefined ? m[desc] : m.inQueue(place)}
						{isBusy && ` ${progress} %`}
					</span>
					<button
						type="button"
						class="icon-button"
						aria-label={`${isDone || desc === "Failed" ? m.remove : m.cancel}: ${name}`}
						title={isDone || desc === "Failed" ? m.remove : m.cancel}
						onClick={onRemove}
					>
						<Icon name={isDone || desc === "Failed" ? "trash" : "close"} />
					</button>
				</span>
			</div>
			{isBusy && <progress value={progress} max={100} aria-label={name} />}
			{reason && <Problem isOld={hasLongFailed(task)}>{reason}</Problem>}
		</li>
	);
}
