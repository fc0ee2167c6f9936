/** Whether a system call failed since the disk, or its user's share of it, is full. */
export function isDiskFull(error: unknown): boolean {
	const { code } = error as NodeJS.ErrnoException;
	return code === "ENOSPC" || code === "EDQUOT";
}
