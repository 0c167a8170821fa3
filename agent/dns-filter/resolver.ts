import { canaryAddress } from '../lib/canary.ts';
import { answerCache, keyOf } from './cache.ts';
import { captivePortalGrace, isPortalProbe } from './captive-portal.ts';
import { blockedAnswer, emptyAnswer, truncatedAnswer } from './dns/answer.ts';
import { rcodes } from './dns/codes.ts';
import { type Query, readQuery } from './dns/query.ts';
import type { Answered } from './exchange.ts';
import type { Upstream } from './upstream.ts';
import { getsNoAddress, type Stopped, type Verdict } from './verdict.ts';

const canaryBytes = Uint8Array.from(canaryAddress.split('.').map(Number));

export interface ResolverDeps {
  verdictFor: (name: string, of?: string) => Verdict;
  onAttempt: (verdict: Stopped) => void;
  upstream: Pick<Upstream, 'ask'>;
  page: () => Uint8Array | null;
  failing: () => void;
  now: () => number;
}

export interface Resolver {
  /**
   * Calls `reply` with an answer of at most `max` bytes (null: the client's UDP limit), valid until `reply` returns; synchronously unless
   * an upstream is queried.
   */
  handle(packet: Uint8Array, max: number | null, reply: (answer: Uint8Array) => void): void;
  /** Clears the cache, because answers of another network or resolver may not be valid here; those still on their way are not cached. */
  forget(): void;
}

export function resolver({ verdictFor, onAttempt, upstream, page, failing, now }: ResolverDeps): Resolver {
  const cache = answerCache(now);
  const grace = captivePortalGrace(now, () => {
    cache.clear();
    failing();
  });
  const pendingAnswers = new Map<string, Promise<Answered | null>>();
  let generation = 0;

  /** `key`: under which the answer is pending; null where nobody else may have it. */
  const ask = async (packet: Uint8Array, query: Query, key: string | null): Promise<Answered | null> => {
    const ownGeneration = generation;
    try {
      const answered = await upstream.ask(packet, query);
      if (!answered) {
        grace.failed();
        return null;
      }
      grace.answered();
      if (ownGeneration !== generation) return answered;
      cache.add(query, answered.bytes, { ...answered.reply, seconds: grace.seconds(query.name, answered.reply.seconds) });
      return answered;
    } finally {
      // Another query may be pending under the key since `forget`.
      if (key !== null && ownGeneration === generation) pendingAnswers.delete(key);
    }
  };
  const askOnce = (packet: Uint8Array, query: Query): Promise<Answered | null> => {
    if (!query.cacheable || !query.plain) return ask(packet, query, null);
    const key = keyOf(query);
    const formerAnswer = pendingAnswers.get(key);
    if (formerAnswer) return formerAnswer;
    const pendingAnswer = ask(packet, query, key);
    pendingAnswers.set(key, pendingAnswer);
    return pendingAnswer;
  };

  /** Judged with each answer, because the rules may have changed since it was cached. */
  const stoppedAlias = (aliases: string[], of: string): Stopped | null => {
    const verdicts = aliases.map((alias) => verdictFor(alias, of)).flatMap((verdict) => ('listed' in verdict ? verdict : []));
    return verdicts.find(({ action }) => action === 'block') ?? verdicts.find(getsNoAddress) ?? verdicts[0] ?? null;
  };

  return {
    handle(packet, max, reply) {
      const query = readQuery(packet);
      if (typeof query === 'number') {
        if (query >= 0) reply(emptyAnswer(packet, null, query));
        return;
      }
      const verdict = verdictFor(query.name);
      if ('listed' in verdict) onAttempt(verdict);
      if (getsNoAddress(verdict)) return reply(blockedAnswer(packet, query, page()));
      if (verdict.action === 'canary') return reply(blockedAnswer(packet, query, canaryBytes));
      if (verdict.action === 'no_such_name') return reply(emptyAnswer(packet, query, rcodes.no_such_name));
      const send = (request: Uint8Array, answer: Uint8Array, aliases: string[]) => {
        const stopped = verdict.action === 'pass' && !verdict.allowed ? stoppedAlias(aliases, query.name) : null;
        if (stopped) onAttempt(stopped);
        if (stopped && getsNoAddress(stopped)) return reply(blockedAnswer(request, query, page()));
        reply(answer.length > (max ?? query.udp_max) ? truncatedAnswer(request, query) : answer);
      };
      const cached = isPortalProbe(query.name) ? null : cache.find(packet, query);
      if (cached) return send(packet, cached.bytes, cached.aliases);
      const queryCopy = Buffer.from(packet);
      askOnce(queryCopy, query).then(
        (answered) => {
          if (!answered) return reply(emptyAnswer(queryCopy, query, rcodes.failed));
          // Written into the received bytes: each client's reply is sent before the next client's is written, and the cache has a copy.
          answered.bytes.set(queryCopy.subarray(0, 2), 0);
          answered.bytes.set(queryCopy.subarray(12, query.end), 12);
          send(queryCopy, answered.bytes, answered.reply.aliases);
        },
        () => reply(emptyAnswer(queryCopy, query, rcodes.failed)),
      );
    },
    forget() {
      generation++;
      pendingAnswers.clear();
      cache.clear();
    },
  };
}
