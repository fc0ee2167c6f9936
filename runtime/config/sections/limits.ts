import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const limitsSection = {
	json_body_bytes_max: setting(
		Type.Integer({ minimum: 1024, maximum: 1_073_741_824 }),
		8_388_608,
		"Bytes of a JSON body.",
	),
	audio_body_bytes_max: setting(
		Type.Integer({ minimum: 65_536, maximum: 4_294_967_296 }),
		536_870_912,
		"Bytes of the audio of one short recognition, whatever its duration allows.",
	),
};
