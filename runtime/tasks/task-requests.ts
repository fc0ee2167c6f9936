/**
 * Tasks by the requests that created them: a repeated request gets the same task. On the disk the request is stored in the task's row, so both exist or
 * neither.
 */
import type { Clock } from "../clock/clock.js";
import { isUnfinished, type TaskRow } from "../store/tasks.js";

export interface TaskRequestsParts {
	/** The rows on the disk. */
	readonly tasks: {
		list(): Iterable<TaskRow>;
		find(id: string): TaskRow | undefined;
	};
	readonly clock: Pick<Clock, "ageSeconds">;
}

/** A request is also remembered while its task is unfinished. */
const rememberedSeconds = 86_400;

export class TaskRequests {
	readonly #parts: TaskRequestsParts;
	/** Ids by request; undefined until the first look-up. */
	#ids: Map<string, string> | undefined;

	constructor(parts: TaskRequestsParts) {
		this.#parts = parts;
	}

	find(key: string): TaskRow | undefined {
		const { tasks, clock } = this.#parts;
		const row = tasks.find(this.#known.get(key) ?? "");
		if (!row) return undefined;
		const ageSeconds = clock.ageSeconds({
			seconds: row.insertSeconds,
			operatingSeconds: row.insertOperatingSeconds,
		});
		return isUnfinished(row.state) || ageSeconds < rememberedSeconds
			? row
			: undefined;
	}

	note({ id, request }: TaskRow): void {
		if (request) this.#ids?.set(request.key, id);
	}

	forget({ id, request }: TaskRow): void {
		if (request && this.#ids?.get(request.key) === id)
			this.#ids.delete(request.key);
	}

	/** The rows on the disk are uncertain: they are read again. */
	doubt(): void {
		this.#ids = undefined;
	}

	get #known(): ReadonlyMap<string, string> {
		this.#ids ??= new Map(
			[...this.#parts.tasks.list()].flatMap(({ id, request }) =>
				request ? [[request.key, id] as const] : [],
			),
		);
		return this.#ids;
	}
}
