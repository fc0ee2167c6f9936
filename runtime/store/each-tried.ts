/**
 * Does something with each, in turn, also after it failed for one: on a full disk no row can be changed, but files behind those rows can be removed.
 * @throws the first fault, once all were tried
 */
export async function eachTried<T>(
	items: Iterable<T> | AsyncIterable<T>,
	action: (item: T) => Promise<unknown>,
): Promise<void> {
	const faults: unknown[] = [];
	for await (const item of items)
		await action(item).catch((error: unknown) => faults.push(error));
	if (faults.length > 0) throw faults[0];
}
