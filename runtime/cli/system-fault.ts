/** Errors of the operating system, as people are told of them: what can't be done with which file, and what to do about it. */
import { dirname } from "node:path";

export interface SystemFault {
	readonly message: string;
	/** Absent where nothing general can be advised. */
	readonly todo?: string;
}

const asOwner = "run this as root, or as the user that it belongs to";
const makeRoom = "make room on the disk";
/** By code. */
const todos: Readonly<Record<string, string>> = {
	EACCES: asOwner,
	EPERM: asOwner,
	EROFS: "its file system is mounted read-only",
	ENOSPC: makeRoom,
	EDQUOT: makeRoom,
};
/** Calls that change a folder. */
const changes: ReadonlySet<string> = new Set([
	"chmod",
	"chown",
	"copyfile",
	"link",
	"mkdir",
	"mkdtemp",
	"rename",
	"rmdir",
	"symlink",
	"unlink",
]);

/** @returns undefined for any other error */
export function systemFault(error: unknown): SystemFault | undefined {
	if (!(error instanceof Error)) return undefined;
	const { syscall, code = "", path, message } = error as NodeJS.ErrnoException;
	if (syscall === undefined) return undefined;
	const todo = todos[code];
	if (todo === undefined) return { message };
	// a file that was open already: the system does not say which
	if (path === undefined)
		return todo === makeRoom ? { message, todo } : { message };
	// the name of a temporary folder says nothing
	const what = syscall === "mkdtemp" ? dirname(path) : path;
	const how = changes.has(syscall) ? "written" : "opened";
	return { message: `${what} can't be ${how} (${code})`, todo };
}
