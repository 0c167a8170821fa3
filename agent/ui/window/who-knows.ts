import type { NotifiedPeople } from '../../ports.ts';

/** Who is known to have been notified. `wrote`: only the holder, who is assumed to be the user. */
export type WhoKnows = { kind: 'nobody' | 'wrote' } | { kind: 'notified' | 'offline' | 'trying' | 'failed'; names: string[] };

/**
 * `notified`: the server's answer, null before it. `relatives`: people who will be notified. `reached`: the server answered since the
 * incident. Never claims what the server has not confirmed.
 */
export function whoKnows(notified: NotifiedPeople | null, relatives: string[], reached: boolean): WhoKnows {
  if (!notified) return reached || !relatives.length ? { kind: 'nobody' } : { kind: 'offline', names: relatives };
  const namesWith = (state: NotifiedPeople[number]['state']) =>
    notified.flatMap((one) => (one.name !== null && one.state === state ? [one.name] : []));
  const [sent, waiting, failed] = [namesWith('sent'), namesWith('waiting'), namesWith('failed')];
  if (sent.length) return { kind: 'notified', names: sent };
  if (waiting.length) return { kind: 'trying', names: waiting };
  if (failed.length) return { kind: 'failed', names: failed };
  return { kind: notified.some(({ state }) => state === 'sent') ? 'wrote' : 'nobody' };
}
