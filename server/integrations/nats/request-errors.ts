import { errors } from '@nats-io/transport-node';

/** `busy`: the server that has the request has too many others. */
export type AwayReason = 'not_connected' | 'connection_lost' | 'no_responder' | 'timeout' | 'busy';

/** Nobody has answered a request. Whether it was carried out is unknown after `connection_lost` and `timeout`. */
export class NatsAway extends Error {
  readonly why: AwayReason;
  constructor(why: AwayReason) {
    super(`No answer by NATS: ${why}`);
    this.name = 'NatsAway';
    this.why = why;
  }
}

/** The handler of the request threw an error, which is in the log of its server. */
export class RequestFailed extends Error {
  constructor(subject: string) {
    super(`The handler of ${subject} failed.`);
    this.name = 'RequestFailed';
  }
}

/** Replaces the library's errors of a request by `NatsAway`. Others, such as a text that is too long, are returned as they are. */
export function requestError(err: unknown): unknown {
  if (err instanceof errors.TimeoutError) return new NatsAway('timeout');
  if (err instanceof errors.RequestError && err.isNoResponders()) return new NatsAway('no_responder');
  const isLost =
    err instanceof errors.RequestError || err instanceof errors.ClosedConnectionError || err instanceof errors.DrainingConnectionError;
  return isLost ? new NatsAway('connection_lost') : err;
}
