type Kind = 'invalid_request_error' | 'idempotency_error' | 'card_error';

/** An error answer in Stripe's envelope. `param`: the parameter as the request spelled it. */
export class Refused extends Error {
  readonly status: number;
  readonly body: { error: { type: Kind; message: string; code?: string; param?: string } };

  constructor(status: number, message: string, details: { code?: string; param?: string; type?: Kind } = {}) {
    super(message);
    this.status = status;
    const { type = 'invalid_request_error', ...otherDetails } = details;
    this.body = { error: { type, message, ...otherDetails } };
  }
}

export const noSuch = (objectKind: string, id: string, param = 'id') =>
  new Refused(param === 'id' ? 404 : 400, `There is no ${objectKind} '${id}' in this shop.`, { code: 'resource_missing', param });

export const invalidParameter = (param: string, message: string, code = 'parameter_invalid') => new Refused(400, message, { code, param });
