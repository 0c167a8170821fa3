import type { SystemResolver } from '../os/port.ts';
import type { Log } from '../ports.ts';
import { parseSocketAddress, type SocketAddress } from './address.ts';

/** How soon another network is noticed. */
const POLL_MS = 2000;

/** A redirect without effect is retried after twice the time, and after this at the latest. */
const MAX_MS = 60_000;

/** After so many redirects in a row without effect another program overrules ours. */
const tooOften = 3;

export interface RedirectDeps {
  resolver: SystemResolver;
  /** The resolver was restored for an uninstall, and stays so. */
  leaving: () => Promise<boolean>;
  /** The upstreams changed: another network, or the first poll. */
  servers: (servers: SocketAddress[]) => void;
  log: Log;
  words: { pointed: string; overruled: string; notAllowed: (why: string) => string };
}

/** Redirects the system's resolver to us, with its former servers as upstreams, from one network to the next. */
export function redirect({ resolver, leaving, servers, log, words }: RedirectDeps) {
  let wanted: string | null = null;
  let known = '';
  /** The upstreams at the last redirect. */
  let behind = '';
  let problem: string | null = null;
  let work: Promise<void> = Promise.resolve();
  let pointed = false;
  let tries = 0;
  /** In milliseconds; `next` by the clock that only goes forward. */
  let wait = 0;
  let next = 0;
  const startAfresh = () => {
    [tries, wait, next] = [0, 0, 0];
  };
  const look = async () => {
    const now = await resolver.current();
    const found = now.servers.flatMap((server) => parseSocketAddress(server) ?? []);
    const text = JSON.stringify(found);
    // Between two networks there may be no servers: the former ones are better than none.
    if (text !== known && (found.length > 0 || known === '')) servers(found);
    if (found.length > 0 || known === '') known = text;
    if (wanted === null) return;
    // The servers behind ours are used when no process of ours is left (P4.7): those of the former network would answer nothing here.
    if (now.ours && (text === behind || found.length === 0)) {
      startAfresh();
      problem = null;
      return;
    }
    // Read after the poll: an uninstaller sets it before it restores the resolver.
    if (performance.now() < next || (await leaving())) return;
    wait = Math.min(wait * 2 || POLL_MS / 2, MAX_MS);
    next = performance.now() + wait;
    await resolver.pointTo(wanted);
    behind = text;
    tries++;
    if (tries >= tooOften) throw new Error(words.overruled);
    if (!pointed) log(words.pointed);
    pointed = true;
  };
  const inOrder = (step: () => Promise<void>): Promise<void> => {
    work = work.then(step).catch((err: unknown) => {
      const sentence = words.notAllowed(err instanceof Error ? err.message : String(err));
      if (problem !== sentence) log(sentence);
      problem = sentence;
    });
    return work;
  };
  const looking = setInterval(() => void inOrder(look), POLL_MS);
  return {
    look: () => inOrder(look),
    pointTo: (address: string) => {
      wanted = address;
      startAfresh();
      return inOrder(look);
    },
    /** Restores the resolver for good. */
    restore: () => {
      wanted = null;
      pointed = false;
      behind = '';
      return inOrder(resolver.restore);
    },
    problem: () => problem,
    async close() {
      clearInterval(looking);
      await work;
    },
  };
}
