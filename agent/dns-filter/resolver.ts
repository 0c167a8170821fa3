import { answerCache, keyOf } from './cache.ts';
import { captivePortalGrace, isPortalProbe } from './captive-portal.ts';
import { blockedAnswer, emptyAnswer, truncatedAnswer } from './dns/answer.ts';
import { rcodes } from './dns/codes.ts';
import { readQuery } from './dns/query.ts';
import type { Answered } from './exchange.ts';
import type { Upstream } from './upstream.ts';
import type { Stopped, Verdict } from './verdict.ts';

export interface ResolverDeps {
  verdictFor: (name: string) => Verdict;
  tried: (verdict: Stopped) => void;
  upstream: Upstream;
  /** The address of the block page; null for none. */
  page: () => Uint8Array | null;
  failing: () => void;
  /** Milliseconds of a clock that nobody sets. */
  now: () => number;
}

export interface Resolver {
  /**
   * Hands `reply` an answer that is valid until it returns, of at most `max` bytes (null: the client's UDP limit), at once where no upstream is
   * needed.
   */
  handle(packet: Uint8Array, max: number | null, reply: (answer: Uint8Array) => void): void;
  /** Another network: the cache of the former one does not count. */
  forget(): void;
}

/** Answers queries: blocked ones itself, the others from the cache or an upstream. */
export function resolver({ verdictFor, tried, upstream, page, failing, now }: ResolverDeps): Resolver {
  const cache = answerCache(now);
  const grace = captivePortalGrace(now, () => {
    cache.clear();
    failing();
  });
  /** A question of several clients at once is sent upstream once. */
  const asking = new Map<string, Promise<Answered | null>>();

  const ask: Upstream['ask'] = async (packet, query) => {
    const answered = await upstream.ask(packet, query);
    if (!answered) {
      grace.failed();
      return null;
    }
    grace.answered();
    cache.keep(query, answered.bytes, { ...answered.reply, seconds: grace.seconds(query.name, answered.reply.seconds) });
    return answered;
  };
  const askOnce: Upstream['ask'] = (packet, query) => {
    if (!query.keepable || !query.plain) return ask(packet, query);
    const key = keyOf(query);
    const mine = asking.get(key) ?? ask(packet, query).finally(() => asking.delete(key));
    asking.set(key, mine);
    return mine;
  };

  return {
    handle(packet, max, reply) {
      const query = readQuery(packet);
      if (typeof query === 'number') {
        if (query >= 0) reply(emptyAnswer(packet, null, query));
        return;
      }
      const verdict = verdictFor(query.name);
      if (verdict.action === 'block' || verdict.action === 'alert') tried(verdict);
      if (verdict.action === 'block') return reply(blockedAnswer(packet, query, page()));
      if (verdict.action === 'no_such_name') return reply(emptyAnswer(packet, query, rcodes.no_such_name));
      const send = (asked: Uint8Array, answer: Uint8Array) =>
        reply(answer.length > (max ?? query.udp_max) ? truncatedAnswer(asked, query) : answer);
      const kept = isPortalProbe(query.name) ? null : cache.find(packet, query);
      if (kept) return send(packet, kept);
      // A copy, because the caller reuses its memory.
      const asked = Buffer.from(packet);
      askOnce(asked, query).then(
        (answered) => {
          if (!answered) return reply(emptyAnswer(asked, query, rcodes.failed));
          const own = Buffer.from(answered.bytes);
          own.set(asked.subarray(0, 2), 0);
          own.set(asked.subarray(12, query.end), 12);
          send(asked, own);
        },
        () => reply(emptyAnswer(asked, query, rcodes.failed)),
      );
    },
    forget: cache.clear,
  };
}
