import type { DescribedTask } from "../../api/files/described-task.js";

/** What a file is called: one that came without a name, as from an address that ends with a slash, by its id. */
export function taskName({
	file_name: name,
	task_id: id,
}: Pick<DescribedTask, "file_name" | "task_id">): string {
	return name || id;
}
