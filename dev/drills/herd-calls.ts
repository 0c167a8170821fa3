import type { OneCall } from './open-loop.ts';

/** Higher than any version of the definitions, so that a waiting agent waits for its policy alone. */
const knownDefinitions = 1_000_000;

/**
 * The call by which an agent asks what has changed: answered at once when `known` is not the newest version of its policy, otherwise at the
 * next change, at the latest after `wait` seconds.
 */
export function callForChanges(token: string, known: number, wait: number): OneCall {
  const body = { known, known_epoch: 1, known_definitions: knownDefinitions, protecting: true, wait };
  return { path: '/agent/changes', method: 'POST', token, body };
}

/** The call by which an agent that has learned of a change fetches its policy. */
export const callForPolicy = (token: string): OneCall => ({ path: '/agent/policy', token });
