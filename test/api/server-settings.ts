/** A server on a free port that refuses nobody in a test. */
import type { HttpServer } from "../../runtime/api/server/http-server.js";

export const serverSettings: ConstructorParameters<typeof HttpServer>[0] = {
	host: "127.0.0.1",
	port: 0,
	connectionsMax: 100,
	networkShareMax: 1,
	headerBytesMax: 8192,
	bodyBytesPerSecondMin: 512,
};
