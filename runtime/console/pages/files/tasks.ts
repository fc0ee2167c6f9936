/** The tasks of this device, and files on their way to it. */
import { effect, signal, untracked } from "@preact/signals";
import type { DescribedTask } from "../../../api/files/described-task.js";
import { ApiError, answerTo, apiUrl, data, ownHeaders } from "../../app/api.js";
import { isIn } from "../../app/session.js";
import { formatOf } from "../../audio/formats.js";
import { reasonOf } from "../../parts/notice.js";
import { chosen, requestOptions } from "../../parts/recognition-options.js";
import { forgetEdits } from "./unsaved-edits.js";

export interface Sending {
	readonly key: number;
	readonly name: string;
	/** What is sent, options and all. */
	readonly form: FormData;
	/** 0 to 1; undefined: not begun. */
	readonly share: number | undefined;
	readonly wrong: string;
}

/** Undefined until they are known. */
export const tasks = signal<readonly DescribedTask[] | undefined>(undefined);
export const sendings = signal<readonly Sending[]>([]);
/** There are older ones than these. */
export const hasMore = signal(false);
export const listTrouble = signal("");
/** Why tasks failed, by id. */
export const reasons = signal<Readonly<Record<string, string>>>({});

const shownAtOnce = 500;
/** How often a device that is not reached is asked again. */
const reachedAgainMs = 3000;
/** Some networks swallow what is sent. */
const reachedMsMax = 10_000;
/** What a task that failed answers to a request for its result. */
const taskFailed = "220500";
let shownMax = shownAtOnce;
/** Tasks that had failed when they were first listed. */
let failedBefore = new Set<string>();
let isLoadingReasons = false;
let sent = 0;
let turn: Promise<void> = Promise.resolve();
let listRequests = 0;
let sentNow:
	| { readonly key: number; readonly request: XMLHttpRequest }
	| undefined;

effect(() => {
	if (!isIn.value) untracked(leave);
});

addEventListener("beforeunload", (event) => {
	// what is not sent yet is lost with the page: the browser asks whether to leave
	if (sendings.value.some(({ wrong }) => !wrong)) event.preventDefault();
});

/** Whoever signs in next neither sends what waits here nor sees what was listed. */
function leave(): void {
	for (const { key } of sendings.value) forget(key);
	listRequests++;
	tasks.value = undefined;
	listTrouble.value = "";
	reasons.value = {};
	failedBefore = new Set();
}

/** @param areOld tasks are listed that were not shown before */
export async function loadTasks(
	areOld = tasks.peek() === undefined,
): Promise<void> {
	const mine = ++listRequests;
	try {
		const known = await data<readonly DescribedTask[]>("v1/asrfile/tasks", {
			query: { count: String(shownMax + 1) },
		});
		if (mine !== listRequests) return; // an older answer: a task that was removed since would be back
		for (const { desc, task_id } of known)
			if (areOld && desc === "Failed") failedBefore.add(task_id);
		tasks.value = known.slice(0, shownMax);
		hasMore.value = known.length > shownMax;
		listTrouble.value = "";
		void loadReasons(tasks.value);
	} catch (thrown) {
		if (mine === listRequests) listTrouble.value = reasonOf(thrown);
	}
}

export function loadMore(): Promise<void> {
	shownMax += shownAtOnce;
	return loadTasks(true);
}

/** Not while one looks at it. */
export function hasLongFailed({ task_id }: DescribedTask): boolean {
	return failedBefore.has(task_id);
}

export function isUnderWay(): boolean {
	return (tasks.value ?? []).some(
		({ desc }) => desc === "Queued" || desc === "Transcribing",
	);
}

/** Place in the queue, from 1; undefined where tasks that are not shown wait before it. */
export function placeOf(task: DescribedTask): number | undefined {
	if (hasMore.value && tasks.value?.at(-1)?.desc === "Queued") return undefined;
	const waiting = (tasks.value ?? []).filter(({ desc }) => desc === "Queued");
	return waiting.length - waiting.indexOf(task);
}

export async function removeTask(id: string): Promise<void> {
	await data(`v1/asrfile/tasks/${id}`, { method: "DELETE" });
	forgetEdits(id);
	await loadTasks();
}

/** One after the other, so that the first is heard while the next is sent. */
export function send(files: readonly File[]): void {
	for (const file of files) {
		const key = ++sent;
		const { name } = file;
		const form = formFor(file);
		sendings.value = [
			...sendings.value,
			{ key, name, form, share: undefined, wrong: "" },
		];
		turn = turn.then(() => sendOne(key));
	}
}

/** One that failed takes its turn once more. */
export function sendAgain(key: number): void {
	change(key, { share: undefined, wrong: "" });
	turn = turn.then(() => sendOne(key));
}

/** One that is being sent is broken off. */
export function forget(key: number): void {
	if (sentNow?.key === key) sentNow.request.abort();
	sendings.value = sendings.value.filter((it) => it.key !== key);
}

async function sendOne(key: number): Promise<void> {
	const mine = sendings.value.find((it) => it.key === key);
	if (!mine) return;
	try {
		await upload(key, mine.form);
		forget(key);
		await loadTasks();
	} catch (thrown) {
		change(key, { wrong: reasonOf(thrown) });
		if (isUnanswered(thrown)) await untilReached();
	}
}

/** What waits does not fail in its turn because the connection is gone. */
async function untilReached(): Promise<void> {
	while (sendings.value.some(({ wrong }) => !wrong)) {
		const isReached = await answerTo("v1/console/session", {
			signal: AbortSignal.timeout(reachedMsMax),
		}).then(
			({ status }) => !isOfProxy(status),
			() => false,
		);
		if (isReached) return;
		await new Promise((done) => setTimeout(done, reachedAgainMs));
	}
}

function isUnanswered(thrown: unknown): boolean {
	return (
		thrown instanceof ApiError && (thrown.http === 0 || isOfProxy(thrown.http))
	);
}

/** One in front of a device that does not answer. */
function isOfProxy(http: number): boolean {
	return http === 502 || http === 504;
}

function change(key: number, what: Partial<Sending>): void {
	sendings.value = sendings.value.map((it) =>
		it.key === key ? { ...it, ...what } : it,
	);
}

function formFor(file: File): FormData {
	const { hotwords_list, ...options } = requestOptions();
	const form = new FormData();
	for (const [name, value] of Object.entries(options))
		form.set(name, String(value));
	if (hotwords_list) form.set("hotwords_list", JSON.stringify(hotwords_list));
	if (chosen.value.speakers) form.set("clusters", "0");
	form.set("enable_words", "true");
	form.set("format", formatOf(file.name));
	form.set("file", file, file.name);
	return form;
}

/** `fetch` does not say how much was sent. @throws ApiError */
function upload(key: number, form: FormData): Promise<void> {
	return new Promise<void>((done, failed) => {
		const request = new XMLHttpRequest();
		sentNow = { key, request };
		request.open("POST", apiUrl("v1/asrfile/upload"));
		for (const [name, value] of Object.entries(ownHeaders))
			request.setRequestHeader(name, value);
		request.upload.onprogress = ({ loaded, total }) =>
			change(key, { share: loaded / total });
		request.onabort = () => done(); // it is forgotten by then
		request.onerror = () => failed(new ApiError(0, "", ""));
		request.onload = () => {
			if (request.status === 200) return done();
			try {
				const { status, message } = JSON.parse(request.responseText);
				failed(new ApiError(request.status, status, message));
			} catch {
				failed(new ApiError(request.status, "", request.statusText));
			}
		};
		request.send(form);
	}).finally(() => {
		sentNow = undefined;
	});
}

/** One after the other: hundreds may have failed, and a device answers only so many requests at a time. What it did not answer is asked again with the next list. */
async function loadReasons(known: readonly DescribedTask[]): Promise<void> {
	if (isLoadingReasons) return;
	isLoadingReasons = true;
	const unknown = known.filter(
		({ task_id, desc }) => desc === "Failed" && !(task_id in reasons.value),
	);
	for (const { task_id } of unknown) if (!(await loadReason(task_id))) break;
	isLoadingReasons = false;
}

/** @returns whether the device said it. */
async function loadReason(id: string): Promise<boolean> {
	try {
		await data("v1/asrfile/result", { query: { task_id: id } });
	} catch (thrown) {
		if (!(thrown instanceof ApiError) || thrown.status !== taskFailed)
			return false;
		reasons.value = { ...reasons.value, [id]: reasonOf(thrown) };
	}
	return true;
}
