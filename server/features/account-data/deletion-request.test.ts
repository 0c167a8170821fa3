import { day, hour } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueuer } from '../../jobs/queue.ts';
import { accountIdOf } from '../../testing/account-rows.ts';
import { bodyWords } from '../../testing/body-words.ts';
import { deletionsAt } from '../../testing/deletions.ts';
import { incidentFamily } from '../../testing/incident-family.ts';
import { linkIn, newcomer, person, type TestServer, testServer } from '../../testing/world.ts';
import { dateInWords, dayInWords } from '../../texts/formatting.ts';
import { deletionAskedEmail, deletionReminderEmail } from './deletion-email.ts';

let server: TestServer;
let deletions: ReturnType<typeof deletionsAt>;
beforeAll(async () => {
  server = await testServer();
  deletions = deletionsAt(server);
});
afterAll(() => server.close());

test('[P13.2] the holder is emailed at once and a day before, each with a link that keeps the account; guardians are notified at once', async () => {
  const ann = await deletions.family();
  await server.mailsTo(ann.email);
  await deletions.ask(ann.token);
  const deletes = new Date(server.clock.now().getTime() + 7 * day);
  const sentence = `Ann asked us to delete the account on ${dateInWords(deletes, 'UTC')}.`;
  expect(await deletions.subjectsTo(ann.email)).toContain(`Your account will be deleted on ${dayInWords(deletes, 'UTC')}`);
  expect((await server.mailsTo(ann.guardian.email))[0]?.text).toContain(sentence);
  expect(await deletions.logged(ann.token, 'deletion_asked')).toMatchObject([{ words: sentence }]);
  await deletions.pass(5 * day + 23 * hour);
  expect(await deletions.keepLinks(ann.email)).toHaveLength(1);
  await deletions.pass(2 * hour);
  expect(await deletions.subjectsTo(ann.email)).toContain('One day left to keep your account');
  const links = await deletions.keepLinks(ann.email);
  expect(new Set(links).size).toBe(2);
  await deletions.pass(20 * hour);
  expect(await deletions.keepLinks(ann.email)).toHaveLength(2);
  // The older link works as well.
  expect((await deletions.keep(String(links[0]))).status).toBe(200);
  expect(await deletions.deletesOf(ann.token)).toBeNull();
});

test.each([
  ['a press', ({ token }: { token: string; link: string }) => deletions.stop(token)],
  ['the link of the email, without a login', ({ link }: { token: string; link: string }) => deletions.keep(link)],
])('[P13.2] a deletion that was stopped by %s never happens, and that of another account does', async (_how, take) => {
  const [ann, eve] = [await deletions.family(), await deletions.family()];
  for (const { token } of [ann, eve]) await deletions.ask(token);
  await deletions.pass(3 * day);
  const [link = ''] = await deletions.keepLinks(ann.email);
  const sent = { token: ann.token, link };
  expect((await take(sent)).status).toBe(200);
  expect(await deletions.logged(ann.token, 'deletion_stopped')).toMatchObject([{ words: 'Ann stopped the deletion of the account.' }]);
  // Again is fine, and nothing more is logged.
  expect((await take(sent)).status).toBe(200);
  expect(await deletions.logged(ann.token, 'deletion_stopped')).toHaveLength(1);
  await deletions.pass(5 * day);
  expect([await deletions.exists(ann.email), await deletions.exists(eve.email)]).toEqual([true, false]);
  expect(await deletions.subjectsTo(ann.email)).not.toContain('One day left to keep your account');
});

test('stopping where nothing waits changes and logs nothing', async () => {
  const ann = await newcomer(server);
  expect((await deletions.stop(ann.token)).status).toBe(200);
  expect(await deletions.logged(ann.token, 'deletion_stopped')).toEqual([]);
});

test('a link that nobody sent, or of another purpose, is refused, and an old one as well, unless the deletion still waits', async () => {
  const ann = await person(server);
  await deletions.ask(ann.token);
  await server.call('POST /forgot-password', { body: { email: ann.email } });
  const reset = linkIn((await server.mailsTo(ann.email))[0], '/reset-password/');
  for (const token of ['x', reset]) expect(await deletions.keep(token)).toMatchObject({ status: 410, body: { code: 'link_invalid' } });
  expect(await deletions.deletesOf(ann.token)).not.toBeNull();
  const [link = ''] = await deletions.keepLinks(ann.email);
  // A server that was away for so long reminds the holder first.
  server.clock.turn(8 * day);
  expect((await deletions.keep(link)).status).toBe(200);
  expect(await deletions.deletesOf(ann.token)).toBeNull();
  await deletions.ask(ann.token);
  const [, newer = ''] = await deletions.keepLinks(ann.email);
  await deletions.stop(ann.token);
  await deletions.pass(8 * day);
  expect(await deletions.keep(newer)).toMatchObject({ status: 410, body: { code: 'link_expired' } });
  expect(await deletions.exists(ann.email)).toBe(true);
});

test('asking again answers the same date without another email or entry, and after a stop the seven days begin again', async () => {
  const ann = await deletions.family();
  const first = (await deletions.ask(ann.token)).body.deletes;
  await deletions.pass(2 * day);
  expect((await deletions.ask(ann.token)).body.deletes).toEqual(first);
  expect([(await deletions.keepLinks(ann.email)).length, (await deletions.logged(ann.token, 'deletion_asked')).length]).toEqual([1, 1]);
  await deletions.stop(ann.token);
  const second = (await deletions.ask(ann.token)).body.deletes;
  expect(second).toEqual(new Date(server.clock.now().getTime() + 7 * day).toISOString());
  // A job that was queued for the first one is about that one alone.
  await enqueuer(server.clock)(server.db, 'account_deletion', 'old', {
    account: await accountIdOf(server, ann.email),
    asked: new Date(server.clock.now().getTime() - 2 * day).toISOString(),
  });
  await deletions.pass(6 * day);
  expect(await deletions.exists(ann.email)).toBe(true);
  await deletions.pass(day + hour);
  expect(await deletions.exists(ann.email)).toBe(false);
});

test('with a wrong password, or none, nothing is asked', async () => {
  const ann = await newcomer(server);
  expect(await deletions.ask(ann.token, { current_password: 'wrong horse battery' })).toMatchObject({
    status: 400,
    body: { code: 'password_wrong' },
  });
  expect(await deletions.ask(ann.token, {})).toMatchObject({
    status: 422,
    body: { fields: [{ field: 'CurrentPassword', tag: 'required' }] },
  });
  expect(await deletions.deletesOf(ann.token)).toBeNull();
});

test('[P10.1] in an incident the deletion waits for a guardian’s yes, and a later no stops it', async () => {
  const ann = await incidentFamily(server);
  await ann.stops();
  const waitingReply = await deletions.ask(ann.token);
  expect(waitingReply).toMatchObject({ status: 409, body: { code: 'held', asked: ['Bob'] } });
  expect(await deletions.deletesOf(ann.token)).toBeNull();
  expect(await deletions.keepLinks(ann.email)).toEqual([]);
  expect((await ann.answer(waitingReply.body.request, 'yes')).status).toBe(200);
  expect((await deletions.ask(ann.token)).status).toBe(200);
  expect(await deletions.deletesOf(ann.token)).not.toBeNull();
  expect((await ann.answer(waitingReply.body.request, 'no')).status).toBe(200);
  expect(await deletions.deletesOf(ann.token)).toBeNull();
  await deletions.pass(8 * day);
  expect(await deletions.exists(ann.email)).toBe(true);
});

test('the emails have at most 60 words', () => {
  const facts = { name: 'Ann Example', url: 'https://x.example/keep', deletes: new Date('2026-12-03T12:00:00Z'), zone: 'UTC' };
  for (const write of [deletionAskedEmail, deletionReminderEmail]) expect(bodyWords(write(facts))).toBeLessThanOrEqual(60);
});

test('a stopped deletion no longer offers to keep the account in the activity log, and a new request does', async () => {
  const ann = await person(server);
  await deletions.ask(ann.token);
  await deletions.stop(ann.token);
  expect((await deletions.logged(ann.token, 'deletion_asked')).map(({ undo }) => undo)).toEqual([null]);
  server.clock.turn(hour);
  await deletions.ask(ann.token);
  expect((await deletions.logged(ann.token, 'deletion_asked')).map(({ undo }) => undo)).toEqual([{ way: 'keep_account' }, null]);
});
