/** Opens the graphs of one model: all of them, or none stays open. */
import type {
	InferenceOptions,
	InferencePort,
	InferenceSession,
} from "./inference-port.js";

export class OpenGraphs {
	readonly #port: InferencePort;
	readonly #options: InferenceOptions;
	readonly #sessions: InferenceSession[] = [];

	private constructor(port: InferencePort, options: InferenceOptions) {
		this.#port = port;
		this.#options = options;
	}

	/** @param use opens graphs and checks them; when it throws, they are closed. */
	static async with<Result>(
		port: InferencePort,
		options: InferenceOptions,
		use: (graphs: OpenGraphs) => Promise<Result>,
	): Promise<Result> {
		const graphs = new OpenGraphs(port, options);
		try {
			return await use(graphs);
		} catch (error) {
			await graphs.close();
			throw error;
		}
	}

	/** @param options where they are others than those of the model. */
	async open(path: string, options = this.#options): Promise<InferenceSession> {
		const session = await this.#port.open(path, options);
		this.#sessions.push(session);
		return session;
	}

	async close(): Promise<void> {
		for (const session of this.#sessions) await session.close();
	}
}

/** For a model of one graph. @param use checks it; when it throws, the graph is closed. */
export function withGraph<Result>(
	port: InferencePort,
	path: string,
	options: InferenceOptions,
	use: (session: InferenceSession) => Result,
): Promise<Result> {
	return OpenGraphs.with(port, options, async (graphs) =>
		use(await graphs.open(path)),
	);
}
