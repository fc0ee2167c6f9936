/** Whether a page is this server's own. */

/** @param origin of the page, as its browser says. @param host that the request addresses, with its port. */
export function isOriginOf(origin: string, host: string | undefined): boolean {
	if (host === undefined || !URL.canParse(origin)) return false;
	const page = new URL(origin);
	// the scheme is the page's: a host may be written with the port that the scheme implies
	return URL.canParse(`${page.protocol}//${host}`)
		? page.host === new URL(`${page.protocol}//${host}`).host
		: false;
}
