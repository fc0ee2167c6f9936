/**
 * Runs beside the main part, before it is there: the page that the address names, and what that page shares with others, are asked for at once, not after the main
 * part has been read. Pages that are not asked for cost the first load nothing.
 */

const wanted = /^#\/([a-z]+)/.exec(location.hash)?.[1] ?? "live";
for (const file of PAGE_FILES[wanted] ?? []) {
	const link = document.createElement("link");
	link.rel = "modulepreload";
	link.href = file;
	document.head.append(link);
}
