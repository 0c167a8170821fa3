/**
 * What is known of a canonical host, or of the longest name above it of which anything is. It is asked of each name that a computer looks
 * up, so no list of them is made.
 */
export function firstAbove<T>(host: string, known: (name: string) => T | undefined): T | undefined {
  for (let from = 0; ; ) {
    const found = known(from === 0 ? host : host.slice(from));
    if (found !== undefined) return found;
    from = host.indexOf('.', from) + 1;
    if (from === 0) return undefined;
  }
}

/** A canonical host and the names above it, the longest first: what a rule for a name and everything below it is asked for. */
export function withNamesAbove(host: string): string[] {
  const all = [host];
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) all.push(host.slice(dot + 1));
  return all;
}
