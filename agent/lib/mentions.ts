/**
 * Does a JSON text have all these names, anywhere? Browsers accept comments and commas that JSON.parse does not, so what others wrote is
 * searched and not parsed.
 */
export const mentions = (json: string, names: string[]): boolean => names.every((name) => json.includes(`"${name}"`));
