type Kind = 'invalid_request_error' | 'idempotency_error' | 'card_error';

/** An answer that is no success, in Stripe's envelope. `param`: as the request spelled it. */
export class Refused extends Error {
  readonly status: number;
  readonly body: { error: { type: Kind; message: string; code?: string; param?: string } };

  constructor(status: number, message: string, more: { code?: string; param?: string; type?: Kind } = {}) {
    super(message);
    this.status = status;
    const { type = 'invalid_request_error', ...rest } = more;
    this.body = { error: { type, message, ...rest } };
  }
}

/** What an id in a request does not lead to. */
export const noSuch = (what: string, id: string, param = 'id') =>
  new Refused(param === 'id' ? 404 : 400, `There is no ${what} '${id}' in this shop.`, { code: 'resource_missing', param });

export const wrong = (param: string, message: string, code = 'parameter_invalid') => new Refused(400, message, { code, param });
