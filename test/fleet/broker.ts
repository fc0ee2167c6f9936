/** A real mosquitto on its own port, for tests: started, killed, started again on the same port. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import type { Test } from "tap";
import { claimedPort } from "../fixtures/claimed-port.js";
import { eventually } from "../fixtures/eventually.js";

const program = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto"].find((it) =>
	existsSync(it),
);

/** Why tests that need a broker can't run here; false if they can. */
export const brokerMissing: string | false = program
	? false
	: "mosquitto is not installed";

/** Otherwise it drops to another user, who can't read a test's files. */
const asRoot = process.getuid?.() === 0 ? ["user root"] : [];

export class Broker {
	readonly port: number;
	readonly #config: string;
	#child: ChildProcess | undefined;

	/** @param folder of the test. @param settings lines of mosquitto.conf; by default anybody may connect. */
	static async start(
		folder: string,
		settings: readonly string[] = ["allow_anonymous true"],
	): Promise<Broker> {
		const broker = new Broker(folder, await claimedPort(), settings);
		await broker.startAgain();
		return broker;
	}

	/** The same, killed when the test is over. */
	static async during(
		t: Pick<Test, "teardown">,
		...settings: Parameters<typeof Broker.start>
	): Promise<Broker> {
		const it = await Broker.start(...settings);
		t.teardown(() => it.kill());
		return it;
	}

	private constructor(
		folder: string,
		port: number,
		settings: readonly string[],
	) {
		this.port = port;
		this.#config = join(folder, `mosquitto-${port}.conf`);
		writeFileSync(
			this.#config,
			[
				`listener ${port} 127.0.0.1`,
				"persistence false",
				...asRoot,
				...settings,
				"",
			].join("\n"),
		);
	}

	get url(): string {
		return `mqtt://127.0.0.1:${this.port}`;
	}

	async startAgain(): Promise<void> {
		const child = spawn(program ?? "mosquitto", ["-c", this.#config], {
			stdio: ["ignore", "ignore", "pipe"],
		});
		this.#child = child;
		let output = "";
		child.stderr?.on("data", (bytes: Buffer) => {
			output = (output + bytes.toString()).slice(-4000);
		});
		let ended: Error | undefined;
		child.once("exit", () => {
			ended = new Error(`mosquitto ended: ${output}`);
		});
		await eventually(
			"mosquitto to listen",
			async () => ended ?? (await answers(this.port)),
			{ seen: () => output },
		);
		if (ended) throw ended;
	}

	/** Kills it at once, as by a power cut. */
	async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
		const child = this.#child;
		this.#child = undefined;
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const exited = once(child, "exit");
		child.kill(signal);
		await exited;
	}

	/** Stops answering without closing anything. */
	freeze(): void {
		this.#child?.kill("SIGSTOP");
	}
}

function answers(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = createConnection(port, "127.0.0.1");
		const finish = (is: boolean) => {
			socket.destroy();
			resolve(is);
		};
		socket.once("connect", () => finish(true));
		socket.once("error", () => finish(false));
	});
}

interface Certificate {
	readonly cert: string;
	readonly key: string;
}

/** A certificate authority, and certificates for a broker and for devices by their names, made by openssl in the folder. */
export function makeCertificates<Name extends string>(
	folder: string,
	names: readonly Name[],
): {
	ca: string;
	server: Certificate;
	devices: Readonly<Record<Name, Certificate>>;
} {
	const run = (...args: string[]) =>
		execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
	const newKey = [
		"-newkey",
		"ec",
		"-pkeyopt",
		"ec_paramgen_curve:P-256",
		"-nodes",
	];
	run(
		...["req", "-x509", ...newKey, "-days", "2", "-subj", "/CN=test authority"],
		...["-keyout", "ca.key", "-out", "ca.crt"],
	);
	const signed = (name: string, subject: string) => {
		run(
			...["req", ...newKey, "-subj", subject],
			...["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"],
			...["-keyout", `${name}.key`, "-out", `${name}.csr`],
		);
		run(
			...[
				"x509",
				"-req",
				"-in",
				`${name}.csr`,
				"-CA",
				"ca.crt",
				"-CAkey",
				"ca.key",
			],
			...["-CAcreateserial", "-days", "2", "-copy_extensions", "copy"],
			...["-out", `${name}.crt`],
		);
		return {
			cert: join(folder, `${name}.crt`),
			key: join(folder, `${name}.key`),
		};
	};
	return {
		ca: join(folder, "ca.crt"),
		server: signed("server", "/CN=localhost"),
		devices: Object.fromEntries(
			names.map((name) => [name, signed(name, `/CN=${name}`)]),
		) as Record<Name, Certificate>,
	};
}
