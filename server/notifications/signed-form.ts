import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail } from '../lib/errors.ts';

export interface FormSigning {
  /** Our public URL without a trailing slash, which the carrier's signature includes. */
  public_url: string;
  hasSigned(url: string, fields: URLSearchParams, signature: string): boolean;
}

/** The fields of a form that the telephone network posted. Throws `sender_unknown` unless it signed them. */
export function signedForm(request: FastifyRequest, { public_url, hasSigned }: FormSigning): URLSearchParams {
  const fields = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
  const signature = request.headers['x-twilio-signature'];
  const signed = typeof signature === 'string' && hasSigned(public_url + request.url, fields, signature);
  return signed ? fields : fail('sender_unknown');
}

/** Registers routes that read forms. Without body parsers, because a form's signature covers its raw text. */
export const withRawForms = (app: FastifyInstance, routes: (scope: FastifyInstance) => void) =>
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    routes(scope);
  });
