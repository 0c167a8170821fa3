import { twilioSignature } from '@porchlight/simulators/twilio/signature.ts';
import type { CallPurpose } from '../db/reach-tables.ts';
import { enqueuer } from '../jobs/queue.ts';
import { callStore } from '../notifications/calls/call-store.ts';
import { person, type TestServer } from './world.ts';

/** A call about nothing in particular, placed as an escalation places its calls. Its words and keys change nothing. */
export async function placedCall(server: TestServer, phone_number: string, purpose: CallPurpose = 'person'): Promise<string> {
  const { email } = await person(server);
  const { uuid: account } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow();
  const { place } = callStore(server.db, server.clock, enqueuer(server.clock));
  const call = { account, purpose, incident: null, device: null, guardian: null, name: 'Ann', phone_number };
  return server.db.transaction().execute((trx) => place(trx, call));
}

/** The stored call, after all queued jobs have run. */
export async function storedCall(server: TestServer, uuid: string) {
  await server.app.worker.idle();
  return server.db.selectFrom('calls').select(['state', 'pressed', 'updated']).where('uuid', '=', uuid).executeTakeFirstOrThrow();
}

/** Posts a form to a path under /api as Twilio does. `signature`: of another form, for a forger. */
export async function postAsTwilio(server: TestServer, path: string, fields: Record<string, string>, signature?: string | null) {
  const form = new URLSearchParams(fields);
  const own = twilioSignature(server.twilio_auth_token, `${server.config.public_url}/api${path}`, form);
  const headers = signature === null ? {} : { 'x-twilio-signature': signature ?? own };
  const { statusCode, body } = await server.app.http.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: form.toString(),
  });
  return { status: statusCode, body, signature: own };
}
