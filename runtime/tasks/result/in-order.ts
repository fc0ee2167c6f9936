/** Several sequences, each in order, as one; of two that are equal the earlier sequence's comes first. */
export function* inOrder<T>(
	sequences: readonly Iterable<T>[],
	keyOf: (item: T) => number,
): Generator<T> {
	const heads = sequences
		.map((sequence) => sequence[Symbol.iterator]())
		.map((rest) => ({ rest, next: rest.next() }));
	try {
		for (;;) {
			let first: (typeof heads)[number] | undefined;
			for (const head of heads)
				if (!head.next.done)
					if (!first || keyOf(head.next.value) < keyOf(first.next.value))
						first = head;
			if (!first) return;
			yield first.next.value;
			first.next = first.rest.next();
		}
	} finally {
		for (const { rest } of heads) rest.return?.();
	}
}
