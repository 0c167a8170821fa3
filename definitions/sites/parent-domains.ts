/** Finds the longest parent domain that `known` knows. Runs for every DNS query, so it builds no list. */
export function nearestParent<T>(host: string, lookUp: (name: string) => T | undefined): T | undefined {
  for (let start = 0; ; ) {
    const result = lookUp(start === 0 ? host : host.slice(start));
    if (result !== undefined) return result;
    start = host.indexOf('.', start) + 1;
    if (start === 0) return undefined;
  }
}

export function withParentDomains(host: string): string[] {
  const domains = [host];
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) domains.push(host.slice(dot + 1));
  return domains;
}
