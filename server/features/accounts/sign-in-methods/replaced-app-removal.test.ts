import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticatorApp } from '../../../testing/authenticator-app.ts';
import { addedPasskey } from '../../../testing/passkey-device.ts';
import { fakeAddress, goodPassword, linkIn, newcomer, type TestServer, testServer } from '../../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const noCode = '400 second_step_needed';
const wrongCode = '400 sign_in_code_wrong';

const outcome = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  status === 200 ? 'done' : `${status} ${body.code}`;
const logIn = async (email: string, code?: string) =>
  outcome(
    await server.call('POST /login/web', { body: { email, password: goodPassword, code }, headers: { 'x-forwarded-for': fakeAddress() } }),
  );
const newLogin = async (email: string, code?: string) => {
  const body = { email, password: goodPassword, code };
  return String((await server.call('POST /login/web', { body, headers: { 'x-forwarded-for': fakeAddress() } })).body.web_token);
};
/** Its email is sent before the next one, because emails of one moment have no order. */
const newApp = async (token: string) => {
  const app = await authenticatorApp(server, token);
  await server.app.worker.idle();
  return app;
};
/** The link of the newest email about an addition. */
const newestLink = async (email: string) => {
  const links = (await server.mailsTo(email)).map((mail) => linkIn(mail, '/dashboard/remove-sign-in/'));
  return String(links.find(Boolean));
};
const remove = async (link: string) =>
  outcome(await server.call('POST /remove-sign-in', { body: { token: link }, headers: { 'x-forwarded-for': fakeAddress() } }));
const removeNewest = async (email: string) => remove(await newestLink(email));
const recoveryCode = async (token: string) => {
  const { body } = await server.call('POST /web/recovery-codes', { token, body: { current_password: goodPassword } });
  return (body.recovery_codes as unknown as string[])[0];
};
const sinceWhen = async (token: string) => (await server.call('GET /web/sign-in-methods', { token })).body.authenticator;

/** Holders whose apps have been in force for 30 days. */
async function withOldApps() {
  const [ann, eve] = [await newcomer(server), await newcomer(server)];
  const [app, others] = [await newApp(ann.token), await newApp(eve.token)];
  const since = server.clock.now().toISOString();
  server.clock.turn(30 * day);
  const loggedIn = async (email: string, of: typeof app) => ({ email, app: of, since, token: await newLogin(email, of.nextCode()) });
  return [await loggedIn(ann.email, app), await loggedIn(eve.email, others)] as const;
}

describe('the link of the email about an app that replaced another', () => {
  test('[P13.1] brings the former app back, which lets nobody in before, and the account still has its second step', async () => {
    const [ann, eve] = await withOldApps();
    const [newer, others] = [await newApp(ann.token), await newApp(eve.token)];
    for (const { email, app } of [ann, eve]) expect(await logIn(email, app.nextCode())).toBe(wrongCode);
    expect(await removeNewest(ann.email)).toBe('done');
    expect(await logIn(ann.email)).toBe(noCode);
    expect(await logIn(ann.email, newer.nextCode())).toBe(wrongCode);
    expect(await logIn(ann.email, ann.app.nextCode())).toBe('done');
    // With what belongs to it: its time and its recovery codes.
    expect(await sinceWhen(await newLogin(ann.email, ann.app.recovery_codes?.[0]))).toBe(ann.since);
    // The neighbour's newer app stays.
    expect(await logIn(eve.email, eve.app.nextCode())).toBe(wrongCode);
    expect(await logIn(eve.email, others.nextCode())).toBe('done');
  });

  test('[P13.1] brings back the app from before all replacements of the last 7 days, without the recovery codes made since', async () => {
    const [ann] = await withOldApps();
    const first = await newApp(ann.token);
    const firstLink = await newestLink(ann.email);
    server.clock.turn(day);
    const code = await recoveryCode(ann.token);
    server.clock.turn(day);
    const second = await newApp(ann.token);
    expect(await remove(firstLink)).toBe('410 link_invalid');
    expect(await removeNewest(ann.email)).toBe('done');
    expect(await logIn(ann.email)).toBe(noCode);
    for (const stranger of [first.nextCode(), second.nextCode(), code]) expect(await logIn(ann.email, stranger)).toBe(wrongCode);
    expect(await logIn(ann.email, ann.app.nextCode())).toBe('done');
  });

  test('leaves a passkey, but no recovery codes that were made since the first of several apps', async () => {
    const ann = await newcomer(server);
    await addedPasskey(server, ann.token);
    server.clock.turn(day);
    await newApp(ann.token);
    const code = await recoveryCode(ann.token);
    server.clock.turn(day);
    await newApp(ann.token);
    expect(await removeNewest(ann.email)).toBe('done');
    expect(await logIn(ann.email)).toBe(noCode);
    expect(await logIn(ann.email, code)).toBe(wrongCode);
  });

  test('brings back an app once its own link has ended, and the one before it until then', async () => {
    for (const [age, back] of [
      [7 * day - 1, 'former'],
      [7 * day, 'first'],
    ] as const) {
      const [ann] = await withOldApps();
      const first = await newApp(ann.token);
      server.clock.turn(age);
      await newApp(ann.token);
      expect(await removeNewest(ann.email)).toBe('done');
      expect(await logIn(ann.email, ann.app.nextCode())).toBe(back === 'former' ? 'done' : wrongCode);
      expect(await logIn(ann.email, first.nextCode())).toBe(back === 'first' ? 'done' : wrongCode);
    }
  });

  test('accepts no code of the former app that was used before, not even of the next step', async () => {
    const [ann] = await withOldApps();
    const code = ann.app.code(1);
    const token = await newLogin(ann.email, code);
    await newApp(token);
    expect(await removeNewest(ann.email)).toBe('done');
    expect(await logIn(ann.email, code)).toBe(wrongCode);
    server.clock.turn(30_000);
    expect(await logIn(ann.email, code)).toBe(wrongCode);
    expect(await logIn(ann.email, ann.app.nextCode())).toBe('done');
  });

  test('brings nothing back after the holder’s own removal', async () => {
    const [ann] = await withOldApps();
    await newApp(ann.token);
    await server.call('POST /web/authenticator/remove', { token: ann.token, body: { current_password: goodPassword } });
    expect(await logIn(ann.email)).toBe('done');
    await newApp(ann.token);
    expect(await removeNewest(ann.email)).toBe('done');
    expect(await logIn(ann.email)).toBe('done');
  });

  test('works for an app that came back and is replaced again', async () => {
    const [ann] = await withOldApps();
    await newApp(ann.token);
    expect(await removeNewest(ann.email)).toBe('done');
    server.clock.turn(1000);
    await newApp(await newLogin(ann.email, ann.app.nextCode()));
    expect(await removeNewest(ann.email)).toBe('done');
    expect(await logIn(ann.email)).toBe(noCode);
    expect(await logIn(ann.email, ann.app.nextCode())).toBe('done');
  });
});

test('the first code after the seven days deletes the former app, which nothing brings back any more', async () => {
  const [ann, eve] = await withOldApps();
  const app = await newApp(ann.token);
  await newApp(eve.token);
  const formerOf = async (email: string) => {
    const rows = server.db.selectFrom('authenticators').innerJoin('accounts', 'accounts.uuid', 'authenticators.account');
    return (await rows.select('former_secret').where('accounts.email', '=', email).executeTakeFirstOrThrow()).former_secret;
  };
  server.clock.turn(7 * day - 60_000);
  expect(await logIn(ann.email, app.nextCode())).toBe('done');
  expect(await formerOf(ann.email)).not.toBeNull();
  server.clock.turn(60_000);
  expect(await logIn(ann.email, app.nextCode())).toBe('done');
  expect([await formerOf(ann.email), await formerOf(eve.email)]).toEqual([null, expect.any(String)]);
});
