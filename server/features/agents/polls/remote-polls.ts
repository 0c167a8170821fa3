import { type ErrorCode, errors } from '@porchlight/contract/errors.ts';
import { z } from 'zod';
import type { Nats } from '../../../integrations/nats/nats.ts';
import { fail, Refusal } from '../../../lib/errors.ts';
import type { PollBackend } from './poll-backend.ts';

const newest = z.object({ epoch: z.number().int(), version: z.number().int() });
const refused = z.object({ refused: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]), retry_after: z.number().optional() });

/** What a gateway asks of a server with a database, by NATS. Tokens travel as hashes. */
const requests = {
  begin: {
    question: z.object({ token_hash: z.base64(), caller: z.string(), protecting: z.boolean(), steady: z.boolean() }),
    answer: z.object({ device: z.uuid(), policy_version: z.number().int(), wait_max: z.number(), newest }),
  },
  changed: { question: z.array(z.tuple([z.uuid(), z.number().int()])), answer: z.array(z.uuid()) },
  newest: { question: z.null(), answer: newest },
  present: { question: z.array(z.uuid()), answer: z.array(z.uuid()) },
};
type Requests = typeof requests;
type Name = keyof Requests;
type Question<N extends Name> = z.output<Requests[N]['question']>;
type Answer<N extends Name> = z.output<Requests[N]['answer']>;

const subjectOf = (name: Name) => `porchlight.polls.${name}`;
/** In milliseconds. */
const answer_within = 5_000;
/** In seconds. */
const retry_after = 5;
/** Devices in a message, which NATS limits to a megabyte. */
const devices_per_message = 20_000;

/** Answers the gateways; each question goes to one of the servers. */
export function answerGateways(nats: Pick<Nats, 'respond'>, backend: PollBackend): void {
  const answer = <N extends Name>(name: N, work: (question: Question<N>) => Promise<Answer<N>>) =>
    nats.respond(subjectOf(name), 'servers', async (text) => {
      const question = requests[name].question.parse(JSON.parse(text)) as Question<N>;
      try {
        return JSON.stringify(await work(question));
      } catch (err) {
        if (!(err instanceof Refusal)) throw err;
        return JSON.stringify({ refused: err.code, retry_after: err.retry_after });
      }
    });
  answer('begin', ({ token_hash, caller, ...start }) => backend.begin(Buffer.from(token_hash, 'base64'), caller, start));
  answer('changed', (known) => backend.changedOf(new Map(known)));
  answer('newest', backend.newest);
  answer('present', backend.present);
}

/** The backend of a gateway. Throws `unavailable` while no server answers. */
export function remotePolls(nats: Pick<Nats, 'request'>): PollBackend {
  const ask = async <N extends Name>(name: N, question: Question<N>): Promise<Answer<N>> => {
    const text = await nats
      .request(subjectOf(name), JSON.stringify(question), answer_within)
      .catch(() => fail('unavailable', { retry_after }));
    const json: unknown = JSON.parse(text);
    const refusal = refused.safeParse(json);
    if (refusal.success)
      fail(refusal.data.refused, refusal.data.retry_after === undefined ? {} : { retry_after: refusal.data.retry_after });
    return requests[name].answer.parse(json) as Answer<N>;
  };
  return {
    begin: (token_hash, caller, start) => ask('begin', { token_hash: token_hash.toString('base64'), caller, ...start }),
    changedOf: (known) => ask('changed', [...known]),
    newest: () => ask('newest', null),
    async present(devices) {
      const missing: string[] = [];
      for (let offset = 0; offset < devices.length; offset += devices_per_message) {
        missing.push(...(await ask('present', devices.slice(offset, offset + devices_per_message))));
      }
      return missing;
    },
  };
}
