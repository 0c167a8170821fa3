import { answerCache } from '@porchlight/agent/dns-filter/cache.ts';
import { blockedAnswer, emptyAnswer, truncatedAnswer } from '@porchlight/agent/dns-filter/dns/answer.ts';
import { readQuery } from '@porchlight/agent/dns-filter/dns/query.ts';
import { readReply } from '@porchlight/agent/dns-filter/dns/reply.ts';
import fc from 'fast-check';

const goodQuery = Buffer.from(
  '123401200001000000000001037777770765786d61706c65036f72670000010001000029 04d0000000000000'.replace(' ', ''),
  'hex',
);
const goodReply = Buffer.from('123481800001000100000000037777770765786d61706c65036f72670000010001c00c00010001000000ff0004c0000201', 'hex');

const mutatedMessage = (base: Buffer) =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { maxLength: 6 }),
      fc.nat(base.length),
      fc.uint8Array({ maxLength: 40 }),
    )
    .map(([changes, cutLength, appended]) => {
      const bytes = Buffer.from(base);
      for (const [at, value] of changes) bytes[at] = value;
      return Buffer.concat([bytes.subarray(0, base.length - (cutLength % 8)), appended]);
    });
const queries = fc.oneof(fc.uint8Array({ maxLength: 600 }), mutatedMessage(goodQuery));
const replies = fc.oneof(fc.uint8Array({ maxLength: 600 }), mutatedMessage(goodReply));

/** Puts guard bytes around a message: a parser that reads past its end gives another result when the guard bytes change. */
function guarded(bytes: Uint8Array, guard: number): Uint8Array {
  const paddedBytes = Buffer.alloc(bytes.length + 64, guard);
  paddedBytes.set(bytes, 32);
  return paddedBytes.subarray(32, 32 + bytes.length);
}

const properties = {
  'a query is read within its bounds, and what we answer can be read': fc.property(queries, (bytes) => {
    const query = readQuery(guarded(bytes, 0));
    if (JSON.stringify(query) !== JSON.stringify(readQuery(guarded(bytes, 255)))) return false;
    if (typeof query === 'number') return query === -1 || emptyAnswer(bytes, null, query).length === 12;
    if (query.end > bytes.length || query.name.length > 253) return false;
    const answers = [blockedAnswer, truncatedAnswer].map((makeAnswer) => Buffer.from(makeAnswer(bytes, query, null)));
    return answers.every((answer) => readReply(answer, bytes, query) !== null);
  }),
  'a reply is read within its bounds, kept and given back': fc.property(replies, (bytes) => {
    const query = readQuery(goodQuery);
    if (typeof query === 'number') return false;
    const reply = readReply(guarded(bytes, 0), goodQuery, query);
    if (JSON.stringify(reply) !== JSON.stringify(readReply(guarded(bytes, 255), goodQuery, query))) return false;
    if (!reply) return true;
    const cache = answerCache(() => 0);
    cache.add(query, Buffer.from(bytes), reply);
    return (
      reply.ttls.every((at) => at + 4 <= bytes.length) &&
      (reply.seconds === 0 || cache.find(goodQuery, query)?.bytes.length === bytes.length)
    );
  }),
};

export function namesDrill(seconds: number, log: (line: string) => void = () => {}): string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const outcome = fc.check(property as fc.IProperty<unknown>, {
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: (seconds * 1000) / Object.keys(properties).length,
      markInterruptAsFailure: false,
    });
    log(`${name}: ${outcome.numRuns} times`);
    return outcome.failed
      ? [`${name}: not with ${JSON.stringify(outcome.counterexample)} (seed ${outcome.seed}): ${String(outcome.errorInstance)}`]
      : [];
  });
}
