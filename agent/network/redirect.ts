import type { SystemResolver } from '../os/port.ts';
import { type Place, readPlace } from './address.ts';

/** In milliseconds: how soon another network is noticed. */
const lookEvery = 2000;

export interface RedirectParts {
  resolver: SystemResolver;
  /** Names have been put back, because we are being removed: they are left so. */
  leaving: () => Promise<boolean>;
  /** Names are asked of other servers now: another network, or the first look. */
  servers: (servers: Place[]) => void;
  log: (sentence: string) => void;
  words: { pointed: string; notAllowed: (why: string) => string };
}

/** Keeps the computer asking us, and us asking those that it asked before, from one network to the next. */
export function redirect({ resolver, leaving, servers, log, words }: RedirectParts) {
  let wanted: string | null = null;
  let known = '';
  let problem: string | null = null;
  let work: Promise<void> = Promise.resolve();
  let pointed = false;
  const look = async () => {
    const now = await resolver.current();
    const found = now.servers.flatMap((server) => readPlace(server) ?? []);
    const text = JSON.stringify(found);
    // Between two networks there may be nobody to ask: those of before are better than none.
    if (text !== known && (found.length > 0 || known === '')) servers(found);
    if (found.length > 0 || known === '') known = text;
    // Asked after the look: whoever puts names back says so before.
    if (wanted === null || now.ours || (await leaving())) return;
    await resolver.pointTo(wanted);
    if (!pointed) log(words.pointed);
    pointed = true;
    problem = null;
  };
  const inOrder = (step: () => Promise<void>): Promise<void> => {
    work = work.then(step).catch((err: unknown) => {
      const sentence = words.notAllowed(err instanceof Error ? err.message : String(err));
      if (problem !== sentence) log(sentence);
      problem = sentence;
    });
    return work;
  };
  const looking = setInterval(() => void inOrder(look), lookEvery);
  return {
    /** Looks now. */
    look: () => inOrder(look),
    /** From now on names are to be asked of this address. */
    pointTo: (address: string) => {
      wanted = address;
      return inOrder(look);
    },
    /** As before us, and it stays so. */
    restore: () => {
      wanted = null;
      pointed = false;
      return inOrder(resolver.restore);
    },
    problem: () => problem,
    async close() {
      clearInterval(looking);
      await work;
    },
  };
}
