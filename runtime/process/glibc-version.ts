/** The C library that this process runs with. */

/** @returns `2.36`; undefined: it is not glibc. */
export function glibcVersion(): string | undefined {
	const report = process.report?.getReport() as
		| { header?: { glibcVersionRuntime?: string } }
		| undefined;
	return report?.header?.glibcVersionRuntime;
}
