/** A canonical host and the names above it, the longest first: what a rule for a name and everything below it is asked for. */
export function withNamesAbove(host: string): string[] {
  const all = [host];
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) all.push(host.slice(dot + 1));
  return all;
}
