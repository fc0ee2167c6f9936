/** A file that is dropped beside the place for it: browsers would open it in place of the page, and what is being said, sent and typed there would be gone. */

for (const type of ["dragover", "drop"] as const)
	addEventListener(type, (event) => {
		const { defaultPrevented, dataTransfer } = event;
		if (defaultPrevented || !dataTransfer?.types.includes("Files")) return;
		event.preventDefault();
		dataTransfer.dropEffect = "none";
	});
