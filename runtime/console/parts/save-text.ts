/** A text as a file in the browser's downloads. */
export function saveText(name: string, text: string): void {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(
		new Blob([text], { type: "text/plain;charset=utf-8" }),
	);
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
