import type { Profile } from '@porchlight/contract/accounts.ts';
import { askForLoginPasskey } from '../../integrations/passkeys.ts';
import { call } from '../../lib/call.ts';
import { request } from '../../lib/http.ts';
import { person, startSession } from '../../lib/session.ts';
import { clearStored } from '../../lib/tab-storage.ts';

/** `code`: from the authenticator app, or a recovery code (P13.1). */
export async function logIn(email: string, password: string, code?: string): Promise<void> {
  const { web_token } = await call('POST /login/web', { body: { email, password, ...(code === undefined ? {} : { code }) } });
  start(web_token, email);
}

/** With whichever passkey of this website the user chooses in the browser's dialog. */
export async function logInWithPasskey(): Promise<void> {
  const passkey = await askForLoginPasskey();
  const { web_token } = await call('POST /login/passkey', { body: { passkey } });
  start(web_token, await emailOf(web_token));
}

/** What the tab still stores belongs to the user who was here before, and stays if that is the same one. */
function start(web_token: string, email: string): void {
  if (email.trim().toLowerCase() !== person()) clearStored();
  startSession(web_token, email);
}

/** Not by `call`, which uses the token of a login that has started; this one starts once its user is known. */
async function emailOf(web_token: string): Promise<string> {
  const { body } = await request('GET', '/api/web/profile', undefined, { authorization: `Bearer ${web_token}` });
  return (body as Profile).email;
}
