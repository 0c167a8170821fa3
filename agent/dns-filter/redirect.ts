import type { SystemResolver } from '../os/port.ts';
import type { Log } from '../ports.ts';
import { parseSocketAddress, type SocketAddress } from './address.ts';

/** In milliseconds: how soon another network is noticed. */
const POLL_MS = 2000;

/** In milliseconds: what did not help is tried again after twice as long each time, and after so long at the latest. */
const MAX_MS = 60_000;

/** Set so often in a row without names being asked of us, something else is stronger. */
const tooOften = 3;

export interface RedirectDeps {
  resolver: SystemResolver;
  /** Names have been put back, because we are being removed: they are left so. */
  leaving: () => Promise<boolean>;
  /** Names are asked of other servers now: another network, or the first look. */
  servers: (servers: SocketAddress[]) => void;
  log: Log;
  words: { pointed: string; overruled: string; notAllowed: (why: string) => string };
}

/** Keeps the computer asking us, and us asking those that it asked before, from one network to the next. */
export function redirect({ resolver, leaving, servers, log, words }: RedirectDeps) {
  let wanted: string | null = null;
  let known = '';
  /** The servers that stood behind us when that was last set. */
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
    // Between two networks there may be nobody to ask: those of before are better than none.
    if (text !== known && (found.length > 0 || known === '')) servers(found);
    if (found.length > 0 || known === '') known = text;
    if (wanted === null) return;
    // The servers behind ours are asked when nobody of us is left (P4.7): those of the network before would know no names here.
    if (now.ours && (text === behind || found.length === 0)) {
      startAfresh();
      problem = null;
      return;
    }
    // Asked after the look: whoever puts names back says so before.
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
    /** Looks now. */
    look: () => inOrder(look),
    /** From now on names are to be asked of this address. */
    pointTo: (address: string) => {
      wanted = address;
      startAfresh();
      return inOrder(look);
    },
    /** As before us, and it stays so. */
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
