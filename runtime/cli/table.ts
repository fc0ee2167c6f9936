/** Rows in columns, for a terminal. */
export function table<T extends Record<string, string>>(
	columns: readonly (keyof T & string)[],
	rows: readonly T[],
): string {
	const lines = [
		columns,
		...rows.map((row) => columns.map((it) => row[it] ?? "")),
	];
	const widths = columns.map((_, index) =>
		Math.max(...lines.map((cells) => (cells[index] ?? "").length)),
	);
	return lines
		.map((cells) =>
			cells
				.map((cell, index) => cell.padEnd(widths[index] ?? 0))
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}

/** @returns a text of others as it may go to a terminal: it is not to move somebody's cursor. */
export function printable(text: string): string {
	return text.replace(/\p{Cc}/gu, " ");
}
