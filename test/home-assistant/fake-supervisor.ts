/**
 * Home Assistant's Supervisor as far as discovery needs it, with the answers of its own code (supervisor/api/discovery.py, middleware/security.py): one message for
 * each service, whose configuration another POST replaces; 401 without its token, 400 for a body of another form, 403 for a service that the add-on does not name.
 */
import { once } from "node:events";
import {
	createServer,
	type IncomingMessage,
	type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { Type } from "@sinclair/typebox";
import { fits } from "../../runtime/json/json-schema.js";

const bodySchema = Type.Object(
	{
		service: Type.String(),
		config: Type.Record(Type.String(), Type.Unknown()),
	},
	{ additionalProperties: false },
);

export interface Message {
	readonly service: string;
	readonly config: Readonly<Record<string, unknown>>;
}

export class FakeSupervisor {
	readonly token = "supervisors-own-token";
	readonly messages = new Map<string, Message>();
	/** `POST /discovery 200` */
	readonly requests: string[] = [];
	/** Called before a request is answered: may answer it itself. */
	interfere: (response: ServerResponse) => boolean = () => false;
	readonly #server = createServer((request, response) => {
		void this.#answer(request, response);
	});
	#made = 0;

	async start(): Promise<string> {
		this.#server.listen(0, "127.0.0.1");
		await once(this.#server, "listening");
		const { port } = this.#server.address() as AddressInfo;
		return `http://127.0.0.1:${port}`;
	}

	async stop(): Promise<void> {
		this.#server.close();
		this.#server.closeAllConnections();
		await once(this.#server, "close");
	}

	/** Forgets all messages, as one that was set up anew. */
	forget(): void {
		this.messages.clear();
	}

	async #answer(
		request: IncomingMessage,
		response: ServerResponse,
	): Promise<void> {
		let text = "";
		for await (const piece of request) text += piece;
		response.on("finish", () =>
			this.requests.push(
				`${request.method} ${request.url} ${response.statusCode}`,
			),
		);
		if (this.interfere(response)) return;
		if (request.headers.authorization !== `Bearer ${this.token}`) {
			response.writeHead(401).end("401: Unauthorized");
			return;
		}
		const { http, answer } = this.#handle(request, text);
		response
			.writeHead(http, { "Content-Type": "application/json" })
			.end(JSON.stringify(answer));
	}

	#handle({ method, url }: IncomingMessage, text: string) {
		if (method === "POST" && url === "/discovery") return this.#publish(text);
		const [, id] = /^\/discovery\/(\w+)$/.exec(url ?? "") ?? [];
		if (method !== "DELETE" || id === undefined)
			return failed(404, "Not found");
		return this.messages.delete(id)
			? succeeded({})
			: failed(404, "Discovery message not found");
	}

	#publish(text: string) {
		const body: unknown = JSON.parse(text);
		if (!fits(bodySchema, body)) return failed(400, "extra keys not allowed");
		if (body.service !== "wyoming")
			return failed(
				403,
				"Add-ons must list services they provide via discovery in their config!",
			);
		const known = [...this.messages].find(
			([, it]) => it.service === body.service,
		);
		const uuid = known?.[0] ?? `f00d${this.#made++}`;
		this.messages.set(uuid, body);
		return succeeded({ uuid });
	}
}

function succeeded(data: unknown) {
	return { http: 200, answer: { result: "ok", data } };
}

function failed(http: number, message: string) {
	return { http, answer: { result: "error", message } };
}
