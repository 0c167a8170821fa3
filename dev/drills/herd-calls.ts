import type { OneCall } from './open-loop.ts';

/** Higher than any version of the definitions, so that a waiting agent waits for its policy alone. */
const knownDefinitions = 1_000_000;

/**
 * The call by which an agent asks what has changed: answered at once when `known` is not the newest version of its policy, otherwise at the
 * next change, at the latest after `wait` seconds. 0: it knows no policy yet.
 */
export function callForChanges(token: string, known: number, wait: number): OneCall {
  return { path: `/agent/policy?known=${known}&known_definitions=${known === 0 ? 0 : knownDefinitions}&wait=${wait}`, token };
}
