/** A child that runs, or the reason why none does: where no pipe or process is left to be had, a child has neither streams nor a number. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** @param child spawned in this very turn. @throws the system's own error, EMFILE or EAGAIN for example */
export async function started<C extends ChildProcess>(child: C): Promise<C> {
	if (child.pid !== undefined) return child;
	const [error] = await once(child, "error");
	throw error;
}
