import type { PushSubscriptionBody } from '@porchlight/contract/push.ts';
import { call } from '../lib/call.ts';
import { person } from '../lib/session.ts';

/** Who gets notifications in this browser, and since when: all that a page needs to know before it loads the rest of Web Push. */

export interface PushRecipient {
  /**
   * The scope of the service worker. Each recipient has a worker and so an endpoint of their own: one browser may be that of a holder and of
   * the guardian of several people, and ending one leaves the others on.
   */
  scope: string;
  /** Others may log in to the same browser. */
  owner: string;
  start(subscription: PushSubscriptionBody): Promise<unknown>;
  end(endpoint: string): Promise<unknown>;
}

/** The user who is logged in. */
export function holderPush(): PushRecipient {
  return {
    scope: '/dashboard/',
    owner: person() ?? '',
    start: (body) => call('POST /web/push', { body }),
    end: (endpoint) => call('POST /web/push/end', { body: { endpoint } }),
  };
}

export function guardianPush(id: string): PushRecipient {
  const params = { id };
  return {
    scope: `/dashboard/guardian/${id}`,
    owner: id,
    start: (body) => call('POST /guardian/:id/push', { params, body }),
    end: (endpoint) => call('POST /guardian/:id/push/end', { params, body: { endpoint } }),
  };
}

export interface PushRecord {
  owner: string;
  endpoint: string;
  /** When the server last got the subscription, in milliseconds. */
  sent: number;
}

const keyOf = ({ scope }: PushRecipient) => `porchlight_push:${scope}`;

/** Null: this recipient gets no notifications in this browser. */
export function recordOf(recipient: PushRecipient): PushRecord | null {
  const record = JSON.parse(localStorage.getItem(keyOf(recipient)) ?? 'null') as PushRecord | null;
  return record?.owner === recipient.owner ? record : null;
}

export function storeRecord(recipient: PushRecipient, endpoint: string): void {
  const record: PushRecord = { owner: recipient.owner, endpoint, sent: Date.now() };
  localStorage.setItem(keyOf(recipient), JSON.stringify(record));
}

export function removeRecord(recipient: PushRecipient): void {
  localStorage.removeItem(keyOf(recipient));
}
