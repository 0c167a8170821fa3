import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticatorApp } from '../../../testing/authenticator-app.ts';
import { addedPasskey, passkeyDevice } from '../../../testing/passkey-device.ts';
import {
  activeGuardian,
  detection,
  fakeAddress,
  goodPassword,
  linkedDevice,
  linkIn,
  newcomer,
  person,
  type TestServer,
  testServer,
} from '../../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const marker = '/dashboard/remove-sign-in/';
const headers = () => ({ 'x-forwarded-for': fakeAddress() });
/** The newest first. */
const linksTo = async (email: string) => (await server.mailsTo(email)).map((mail) => linkIn(mail, marker)).filter(Boolean);
const linkTo = async (email: string) => String((await linksTo(email))[0]);
const details = (token: string) => server.call('POST /remove-sign-in/details', { body: { token }, headers: headers() });
const remove = (token: string) => server.call('POST /remove-sign-in', { body: { token }, headers: headers() });
const codeOf = async (reply: ReturnType<typeof remove>) => {
  const { status, body } = await reply;
  return status === 200 ? 'done' : `${status} ${body.code}`;
};
const logIn = (email: string, code?: string, password = goodPassword) =>
  codeOf(server.call('POST /login/web', { body: { email, password, code }, headers: headers() }));
const methodsOf = async (token: string) => (await server.call('GET /web/sign-in-methods', { token })).body;
const newLogin = async (email: string, code: string) =>
  String((await server.call('POST /login/web', { body: { email, password: goodPassword, code }, headers: headers() })).body.web_token);
const isLoggedIn = async (token: string) => (await server.call('GET /web/profile', { token })).status === 200;
const pushesOf = async (email: string) => {
  const rows = server.db.selectFrom('push_subscriptions').innerJoin('accounts', 'accounts.uuid', 'push_subscriptions.account');
  return (await rows.select('accounts.uuid').where('accounts.email', '=', email).execute()).length;
};
const subjectsTo = async (email: string) => (await server.mailsTo(email)).map(({ subject }) => subject);
const gone = '410 link_invalid';

describe('the link of the email about a new way to log in', () => {
  test('[P13.1] removes a stranger’s authenticator app with its recovery codes, so that a new password lets the holder in', async () => {
    const [ann, eve] = [await newcomer(server), await newcomer(server)];
    const [app, others] = [await authenticatorApp(server, ann.token), await authenticatorApp(server, eve.token)];
    for (const { token } of [ann, eve])
      await server.call('POST /web/push', { token, body: await server.pushes.subscribe('A browser of two people') });
    expect(await logIn(ann.email)).toBe('400 second_step_needed');
    const shown = await details(await linkTo(ann.email));
    expect(shown.body).toEqual({ method: 'authenticator', name: null, added: server.clock.now().toISOString() });
    // A page that only shows it removes nothing.
    expect(await logIn(ann.email)).toBe('400 second_step_needed');
    expect((await remove(await linkTo(ann.email))).body).toEqual({ password_mail: true });
    expect(await isLoggedIn(ann.token)).toBe(false);
    expect([await pushesOf(ann.email), await pushesOf(eve.email)]).toEqual([0, 1]);
    const mail = (await server.mailsTo(ann.email)).find(({ subject }) => subject === 'Choose a new password');
    const reset = { token: linkIn(mail, '/reset-password/'), password: 'another good password' };
    expect(await codeOf(server.call('POST /reset-password', { body: reset, headers: headers() }))).toBe('done');
    expect(await logIn(ann.email, undefined, reset.password)).toBe('done');
    // The app and its codes are gone, also for the next app.
    const { body } = await server.call('POST /login/web', { body: { email: ann.email, password: reset.password }, headers: headers() });
    expect(await methodsOf(String(body.web_token))).toEqual({ passkeys: [], authenticator: null, recovery_codes_left: 0 });
    expect(app.recovery_codes).toHaveLength(serverLimits.recovery_codes);
    // The neighbor has lost nothing.
    expect(await isLoggedIn(eve.token)).toBe(true);
    expect(await logIn(eve.email, others.recovery_codes?.[0])).toBe('done');
  });

  test('[P13.1] removes the new passkey alone; the older app, its codes and the neighbour’s session stay', async () => {
    const [ann, eve] = [await newcomer(server), await newcomer(server)];
    const app = await authenticatorApp(server, ann.token);
    server.clock.turn(day);
    const thief = await addedPasskey(server, ann.token, passkeyDevice(), 'Stranger');
    const opened = await server.call('POST /login/passkey', {
      body: { passkey: thief.answer((await server.call('POST /login/passkey/options')).body) },
      headers: headers(),
    });
    expect(opened.status).toBe(200);
    expect((await details(await linkTo(ann.email))).body).toMatchObject({ method: 'passkey', name: 'Stranger' });
    expect(await codeOf(remove(await linkTo(ann.email)))).toBe('done');
    for (const token of [ann.token, String(opened.body.web_token)]) expect(await isLoggedIn(token)).toBe(false);
    expect(await isLoggedIn(eve.token)).toBe(true);
    const answer = thief.answer((await server.call('POST /login/passkey/options')).body);
    expect(await codeOf(server.call('POST /login/passkey', { body: { passkey: answer }, headers: headers() }))).toBe('400 passkey_wrong');
    expect(await logIn(ann.email)).toBe('400 second_step_needed');
    expect(await logIn(ann.email, app.recovery_codes?.[0])).toBe('done');
    expect(await logIn(ann.email, app.nextCode())).toBe('done');
  });

  test('ends recovery codes that were made after the addition, since a stranger may have read them', async () => {
    const ann = await newcomer(server);
    const app = await authenticatorApp(server, ann.token);
    server.clock.turn(day);
    await addedPasskey(server, ann.token, passkeyDevice(), 'Stranger');
    const made = await server.call('POST /web/recovery-codes', { token: ann.token, body: { current_password: goodPassword } });
    const [code] = made.body.recovery_codes as unknown as string[];
    expect(await codeOf(remove(await linkTo(ann.email)))).toBe('done');
    expect(await logIn(ann.email, code)).toBe('400 sign_in_code_wrong');
    expect(await logIn(ann.email, app.nextCode())).toBe('done');
  });

  test('works beside the link of another addition, also after that one was pressed', async () => {
    const ann = await newcomer(server);
    await addedPasskey(server, ann.token, passkeyDevice(), 'First');
    const first = await linkTo(ann.email);
    await addedPasskey(server, ann.token, passkeyDevice(), 'Second');
    const second = String((await linksTo(ann.email)).find((link) => link !== first));
    expect(await codeOf(remove(second))).toBe('done');
    expect(await logIn(ann.email)).toBe('400 second_step_needed');
    expect((await details(first)).body.name).toBe('First');
    expect(await codeOf(remove(first))).toBe('done');
    expect(await logIn(ann.email)).toBe('done');
  });

  test('a link of an app that was replaced does nothing; the newest link does, and leaves none if there was none before', async () => {
    const ann = await newcomer(server);
    await authenticatorApp(server, ann.token);
    const former = await linkTo(ann.email);
    server.clock.turn(1000);
    const app = await authenticatorApp(server, ann.token);
    expect(await codeOf(remove(former))).toBe(gone);
    const token = await newLogin(ann.email, app.nextCode());
    expect((await methodsOf(token)).authenticator).not.toBeNull();
    const newer = (await linksTo(ann.email)).find((link) => link !== former);
    expect(await codeOf(remove(String(newer)))).toBe('done');
    expect(await logIn(ann.email)).toBe('done');
  });

  test('works once, for 7 days, and not for what was removed in another way; an unknown link shows and removes nothing', async () => {
    const ann = await newcomer(server);
    await authenticatorApp(server, ann.token);
    const link = await linkTo(ann.email);
    server.clock.turn(7 * day - 1);
    expect(await codeOf(details(link))).toBe('done');
    server.clock.turn(1);
    for (const call of [details, remove]) expect(await codeOf(call(link))).toBe('410 link_expired');
    expect(await logIn(ann.email)).toBe('400 second_step_needed');
    for (const call of [details, remove]) expect(await codeOf(call('no-such-link'))).toBe(gone);

    const eve = await newcomer(server);
    await authenticatorApp(server, eve.token);
    const [used] = await linksTo(eve.email);
    expect(await codeOf(remove(String(used)))).toBe('done');
    for (const call of [details, remove]) expect(await codeOf(call(String(used)))).toBe(gone);

    const bea = await newcomer(server);
    await authenticatorApp(server, bea.token);
    await server.call('POST /web/authenticator/remove', { token: bea.token, body: { current_password: goodPassword } });
    for (const call of [details, remove]) expect(await codeOf(call(await linkTo(bea.email)))).toBe(gone);
    expect(await isLoggedIn(bea.token)).toBe(true);
  });

  test('pressed at the same time removes once, and is logged once', async () => {
    const ann = await person(server);
    await authenticatorApp(server, ann.token);
    const link = await linkTo(ann.email);
    const answers = await Promise.all([remove(link), remove(link), remove(link)].map(codeOf));
    expect(answers.toSorted()).toEqual([gone, gone, 'done'].toSorted());
    expect((await subjectsTo(ann.email)).filter((subject) => subject.startsWith('You removed an authenticator app'))).toHaveLength(1);
  });

  test('[P13.1] reaches the holder alone, and the guardians read of the addition and of the removal', async () => {
    const ann = await person(server);
    const bob = await activeGuardian(server, ann.token);
    await addedPasskey(server, ann.token, passkeyDevice(), 'My key');
    expect(await linksTo(ann.email)).toHaveLength(1);
    expect((await subjectsTo(ann.email)).filter((subject) => subject === 'New way to log in: a passkey (My key)')).toHaveLength(1);
    expect(await codeOf(remove(await linkTo(ann.email)))).toBe('done');
    expect(await linksTo(bob.email)).toEqual([]);
    const texts = (await server.mailsTo(bob.email)).map(({ text }) => text).join('\n');
    expect(texts).toContain('Ann’s account has a new way to log in: a passkey (My key).');
    expect(texts).toContain('Ann’s account lost a way to log in: a passkey (My key).');
    expect(texts).not.toContain(marker);
  });

  test('[P13.1] works at once in an open incident, without a guardian’s yes', async () => {
    const ann = await person(server);
    await activeGuardian(server, ann.token);
    const { agent } = await linkedDevice(server, ann.token);
    await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });
    expect((await server.call('GET /web/bypasspassword', { token: ann.token })).body.code).toBe('held');
    await authenticatorApp(server, ann.token);
    expect(await codeOf(remove(await linkTo(ann.email)))).toBe('done');
    expect(await logIn(ann.email)).toBe('done');
  });

  test('reaches the former address too while that can take the account back, and sends no password from there', async () => {
    const ann = await newcomer(server);
    const moved = `moved-${ann.email}`;
    await server.call('PATCH /web/profile', { token: ann.token, body: { email: moved, current_password: goodPassword } });
    const confirmation = linkIn((await server.mailsTo(moved))[0], '/confirm-email-change/');
    await server.call('POST /confirm-email-change', { body: { token: confirmation }, headers: headers() });
    await authenticatorApp(server, ann.token);
    expect([(await linksTo(ann.email)).length, (await linksTo(moved)).length]).toEqual([1, 1]);
    expect((await remove(await linkTo(ann.email))).body).toEqual({ password_mail: false });
    expect(await subjectsTo(moved)).not.toContain('Choose a new password');
    const { body } = await server.call('POST /login/web', { body: { email: moved, password: goodPassword }, headers: headers() });
    server.clock.turn(7 * day);
    await authenticatorApp(server, String(body.web_token));
    expect([(await linksTo(ann.email)).length, (await linksTo(moved)).length]).toEqual([1, 2]);
  });

  test('takes a change of the address back that was not confirmed yet', async () => {
    const ann = await newcomer(server);
    await addedPasskey(server, ann.token);
    const moved = `moved-${ann.email}`;
    await server.call('PATCH /web/profile', { token: ann.token, body: { email: moved, current_password: goodPassword } });
    const confirmation = linkIn((await server.mailsTo(moved))[0], '/confirm-email-change/');
    expect(await codeOf(remove(await linkTo(ann.email)))).toBe('done');
    expect(await codeOf(server.call('POST /confirm-email-change', { body: { token: confirmation }, headers: headers() }))).toBe(gone);
  });
});

test('a holder adds at most 20 ways to log in a day, so that no flood hides the email about one', async () => {
  const ann = await newcomer(server);
  const eve = await newcomer(server);
  for (let n = 0; n < serverLimits.sign_in_additions_per_day; n++) {
    // The password is checked ten times in a quarter of an hour at most.
    server.clock.turn(15 * 60_000);
    await authenticatorApp(server, ann.token);
  }
  server.clock.turn(15 * 60_000);
  await expect(addedPasskey(server, ann.token)).rejects.toThrow('too_many');
  await expect(authenticatorApp(server, ann.token)).rejects.toThrow('too_many');
  await addedPasskey(server, eve.token);
  expect(await linksTo(ann.email)).toHaveLength(serverLimits.sign_in_additions_per_day);
  server.clock.turn(day);
  await addedPasskey(server, ann.token);
});
