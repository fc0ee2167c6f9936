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

/** For a command with `--json`. */
export function listing<T extends Record<string, string>>(
	columns: readonly (keyof T & string)[],
	rows: readonly T[],
	asJson = false,
): string {
	return asJson ? JSON.stringify(rows, null, 2) : table(columns, rows);
}

/** @returns untrusted text made safe for a terminal: control characters could move the cursor. */
export function printable(text: string): string {
	return text.replace(/\p{Cc}/gu, " ");
}
