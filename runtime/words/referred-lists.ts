/**
 * The word lists of a recognition by what they are for. On their way to another process or device each is something else: its key, or its entries alone.
 */
export interface ReferredLists<L> {
	readonly hotwords?: { readonly list: L; readonly weight: number };
	readonly corrections?: readonly L[];
	readonly forbidden?: readonly L[];
}

export function listsOf<L>({
	hotwords,
	corrections = [],
	forbidden = [],
}: ReferredLists<L>): readonly L[] {
	return [...(hotwords ? [hotwords.list] : []), ...corrections, ...forbidden];
}

/** @returns those that are there. */
export function mapLists<From, To>(
	{ hotwords, corrections, forbidden }: ReferredLists<From>,
	of: (list: From) => To,
) {
	return {
		...(hotwords && {
			hotwords: { list: of(hotwords.list), weight: hotwords.weight },
		}),
		...(corrections && { corrections: corrections.map((it) => of(it)) }),
		...(forbidden && { forbidden: forbidden.map((it) => of(it)) }),
	};
}
