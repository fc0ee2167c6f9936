/**
 * Which task runs next (docs/decisions.md section 7). Pure.
 *
 * VIP tasks go before standard ones; a standard one that has waited long enough is not passed any more. What was begun before goes on first. A task that an
 * engine died over runs alone, so that it takes no other along.
 */
export interface QueuedTask {
	readonly id: string;
	readonly order: number;
	readonly vip: boolean;
	readonly waitedSeconds: number;
	/** It was worked on before a restart, or before its engine died. */
	readonly begun: boolean;
	readonly dangerous: boolean;
}

/** Nobody passes a standard task that has waited for so long. */
const patienceSeconds = 600;

export interface RunningTasks {
	readonly count: number;
	/** One of them may take its engine down. */
	readonly dangerous: boolean;
}

/** @returns the tasks to be started now, first one first. */
export function nextTasks(
	waiting: readonly QueuedTask[],
	running: RunningTasks,
	slots: number,
): readonly QueuedTask[] {
	if (running.dangerous) return [];
	const free = slots - running.count;
	if (free <= 0) return [];
	const inTurn = [...waiting].sort(byTurn);
	const alone = inTurn.findIndex((it) => it.dangerous);
	if (alone < 0) return inTurn.slice(0, free);
	if (alone > 0) return inTurn.slice(0, Math.min(free, alone));
	return running.count === 0 ? inTurn.slice(0, 1) : [];
}

function byTurn(one: QueuedTask, other: QueuedTask): number {
	return rankOf(one) - rankOf(other) || one.order - other.order;
}

function rankOf({ begun, vip, waitedSeconds }: QueuedTask): number {
	if (begun) return 0;
	return vip || waitedSeconds >= patienceSeconds ? 1 : 2;
}
