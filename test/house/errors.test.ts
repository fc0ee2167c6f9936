import t from "tap";
import { asCodedError, CodedError, errorTable } from "../../runtime/errors.js";

t.test("every row has a six-digit status and fitting classes", (t) => {
	for (const [status, row] of Object.entries(errorTable)) {
		t.match(status, /^[12]\d{5}$/);
		t.ok(row.http >= 200 && row.http < 600, `${status} http`);
		t.ok([1008, 1011, 1013].includes(row.wsClose), `${status} close code`);
		t.equal(
			row.wsClose === 1008,
			!row.retryable,
			`${status}: the client's own fault is not worth a retry`,
		);
	}
	t.end();
});

t.test(
	"what is not coded becomes an internal error that keeps its cause",
	(t) => {
		const cause = new Error("disk on fire");
		const coded = asCodedError(cause);
		t.equal(coded.status, "100003");
		t.equal(coded.cause, cause);
		t.notMatch(coded.message, /fire/);
		const own = new CodedError("200002", "gain must be an integer");
		t.equal(asCodedError(own), own);
		t.end();
	},
);

t.test("what can't be opened or started now is for later", (t) => {
	const shortage = Object.assign(new Error("open"), { code: "EMFILE" });
	const noProcess = Object.assign(new Error("spawn"), {
		code: "EAGAIN",
		syscall: "spawn ffmpeg",
	});
	for (const thrown of [
		shortage,
		noProcess,
		new Error("the database can't be used", { cause: shortage }),
		new CodedError("200009", "the connection was interrupted", {
			cause: shortage,
		}),
	]) {
		const coded = asCodedError(thrown);
		t.equal(coded.status, "100004");
		t.ok(coded.retryAfterSeconds);
		t.equal(coded.cause, thrown);
	}
	const busy = Object.assign(new Error("read"), { code: "EAGAIN" });
	t.equal(asCodedError(busy).status, "100003");
	const other = new CodedError("200009", undefined, { cause: busy });
	t.equal(asCodedError(other), other);
	t.end();
});
