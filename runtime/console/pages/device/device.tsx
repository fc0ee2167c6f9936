export function DevicePage() {
	return null;
}
