import type { PeopleTold } from '../../ports.ts';

/** Who knows of an incident, as far as it is known here. `wrote`: the holder alone, who is taken for the person at the computer. */
export type WhoKnows = { kind: 'nobody' | 'wrote' } | { kind: 'told' | 'offline' | 'trying' | 'failed'; names: string[] };

/**
 * `told`: what our server has said of it; null as long as it has not. `family`: who is to be told. `reached`: our server was reached since it happened.
 * What nobody has said is not claimed.
 */
export function whoKnows(told: PeopleTold | null, family: string[], reached: boolean): WhoKnows {
  if (!told) return reached || !family.length ? { kind: 'nobody' } : { kind: 'offline', names: family };
  const others = (state: PeopleTold[number]['state']) =>
    told.flatMap((one) => (one.name !== null && one.state === state ? [one.name] : []));
  const [sent, waiting, failed] = [others('sent'), others('waiting'), others('failed')];
  if (sent.length) return { kind: 'told', names: sent };
  if (waiting.length) return { kind: 'trying', names: waiting };
  if (failed.length) return { kind: 'failed', names: failed };
  return { kind: told.some(({ state }) => state === 'sent') ? 'wrote' : 'nobody' };
}
