/** Tasks by the requests that they were made of: whoever asks twice gets one. On the disk they stand in the task's own row, so both are there or neither. */
import type { Clock } from "../clock/clock.js";
import { isUnfinished, type TaskRow } from "../store/tasks.js";

export interface TaskRequestsParts {
	/** What is on the disk. */
	readonly tasks: {
		list(): Iterable<TaskRow>;
		find(id: string): TaskRow | undefined;
	};
	readonly clock: Pick<Clock, "ageSeconds">;
}

/** And for as long as the task is not finished. */
const rememberedSeconds = 86_400;

export class TaskRequests {
	readonly #parts: TaskRequestsParts;
	/** Ids by request; undefined until somebody asks. */
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

	/** Nobody knows what is on the disk: it is looked at again. */
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
