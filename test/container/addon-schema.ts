/**
 * What Home Assistant accepts as an add-on's config.yaml, as a JSON Schema: each field of developers.home-assistant.io, "App configuration" (of its sources' commit
 * 066eb46), with the narrower patterns of the Supervisor's own check (supervisor/addons/validate.py) where the page gives none. Fields that the page does not have are refused.
 */
import { Type } from "@sinclair/typebox";

const flag = Type.Optional(Type.Boolean());
const text = Type.Optional(Type.String({ minLength: 1 }));
const texts = Type.Optional(Type.Array(Type.String({ minLength: 1 })));
const oneOf = (...values: string[]) =>
	Type.Union(values.map((it) => Type.Literal(it)));

/** Of one option. */
const element =
	"^(?:bool|email|url|port|device(?:\\(.+\\))?|(?:str|password)(?:\\((?:\\d+)?,(?:\\d+)?\\))?|(?:int|float)(?:\\((?:-?\\d+(?:\\.\\d+)?)?,(?:-?\\d+(?:\\.\\d+)?)?\\))?|match\\(.+\\)|list\\([^|)]+(?:\\|[^|)]+)*\\))\\??$";

const folder =
	"^(?:homeassistant_config|addon_config|app_config|all_addon_configs|all_app_configs|addons|local_apps|ssl|backup|share|media|data)(?::(?:rw|ro))?$";

export const addonSchema = Type.Object(
	{
		name: Type.String({ minLength: 1 }),
		version: Type.String({ pattern: "^\\d+\\.\\d+\\.\\d+$" }),
		slug: Type.String({ pattern: "^[-_.A-Za-z0-9]+$" }),
		description: Type.String({ minLength: 1 }),
		arch: Type.Array(oneOf("aarch64", "amd64"), {
			minItems: 1,
			uniqueItems: true,
		}),
		url: Type.Optional(Type.String({ pattern: "^https?://\\S+$" })),
		startup: Type.Optional(
			oneOf("initialize", "system", "services", "application", "once"),
		),
		webui: text,
		boot: Type.Optional(oneOf("auto", "manual", "manual_only")),
		ports: Type.Optional(
			Type.Record(
				Type.String({ pattern: "^[0-9]{1,5}/(tcp|udp)$" }),
				Type.Union([
					Type.Null(),
					Type.Integer({ minimum: 1, maximum: 65_535 }),
				]),
				{ additionalProperties: false },
			),
		),
		ports_description: Type.Optional(Type.Record(Type.String(), Type.String())),
		host_network: flag,
		hassio_api: flag,
		homeassistant_api: flag,
		privileged: texts,
		full_access: flag,
		apparmor: Type.Optional(Type.Union([Type.Boolean(), Type.String()])),
		map: Type.Optional(
			Type.Array(Type.String({ pattern: folder }), { uniqueItems: true }),
		),
		environment: Type.Optional(Type.Record(Type.String(), Type.String())),
		audio: flag,
		devices: texts,
		options: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
		schema: Type.Optional(
			Type.Record(Type.String(), Type.String({ pattern: element })),
		),
		image: text,
		timeout: Type.Optional(Type.Integer({ minimum: 10, maximum: 300 })),
		tmpfs: flag,
		discovery: texts,
		services: Type.Optional(
			Type.Array(
				Type.String({ pattern: "^(mqtt|mysql):(provide|want|need)$" }),
			),
		),
		auth_api: flag,
		ingress: flag,
		ingress_port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
		ingress_entry: text,
		ingress_stream: flag,
		panel_icon: Type.Optional(Type.String({ pattern: "^mdi:[a-z0-9-]+$" })),
		panel_title: text,
		panel_admin: flag,
		backup: Type.Optional(oneOf("hot", "cold")),
		backup_pre: text,
		backup_post: text,
		backup_exclude: texts,
		stage: Type.Optional(oneOf("stable", "experimental", "deprecated")),
		init: flag,
		watchdog: Type.Optional(
			Type.String({
				pattern:
					"^(?:https?|\\[PROTO:\\w+\\]|tcp)://\\[HOST\\]:(\\[PORT:\\d+\\]|\\d+).*$",
			}),
		),
		realtime: flag,
	},
	{ additionalProperties: false },
);

export const translationSchema = Type.Object(
	{
		configuration: Type.Record(
			Type.String(),
			Type.Object(
				{
					name: Type.String({ minLength: 1 }),
					description: Type.String({ minLength: 1 }),
				},
				{ additionalProperties: false },
			),
		),
		network: Type.Record(
			Type.String({ pattern: "^\\d+/(tcp|udp)$" }),
			Type.String({ minLength: 1 }),
		),
	},
	{ additionalProperties: false },
);
