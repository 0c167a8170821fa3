import { type ErrorBody, errors } from '@porchlight/contract/errors.ts';
import type { FastifyError, FastifyInstance } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { NoConnection } from '../db/connection-queue.ts';
import { isDiskFull, isOutage } from '../lib/database-outage.ts';
import { Refusal } from '../lib/errors.ts';
import { fieldErrors, type Issue } from './field-errors.ts';

interface Log {
  error(o: object, m: string): void;
}

/** Refusals have their own text, other errors a generic text and a full log entry. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = refusalOf(error, request.log);
    const retry_after = retryAfterOf(refusal);
    if (retry_after !== null) void reply.header('retry-after', retry_after);
    return reply.code(errors[refusal.code].status).send(errorBodyOf(refusal, request.id));
  });
  app.setNotFoundHandler((request, reply) => reply.code(404).send(errorBodyOf(new Refusal('not_found'), request.id)));
}

/** What a caller learns of an error; the log gets what it does not learn. */
export function refusalOf(error: unknown, log: Log): Refusal {
  const refusal = asRefusal(error as FastifyError);
  if (refusal.code === 'internal') log.error({ err: error }, 'unexpected error');
  // Each refused call is already logged.
  else if (isOutage(error) && !(error instanceof NoConnection)) log.error({ err: error }, outageMessage(error));
  return refusal;
}

/** The value of the header `Retry-After`. */
export const retryAfterOf = ({ retry_after }: Refusal): string | null =>
  retry_after === undefined ? null : String(Math.max(1, Math.ceil(retry_after)));

/** In seconds: a restart of the database takes less. */
const outage_retry = 5;

const outageMessage = (error: unknown) => (isDiskFull(error) ? 'the disk is full' : 'the database is out of reach');

export function errorBodyOf(refusal: Refusal, request_id: string): ErrorBody {
  return {
    error: refusal.message,
    code: refusal.code,
    ...(refusal.fields ? { fields: refusal.fields } : {}),
    ...(refusal.from_name === undefined ? {} : { from_name: refusal.from_name }),
    ...refusal.hold,
    request_id,
  };
}

function asRefusal(error: FastifyError): Refusal {
  if (error instanceof Refusal) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    // A malformed id is the same as an unknown one for the caller (P1.3).
    if (error.validationContext === 'params') return new Refusal('not_found');
    const issues = error.validation.map(
      (v): Issue => ({ ...(v.params as Issue), code: v.keyword, path: v.instancePath.split('/').slice(1), message: v.message ?? '' }),
    );
    return new Refusal('invalid_input', { fields: fieldErrors(issues) });
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('body_too_large');
  if (error instanceof NoConnection) return new Refusal('unavailable', { retry_after: error.retry_after });
  if (isOutage(error)) return new Refusal('unavailable', { retry_after: outage_retry });
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) return new Refusal('invalid_input');
  return new Refusal('internal');
}
