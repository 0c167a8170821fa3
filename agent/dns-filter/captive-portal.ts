/**
 * Names by which systems and browsers find out whether a network wants a login first (hotels, trains). They are answered as they are,
 * whatever any list says, and never kept: after the login the answer is another one.
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

/** In milliseconds and seconds: how long after a network that did not answer its answers are not believed for long. */
const graceFor = 60_000;
const graceTtl = 5;

/**
 * Grace for a network that is just being entered: after nothing was answered, the answers of the next minute may be a login page's, and
 * are kept for a few seconds only. `entered` empties what is kept of the network before.
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
    /** Seconds that an answer may be kept that says `seconds`. */
    seconds: (name: string, seconds: number): number => (isPortalProbe(name) ? 0 : now() < until ? Math.min(graceTtl, seconds) : seconds),
  };
}
