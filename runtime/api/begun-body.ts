/**
 * A streamed body whose first piece is read before the answer begins: a file that can't be opened or read then gives an ordinary error status instead of a
 * truncated answer.
 */
import type { StreamedBody } from "./exchange.js";

/** @throws what reading the first piece throws. */
export async function begun(body: StreamedBody): Promise<StreamedBody> {
	const rest = body.pieces()[Symbol.asyncIterator]();
	const first = await rest.next();
	const close = async () => {
		await rest.return?.();
	};
	return {
		...body,
		pieces: async function* () {
			try {
				for (let next = first; !next.done; next = await rest.next())
					yield next.value;
			} finally {
				await close();
			}
		},
		discard: () => {
			close().catch(() => {}); // nothing is left to report it to
		},
	};
}
