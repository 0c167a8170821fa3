import type { HandOver } from '@porchlight/contract/loopback.ts';
import type { Identity } from './state/store.ts';
import { type EnrolParts, enrolByCode, enrolByLink } from './sync/enrol.ts';

/** `pin`: of the account that this computer belongs to now; without one, only a computer that belongs to none is linked. */
export interface Linking {
  byCode(code: string, pin?: string): Promise<void>;
  byLink(link: HandOver, pin?: string): Promise<void>;
}

/** Becoming a device, one attempt at a time: a link that is handed over twice at once enrols once. `linked` is told of the new identity. */
export function linking(parts: EnrolParts, linked: (identity: Identity) => Promise<void>): Linking {
  let last: Promise<unknown> = Promise.resolve();
  const underWay = new Map<string, Promise<void>>();
  const once = (key: string, work: () => Promise<Identity>): Promise<void> => {
    const running = underWay.get(key);
    if (running) return running;
    const mine = last
      .catch(() => {})
      .then(work)
      .then(linked)
      .finally(() => underWay.delete(key));
    last = mine;
    underWay.set(key, mine);
    return mine;
  };
  return {
    byCode: (code, pin) => once(`${code} ${pin}`, () => enrolByCode(parts, code, pin)),
    byLink: (link, pin) => once(`${link.uri} ${link.signature} ${pin}`, () => enrolByLink(parts, link, pin)),
  };
}
