import { twilioSignature } from '@porchlight/simulators/twilio/signature.ts';
import type { CallPurpose } from '../db/reach-tables.ts';
import { enqueuer } from '../jobs/queue.ts';
import { callStore } from '../notifications/calls/call-store.ts';
import { person, type TestServer } from './world.ts';

/** The uuid of a new account. */
export async function newAccount(server: TestServer): Promise<string> {
  const { email } = await person(server);
  return (await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow()).uuid;
}

/** A call about nothing in particular, placed as an escalation places its calls. Its words and keys change nothing. */
export async function placedCall(
  server: TestServer,
  phone_number: string,
  { purpose = 'person', account }: { purpose?: CallPurpose; account?: string } = {},
): Promise<string> {
  const { place } = callStore(server.db, server.clock, enqueuer(server.clock));
  const call = { account: account ?? (await newAccount(server)), purpose, phone_number, name: 'Ann' };
  return server.db.transaction().execute((trx) => place(trx, { ...call, incident: null, device: null, guardian: null }));
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
