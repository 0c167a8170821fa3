import { namesReachFilter } from '../lib/canary.ts';
import type { SystemResolver } from '../os/port.ts';
import type { Log } from '../ports.ts';
import { parseSocketAddress, type SocketAddress } from './address.ts';

const POLL_MS = 2000;

const MAX_MS = 60_000;

const CANARY_MS = 3500;

/** After this many redirects without effect another program must be overriding the DNS settings. */
const MAX_TRIES = 3;

const reasonOf = (err: unknown) => (err instanceof Error ? err.message : String(err));

export interface RedirectDeps {
  resolver: SystemResolver;
  /** After an uninstall the DNS settings must stay restored. */
  isUninstalling: () => Promise<boolean>;
  servers: (servers: SocketAddress[]) => void;
  log: Log;
  /** Does the filter answer now? */
  isListening: () => boolean;
  messages: { pointed: string; passedBy: string; overruled: string; notAllowed: (why: string) => string };
}

/**
 * In each network, points the system's DNS settings to the filter and reports the former DNS servers as upstreams. Whether sites are blocked
 * is what a lookup through the system says, not what the settings say.
 */
export function redirect({ resolver, isUninstalling, servers, log, isListening, messages }: RedirectDeps) {
  let wantedAddress: string | null = null;
  let knownServers = '';
  let lastUpstreams = '';
  let problem: string | null = null;
  let work: Promise<void> = Promise.resolve();
  /** Whether lookups reach the filter; null until that is known, and while no name resolves. */
  let reached: boolean | null = null;
  let asking = false;
  let closed = false;
  let tries = 0;
  /** Milliseconds until the next redirect, and its monotonic time. */
  let wait = 0;
  let nextTryAt = 0;
  const resetBackoff = () => {
    [tries, wait, nextTryAt] = [0, 0, 0];
  };
  const canary = { failures: 0, wait: 0, nextTryAt: 0, askedAt: Number.NEGATIVE_INFINITY };
  const note = async (reaches: boolean | null) => {
    if (reaches === null) return;
    if (reaches) {
      [canary.failures, canary.wait] = [0, 0];
      if (!reached) log(messages.pointed);
      reached = true;
      return;
    }
    canary.failures++;
    if (performance.now() >= canary.nextTryAt) {
      canary.wait = Math.min(canary.wait * 2 || POLL_MS, MAX_MS);
      canary.nextTryAt = performance.now() + canary.wait;
      await resolver.askFirstAgain?.();
    }
    // Once may be a moment in which the filter was too slow.
    if (canary.failures < 2) return;
    if (reached !== false) log(messages.passedBy);
    reached = false;
  };
  /** Not in order with the other work, because it waits for silent servers. */
  const askCanary = () => {
    if (asking || wantedAddress === null || !isListening()) return;
    // Every other poll is enough while all is well.
    if (reached && canary.failures === 0 && performance.now() - canary.askedAt < CANARY_MS) return;
    canary.askedAt = performance.now();
    asking = true;
    const address = wantedAddress;
    void namesReachFilter(resolver.resolve)
      .then((reaches) => (closed || address !== wantedAddress || !isListening() ? undefined : note(reaches)))
      .catch((err: unknown) => log(messages.notAllowed(reasonOf(err))))
      .finally(() => (asking = false));
  };
  const poll = async () => {
    const settings = await resolver.current();
    if (!settings) return;
    const currentServers = settings.servers.flatMap((server) => parseSocketAddress(server) ?? []);
    const text = JSON.stringify(currentServers);
    // Between two networks there may be no DNS servers; then the former servers stay in use.
    if (text !== knownServers && (currentServers.length > 0 || knownServers === '')) servers(currentServers);
    if (currentServers.length > 0 || knownServers === '') knownServers = text;
    if (wantedAddress === null) return;
    // If the filter's process dies the system falls back to its next DNS servers (P4.7), so they must be those of the current network.
    if (settings.ours && (text === lastUpstreams || currentServers.length === 0)) {
      resetBackoff();
      problem = null;
      askCanary();
      return;
    }
    // Checked after reading the DNS settings: an uninstaller sets the mark before it restores them.
    if (performance.now() < nextTryAt || (await isUninstalling())) return;
    wait = Math.min(wait * 2 || POLL_MS / 2, MAX_MS);
    nextTryAt = performance.now() + wait;
    await resolver.pointTo(wantedAddress);
    lastUpstreams = text;
    tries++;
    if (tries >= MAX_TRIES) throw new Error(messages.overruled);
    if ((await resolver.current())?.ours) askCanary();
  };
  const inOrder = (step: () => Promise<void>): Promise<void> => {
    work = work.then(step).catch((err: unknown) => {
      const sentence = messages.notAllowed(reasonOf(err));
      if (problem !== sentence) log(sentence);
      problem = sentence;
    });
    return work;
  };
  const polling = setInterval(() => void inOrder(poll), POLL_MS);
  return {
    look: () => inOrder(poll),
    pointTo: (address: string) => {
      wantedAddress = address;
      // The filter has started: what was asked before it did may have gone elsewhere since.
      canary.askedAt = Number.NEGATIVE_INFINITY;
      resetBackoff();
      return inOrder(poll);
    },
    restore: () => {
      wantedAddress = null;
      reached = null;
      [canary.failures, canary.wait] = [0, 0];
      lastUpstreams = '';
      return inOrder(resolver.restore);
    },
    problem: () => problem ?? (reached === false ? messages.passedBy : null),
    async close() {
      closed = true;
      clearInterval(polling);
      await work;
    },
  };
}
