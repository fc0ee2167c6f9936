// The import rules: imports point one way. Run by scripts/test; a violation fails it.
const pure =
	"^runtime/(audio|segmentation|features|models|search|text|words|speakers)/";
const io = [
	"fs",
	"fs/promises",
	"net",
	"http",
	"https",
	"child_process",
	"os",
	"dgram",
	"tls",
	"worker_threads",
	"timers",
	"timers/promises",
	"process",
];
module.exports = {
	forbidden: [
		{ name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
		{
			name: "rooms-are-pure",
			comment:
				"audio to text know no clock, file, socket, logger or environment",
			severity: "error",
			from: { path: pure, pathNot: "^runtime/models/(package|convert)/" },
			to: { dependencyTypes: ["core"], path: `^(node:)?(${io.join("|")})$` },
		},
		{
			name: "rooms-look-inward",
			comment: "the pure rooms know only each other and the error table",
			severity: "error",
			from: { path: pure, pathNot: "^runtime/models/(package|convert)/" },
			to: {
				path: "^(runtime|drivers)/",
				pathNot: [
					pure.replace("/$", ""),
					"^runtime/(errors|json/json-schema|event-loop/piecewise)\\.ts$",
				],
			},
		},
		{
			name: "packages-look-inward",
			comment: "as the pure rooms, at files, and at downloads",
			severity: "error",
			from: { path: "^runtime/models/(package|convert)/" },
			to: {
				path: "^(runtime|drivers)/",
				pathNot: [
					pure.replace("/$", ""),
					"^runtime/(errors|json/(uncompiled|json)-schema|event-loop/piecewise)\\.ts$|^runtime/(disk|download)/",
				],
			},
		},
		{
			name: "session-knows-no-edge",
			severity: "error",
			from: { path: "^runtime/session/" },
			to: {
				path: "^(runtime/(api|tasks|fleet|engine|store|config|console)/|runtime/(main|appliance)\\.ts|drivers/)",
			},
		},
		{
			name: "leaves-are-leaves",
			severity: "error",
			from: { path: "^runtime/(store/|config/|errors\\.ts)" },
			to: {
				path: "^(runtime|drivers)/",
				pathNot:
					"^runtime/(store/|config/|disk/|event-loop/|json/(json-schema|json-object|expectation)\\.ts|process/running-process\\.ts|models/package-name\\.ts|(errors|owner)\\.ts)",
			},
		},
		{
			name: "drivers-import-only-ports",
			severity: "error",
			from: { path: "^drivers/" },
			to: {
				path: "^runtime/",
				pathNot: "(-port\\.ts|^runtime/(errors|limits/semaphore)\\.ts)$",
			},
		},
		{
			name: "endpoints-never-drive",
			comment:
				"only the compositions (appliance, engine child, command line) reach into drivers",
			severity: "error",
			from: {
				path: "^runtime/",
				pathNot:
					"^runtime/(main|appliance)\\.ts|^runtime/(appliance|engine/child|cli)/|^runtime/engine/child",
			},
			to: { path: "^drivers/" },
		},
		{
			name: "the-client-stands-alone",
			comment: "it is used without the runtime, on other machines than its own",
			severity: "error",
			from: { path: "^runtime/client/" },
			to: {
				path: "^(runtime|drivers)/|node_modules/(?!(@types/)?(ws|node)/)",
				pathNot: "^runtime/client/",
			},
		},
		{
			name: "ws-in-one-file",
			comment: "the rest of the client runs in browsers as well",
			severity: "error",
			from: {
				path: "^(runtime|drivers)/",
				pathNot: "^runtime/client/node-socket\\.ts$",
			},
			to: { path: "node_modules/(@types/)?ws/" },
		},
		{
			name: "the-console-stands-alone",
			comment:
				"it runs in browsers: of the program it knows the client's source, and types of the API",
			severity: "error",
			from: { path: "^runtime/console/" },
			to: {
				path: "^(runtime|drivers)/|node_modules/(?!(preact|@preact|uplot|qr)/)",
				pathNot: "^runtime/(console|client)/",
				dependencyTypesNot: ["type-only"],
			},
		},
		{
			name: "nobody-stands-on-the-console",
			severity: "error",
			from: { path: "^(runtime|drivers)/", pathNot: "^runtime/console/" },
			to: { path: "^runtime/console/" },
		},
		{
			name: "only-the-composition-root-knows-all",
			severity: "error",
			from: {
				path: "^runtime/",
				pathNot: "^runtime/(main\\.ts|appliance\\.ts|appliance/|cli/)",
			},
			to: { path: "^runtime/(appliance\\.ts|appliance/|main\\.ts)" },
		},
		{
			name: "nobody-stands-on-the-api",
			comment: "it holds endpoints; what they serve has rooms of its own",
			severity: "error",
			from: {
				path: "^runtime/",
				pathNot:
					"^runtime/(api/|main\\.ts|appliance\\.ts|appliance/|cli/|console/)",
			},
			to: { path: "^runtime/api/" },
		},
		{
			name: "endpoints-know-lanes",
			comment:
				"not the engines behind them: recognitions are opened through session/lane-port.ts",
			severity: "error",
			from: { path: "^runtime/(api|calls|clock|microphones|recordings)/" },
			to: { path: "^runtime/engine/" },
		},
		{
			name: "uws-in-one-room",
			severity: "error",
			from: { pathNot: "^runtime/api/server/" },
			to: { path: "uWebSockets|uwebsockets" },
		},
		{
			name: "ort-in-one-room",
			severity: "error",
			from: { path: "^(runtime|drivers)/", pathNot: "^drivers/onnx/" },
			to: { path: "onnxruntime" },
		},
		{
			name: "foreign-functions-in-drivers",
			comment:
				"one file for each library that is called through them; nobody opens the store without its locks, so they are not handed in",
			severity: "error",
			from: {
				path: "^(runtime|drivers)/",
				pathNot:
					"^(drivers/(alsa/libasound|systemd/notify|onnx/capi/library|clock/kernel-clock|cpus/affinity|memory/trim)|runtime/store/file-lock)\\.ts$",
			},
			to: { path: "node_modules/ffi-rs" },
		},
		{
			name: "ajv-in-one-file",
			severity: "error",
			from: { path: "^runtime/", pathNot: "^runtime/json/json-schema\\.ts$" },
			to: { path: "node_modules/ajv/" },
		},
		{
			name: "lmdb-in-one-file",
			severity: "error",
			from: {
				path: "^(runtime|drivers)/",
				pathNot: "^runtime/store/database\\.ts$",
			},
			to: { path: "node_modules/lmdb" },
		},
		{
			name: "mqtt-in-one-file",
			severity: "error",
			from: {
				path: "^(runtime|drivers)/",
				pathNot: "^runtime/fleet/broker/connection\\.ts$",
			},
			to: { path: "node_modules/mqtt" },
		},
		{
			name: "nobody-stands-on-the-fleet",
			comment: "the appliance works the same without a broker",
			severity: "error",
			from: { path: "^runtime/", pathNot: "^runtime/(fleet/|appliance|cli/)" },
			to: { path: "^runtime/fleet/" },
		},
		{
			name: "ipaddr-in-one-file",
			severity: "error",
			from: {
				path: "^(runtime|drivers)/",
				pathNot: "^runtime/outbound/address-rules\\.ts$",
			},
			to: { path: "node_modules/ipaddr" },
		},
		{
			name: "tar-in-one-file",
			severity: "error",
			from: {
				path: "^(runtime|drivers)/",
				pathNot: "^runtime/models/package/archive/tar-entries\\.ts$",
			},
			to: { path: "node_modules/tar/" },
		},
		{
			name: "prom-client-in-one-room",
			severity: "error",
			from: {
				path: "^(runtime|drivers)/",
				pathNot: "^runtime/api/metrics/",
			},
			to: { path: "node_modules/prom-client/" },
		},
		{
			name: "yauzl-in-one-file",
			severity: "error",
			from: {
				path: "^(runtime|drivers)/",
				pathNot: "^runtime/models/package/archive/zip-entries\\.ts$",
			},
			to: { path: "node_modules/(@types/)?yauzl/" },
		},
		{
			name: "service-knows-nobody",
			severity: "error",
			from: { path: "^runtime/service/" },
			to: { path: "^(runtime|drivers)/", pathNot: "^runtime/service/" },
		},
		{
			name: "outbound-knows-nobody",
			severity: "error",
			from: { path: "^runtime/outbound/" },
			to: { path: "^(runtime|drivers)/", pathNot: "^runtime/outbound/" },
		},
		{
			name: "update-knows-nobody",
			comment: "what replaces the program must work with any of it broken",
			severity: "error",
			from: { path: "^runtime/update/" },
			to: {
				path: "^(runtime|drivers)/",
				pathNot:
					"^runtime/(update/|download/|(json/json-schema|disk/whole-file)\\.ts$)|^runtime/models/package/(placing|resumed-fetch)\\.ts$",
			},
		},
		{
			name: "lindera-in-one-file",
			severity: "error",
			from: {
				path: "^(runtime|drivers)/",
				pathNot: "^runtime/text/ja/reading\\.ts$",
			},
			to: { path: "node_modules/lindera" },
		},
	],
	options: {
		doNotFollow: { path: "node_modules" },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: "tsconfig.json" },
		enhancedResolveOptions: {
			exportsFields: ["exports"],
			conditionNames: ["import", "require", "node", "default", "types"],
		},
	},
};
