/** What a request, a stream or a list may take. Connections and callers are limited in server.ts. */
import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const limitsSection = {
	json_body_bytes_max: setting(
		Type.Integer({ minimum: 1024, maximum: 1_073_741_824 }),
		8_388_608,
		"Bytes of a JSON body.",
	),
	body_bytes_per_second_min: setting(
		Type.Integer({ minimum: 0, maximum: 16_384 }),
		512,
		"A request body that arrives more slowly than this for 30 seconds is answered with 408 (230002) and its connection closed; 0: no limit.",
	),
	audio_body_bytes_max: setting(
		Type.Integer({ minimum: 65_536, maximum: 4_294_967_296 }),
		536_870_912,
		"Bytes of the audio of one short recognition, regardless of its duration.",
	),
	lists_per_owner_max: setting(
		Type.Integer({ minimum: 1, maximum: 1_000_000 }),
		2000,
		"Stored word lists, of all kinds together, that one token or application may have created; another one is refused with 100004.",
	),
	lists_megabytes_max: setting(
		Type.Integer({ minimum: 1, maximum: 1_048_576 }),
		512,
		"Disk that all stored word lists may take; a change that would exceed it is refused with 100004.",
	),
	correction_wrong_forms_max: setting(
		Type.Integer({ minimum: 1, maximum: 1000 }),
		100,
		"Wrong forms of one correction; one with more is left out of its list.",
	),
	correction_bytes_max: setting(
		Type.Integer({ minimum: 512, maximum: 65_536 }),
		4096,
		"Bytes of one correction, in UTF-8; a longer one is left out of its list.",
	),
	stream_start_seconds: setting(
		Type.Integer({ minimum: 1, maximum: 3600 }),
		10,
		"A WebSocket that has not started a session after this time is closed.",
	),
	stream_frame_bytes_max: setting(
		Type.Integer({ minimum: 65_536, maximum: 67_108_864 }),
		4_194_304,
		"Bytes of one WebSocket message; a larger one ends the connection.",
	),
	stream_unread_bytes_max: setting(
		Type.Integer({ minimum: 4096, maximum: 8_388_608 }),
		262_144,
		"Bytes of results that a streaming client may leave unread; beyond that the session ends.",
	),
};
