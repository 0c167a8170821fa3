import type { HeldRequest } from '@porchlight/contract/held-requests.ts';

export interface Questions {
  /** Open requests, the wanted one first. */
  open: HeldRequest[];
  /** Answered requests that are worth showing: the wanted one, and each that a no would still take back. */
  answered: HeldRequest[];
  /** The wanted request is not on the page, because it ended long ago. */
  missing: boolean;
}

/** What a guardian's page shows of its requests. `wanted`: the uuid of the request that the guardian came for. */
export function questionsOf(requests: HeldRequest[], wanted: string | null): Questions {
  const wantedFirst = [...requests].sort((a, b) => Number(b.uuid === wanted) - Number(a.uuid === wanted));
  return {
    open: wantedFirst.filter(({ state }) => state === 'open'),
    answered: wantedFirst.filter(({ uuid, state }) => state === 'yes' || state === 'done' || (uuid === wanted && state !== 'open')),
    missing: wanted !== null && requests.every(({ uuid }) => uuid !== wanted),
  };
}
