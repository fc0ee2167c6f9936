/** Explains why a port can't be listened on, and what to do, in one sentence. */
import { createServer } from "node:net";

/** The library does not report the reason of a failure: an ordinary server is tried to find it. @param isSecure the port is that of HTTPS. */
export async function listenAdvice(
	host: string,
	port: number,
	isSecure: boolean,
): Promise<string> {
	const code = await new Promise<string>((resolve) => {
		const probe = createServer();
		probe.once("error", (error: NodeJS.ErrnoException) =>
			resolve(error.code ?? error.message),
		);
		probe.listen({ host, port, exclusive: true }, () =>
			probe.close(() => resolve("")),
		);
	});
	const setting = isSecure ? "EARSHOT_TLS_PORT" : "EARSHOT_SERVER_PORT";
	const place = `port ${port} on ${host}`;
	switch (code) {
		case "EADDRINUSE":
			return `${place} is in use by another program; stop it, or choose another with ${setting}`;
		case "EACCES":
			return `${place} needs more rights than this user has; choose one from 1024 up with ${setting}`;
		case "EADDRNOTAVAIL":
		case "ENOTFOUND":
			return `${host} is not an address of this machine; correct EARSHOT_SERVER_HOST`;
		default:
			return `can't listen on ${place}${code && ` (${code})`}`;
	}
}
