/** A canonical host and the names above it, the longest first: what a rule for a name and everything below it is asked for. */
export function withNamesAbove(host: string): string[] {
  const labels = host.split('.');
  return labels.map((_, from) => labels.slice(from).join('.'));
}
