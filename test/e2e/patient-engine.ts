/** On a busy machine an engine starts late, says little, and has others before a request: none of that is a fault. The defaults would kill it again and again. */
export const patientEngine: Readonly<Record<string, string>> = {
	EARSHOT_ENGINE_READY_SECONDS_MAX: "600",
	EARSHOT_ENGINE_PING_SECONDS_MAX: "300",
	EARSHOT_ENGINE_QUEUE_WAIT_SECONDS: "60",
};
