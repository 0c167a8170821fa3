import type { Row } from '@porchlight/dev/bench-row.ts';
import { percentile } from '@porchlight/dev/drills/open-loop.ts';
import { measureHerd, measureOverload, type OverloadResult } from '@porchlight/dev/drills/overload.ts';

const seconds = 30;
const agents = 6_000;

/** Ten times the calls that the server can answer, and six thousand agents that come back at once; alerts are reported meanwhile. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  const overload = await measureOverload(seconds, log);
  const herd = await measureHerd(agents, log);
  const noPeer = { peer: null, peer_value: null };
  const calls = { unit: 'calls', ...noPeer, aim: { at_most: 0 } };
  const ms = (name: string, value: number, at_most: number): Row => ({ name, value, unit: 'ms', ...noPeer, aim: { at_most } });
  const mails = ({ mails: latencies }: OverloadResult) => percentile(latencies, 0.95);
  const { before, after } = overload.memory;
  return [
    {
      name: 'overload, calls offered',
      value: overload.multiple ?? 0,
      unit: 'times',
      peer: 'what it can answer',
      peer_value: 1,
      aim: { ratio_at_least: 9.5 },
    },
    ms(`overload, p95 of ${overload.accepted.length} accepted calls`, percentile(overload.accepted, 0.95), 1_000),
    { name: `overload, ${overload.refused} refusals, of which without Retry-After`, value: overload.withoutRetryAfter, ...calls },
    { name: 'overload, calls answered neither with 200 nor with 503', value: overload.otherwise, ...calls },
    {
      name: 'overload, memory half a minute later',
      value: after,
      unit: 'MB',
      peer: 'before',
      peer_value: before,
      aim: { ratio_at_most: 1.5 },
    },
    ms(`overload, detection until mail accepted, p95 of ${overload.mails.length}`, mails(overload), 5_000),
    ms(`${agents} agents return at once, detection until mail accepted, p95 of ${herd.mails.length}`, mails(herd), 1_000),
    {
      name: `${agents} agents return at once, agents without their policy`,
      value: agents - herd.served,
      unit: 'agents',
      ...noPeer,
      aim: { at_most: 0 },
    },
  ];
}
