/**
 * Host names by which systems detect login pages of networks (hotels, trains). They are never blocked or cached, because their answer
 * changes after the login.
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

/** For this time after a network failure answers are cached only for `graceTtl` seconds. */
const GRACE_MS = 60_000;
const graceTtl = 5;

/** Shortens caching after a network failure, because the answers may then be a login page's. `clearCache` empties the cache. */
export function captivePortalGrace(now: () => number, clearCache: () => void) {
  let until = 0;
  let failing = false;
  return {
    failed() {
      until = now() + GRACE_MS;
      if (!failing) clearCache();
      failing = true;
    },
    answered() {
      failing = false;
    },
    seconds: (name: string, seconds: number): number => (isPortalProbe(name) ? 0 : now() < until ? Math.min(graceTtl, seconds) : seconds),
  };
}
