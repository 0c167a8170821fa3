/**
 * Host names by which systems and browsers detect a captive portal (hotels, trains). They pass whatever a list says, and are never cached: after the
 * login the answer differs.
 */
const probes: ReadonlySet<string> = new Set([
  'captive.apple.com',
  'www.apple.com',
  'connectivitycheck.gstatic.com',
  'connectivitycheck.android.com',
  'clients3.google.com',
  'www.msftconnecttest.com',
  'www.msftncsi.com',
  'dns.msftncsi.com',
  'detectportal.firefox.com',
  'nmcheck.gnome.org',
  'network-test.debian.org',
  'connectivity-check.ubuntu.com',
  'fedoraproject.org',
  'neverssl.com',
]);

export const isPortalProbe = (name: string): boolean => probes.has(name);

/** For so long the answers after a network failure are cached only briefly; milliseconds, and seconds. */
const graceFor = 60_000;
const graceTtl = 5;

/**
 * Care on entering a network: for a minute after a failure the answers may be a login page's, and are cached for a few seconds only. `entered`
 * empties the cache.
 */
export function captivePortalGrace(now: () => number, entered: () => void) {
  let until = 0;
  let failing = false;
  return {
    failed() {
      until = now() + graceFor;
      if (!failing) entered();
      failing = true;
    },
    answered() {
      failing = false;
    },
    /** The seconds for which an answer with this TTL may be cached. */
    seconds: (name: string, seconds: number): number => (isPortalProbe(name) ? 0 : now() < until ? Math.min(graceTtl, seconds) : seconds),
  };
}
