/** In place of `check-store`, where a test fills or reads a database that nobody damages: the process that checks it takes a quarter of a second each time. */
import type { OwnCommand } from "../../runtime/config/own-program.js";

/** Ends successfully, whatever its arguments are. */
export const trustingCheck: OwnCommand = { file: "/bin/true", args: [] };
