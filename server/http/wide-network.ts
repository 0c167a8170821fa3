/**
 * The /48 network of an IPv6 caller (from `callerOf`), which providers hand to one customer; null for IPv4. Such a customer has
 * 65,536 callers.
 */
export function wideNetworkOf(caller: string): string | null {
  const network = /^((?:[0-9a-f]{1,4}:){3})[0-9a-f]{1,4}::\/64$/i.exec(caller)?.[1];
  return network === undefined ? null : `${network}:/48`;
}
