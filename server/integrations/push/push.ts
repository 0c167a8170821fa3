import type { PushMessage, PushSubscriptionBody } from '@porchlight/contract/push.ts';

export interface Push {
  subscription: PushSubscriptionBody;
  message: PushMessage;
  /** In milliseconds: how long the push service may try to reach the browser. */
  ttl: number;
  urgency: 'high' | 'normal';
}

export interface PushSender {
  /** VAPID key (RFC 8292) in base64url, which a page needs to subscribe. Null with Web Push switched off. */
  public_key: string | null;
  /** The push service of an endpoint; null for a service that this server does not call, since browsers choose endpoints. */
  serviceOf(endpoint: string): string | null;
  /** Resolves when the push service has accepted the message. Throws `PushGone`, `PushRefused`, and `PushFailed` when it may be retried. */
  send(push: Push): Promise<void>;
  close(): Promise<void>;
}

/** The subscription has ended: nothing will ever be accepted for it. */
export class PushGone extends Error {}

/** The push service will not accept this message. */
export class PushRefused extends Error {}

/** The push service did not accept the message now. `retry_after`: in milliseconds, as the service asked; 0 if it did not. */
export class PushFailed extends Error {
  readonly retry_after: number;

  /** `cause`: a status or the error of a connection. Never the endpoint, with which anybody may be notified. */
  constructor(cause: number | string, retry_after = 0) {
    super(`the push service did not take it (${cause})`);
    this.retry_after = retry_after;
  }
}

export const noPush: PushSender = {
  public_key: null,
  serviceOf: () => null,
  send: () => Promise.reject(new PushRefused('push is switched off')),
  close: async () => {},
};
