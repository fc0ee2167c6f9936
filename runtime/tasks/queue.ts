/**
 * Chooses the next tasks to run (docs/decisions.md section 7). Pure.
 *
 * VIP tasks run before standard ones, except standard ones that have waited long enough. Tasks that were begun before come first. A task over which an engine
 * died runs alone, so that it can't take others down.
 */
export interface QueuedTask {
	readonly id: string;
	readonly order: number;
	readonly vip: boolean;
	readonly waitedSeconds: number;
	/** It was in progress before a restart, or before its engine died. */
	readonly begun: boolean;
	readonly dangerous: boolean;
}

/** A standard task that has waited this long is not overtaken any more. */
const patienceSeconds = 600;

export interface RunningTasks {
	readonly count: number;
	/** One of them may kill its engine. */
	readonly dangerous: boolean;
}

/** @returns the tasks to start now, in order. */
export function nextTasks(
	waiting: readonly QueuedTask[],
	running: RunningTasks,
	slots: number,
): readonly QueuedTask[] {
	if (running.dangerous) return [];
	const free = slots - running.count;
	if (free <= 0) return [];
	const inTurn = inOrder(waiting);
	const alone = inTurn.findIndex((it) => it.dangerous);
	if (alone < 0) return inTurn.slice(0, free);
	if (alone > 0) return inTurn.slice(0, Math.min(free, alone));
	return running.count === 0 ? inTurn.slice(0, 1) : [];
}

/** @returns the tasks in the order in which they are to run. */
export function inOrder<Task extends QueuedTask>(
	waiting: readonly Task[],
): readonly Task[] {
	return [...waiting].sort(byTurn);
}

function byTurn(one: QueuedTask, other: QueuedTask): number {
	return rankOf(one) - rankOf(other) || one.order - other.order;
}

function rankOf({ begun, vip, waitedSeconds }: QueuedTask): number {
	if (begun) return 0;
	return vip || waitedSeconds >= patienceSeconds ? 1 : 2;
}
