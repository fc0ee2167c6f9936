/**
 * A streamed body whose first piece is there before the answer begins: what can't be opened or read is an error with a status like any other then, not an
 * answer that breaks off.
 */
import type { StreamedBody } from "./exchange.js";

/** @throws whatever the first piece does. */
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
			close().catch(() => {}); // nobody is left to be told
		},
	};
}
