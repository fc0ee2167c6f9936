/**
 * The weights of a PyTorch checkpoint (`torch.save` of a state dictionary, or of a dictionary with one as `state_dict`), unzipped into a folder: `data.pkl` says which tensor lies where,
 * `data/KEY` are the numbers, little-endian. Only float32 tensors without gaps are read; others (counters of training steps) are passed over.
 */
import { join } from "node:path";
import { FileBytes } from "../../../runtime/models/convert/file-bytes.js";
import {
	badSource,
	checkFinite,
	type Weight,
	type WeightSource,
} from "../../../runtime/models/convert/weights.js";
import { elementCount } from "../../../runtime/models/inference-port.js";
import { type Pickled, PythonName, readPickle } from "./pickle.js";

const pickleBytesMax = 16 * 1024 * 1024;
const rankMax = 8;
const floatBytes = 4;

interface Storage {
	readonly is: "storage";
	readonly type: string;
	readonly key: string;
}

interface Entry {
	readonly is: "tensor";
	readonly storage: Storage;
	readonly offset: number;
	readonly dims: readonly number[];
}

export class TorchCheckpoint implements WeightSource {
	readonly description = "PyTorch checkpoint";
	readonly #folder: string;
	readonly #entries: ReadonlyMap<string, Entry>;

	private constructor(folder: string, entries: ReadonlyMap<string, Entry>) {
		this.#folder = folder;
		this.#entries = entries;
	}

	/** @param folder with data.pkl in it. @throws SourceError when it is no checkpoint. */
	static open(folder: string): TorchCheckpoint {
		const path = join(folder, "data.pkl");
		const file = FileBytes.open(path);
		try {
			if (file.size > pickleBytesMax)
				throw badSource(`${path} is too long to be a checkpoint's`);
			const root = readPickle(file.read(0, file.size), { call, persistent });
			return new TorchCheckpoint(folder, entriesOf(root));
		} finally {
			file.close();
		}
	}

	has(name: string): boolean {
		return this.#entries.has(name);
	}

	dims(name: string): readonly number[] {
		return this.#entry(name).dims;
	}

	read(name: string): Weight {
		const { storage, offset, dims } = this.#entry(name);
		const path = join(this.#folder, "data", storage.key);
		const file = FileBytes.open(path);
		try {
			const bytes = elementCount(dims) * floatBytes;
			const { buffer } = file.read(offset * floatBytes, bytes);
			return { dims, values: checkFinite(name, new Float32Array(buffer)) };
		} finally {
			file.close();
		}
	}

	close(): void {}

	#entry(name: string): Entry {
		const entry = this.#entries.get(name);
		if (!entry)
			throw badSource(`the checkpoint has no tensor ${name}: another model?`);
		return entry;
	}
}

function entriesOf(root: Pickled): Map<string, Entry> {
	if (!(root instanceof Map))
		throw badSource("the checkpoint is no state dictionary");
	const inner = root.get("state_dict");
	const entries = new Map<string, Entry>();
	for (const [name, value] of inner instanceof Map ? inner : root)
		if (typeof name === "string" && isTensor(value)) entries.set(name, value);
	return entries;
}

function isTensor(value: Pickled): value is Entry {
	return (value as Partial<Entry> | null)?.is === "tensor";
}

/** ("storage", class, key, device, elements) */
function persistent(id: Pickled): Storage {
	const [tag, type, key] = Array.isArray(id) ? id : [];
	const isOne =
		tag === "storage" &&
		type instanceof PythonName &&
		typeof key === "string" &&
		/^\d+$/.test(key); // it becomes part of a path
	if (!isOne) throw badSource("the checkpoint names a storage of another kind");
	return { is: "storage", type: type.name, key };
}

function call(callee: PythonName, parameters: readonly Pickled[]): Pickled {
	switch (`${callee.module}.${callee.name}`) {
		case "collections.OrderedDict":
			return new Map();
		case "torch._utils._rebuild_tensor_v2":
			return tensorOf(parameters);
		default:
			throw badSource(
				`the checkpoint calls ${callee.module}.${callee.name}, which none needs`,
			);
	}
}

function tensorOf([
	storage,
	offset,
	dims = null,
	strides = null,
]: readonly Pickled[]): Entry | null {
	const { is, type } = (storage ?? {}) as Partial<Storage>;
	if (is !== "storage" || !isCounts([offset ?? null]) || !isCounts(dims))
		throw badSource("the checkpoint's tensors are of another kind");
	if (type !== "FloatStorage") return null;
	if (dims.length > rankMax || !isDense(dims, strides))
		throw badSource("the checkpoint has tensors with gaps");
	const place = { is: "tensor", storage: storage as Storage } as const;
	return { ...place, offset: offset as number, dims };
}

function isDense(dims: readonly number[], strides: Pickled): boolean {
	let step = 1;
	return (
		isCounts(strides) &&
		strides.length === dims.length &&
		dims.toReversed().every((dim, index) => {
			const fits = dim === 1 || strides.at(-1 - index) === step;
			step *= dim;
			return fits;
		})
	);
}

function isCounts(value: Pickled | readonly unknown[]): value is number[] {
	return (
		Array.isArray(value) &&
		value.every((one) => Number.isSafeInteger(one) && (one as number) >= 0)
	);
}
