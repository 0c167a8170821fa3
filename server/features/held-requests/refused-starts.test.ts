import { hour } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstHourFamily } from '../../testing/first-hour-family.ts';
import { answersIn, money, program, reportStarts, requestsOf } from '../../testing/reported-starts.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const family = () => firstHourFamily(server);
type Ann = Awaited<ReturnType<typeof family>>;
const reports = (ann: Ann, detections: object[]) => reportStarts(server, ann, detections);

describe('what people read after an answer', () => {
  const answered = async (ann: Ann, reply: 'yes' | 'no') =>
    (await server.mailsTo(ann.email)).filter(({ subject }) => subject.startsWith(`Bob said ${reply}`)).map(({ text }) => text);
  const nothing = /Nothing (has )?changed/;

  test('[P12.3] about a start is that it can run after a yes, and after a no that it ends, and not that nothing has changed', async () => {
    const ann = await family();
    await reports(ann, [program]);
    const [request] = await requestsOf(ann);
    await ann.answer(request?.uuid, 'yes');
    expect(await answered(ann, 'yes')).toEqual([expect.stringContaining('It can run now.')]);
    await ann.answer(request?.uuid, 'no');
    expect(await answered(ann, 'no')).toEqual([
      expect.stringContaining('We end it, and it can’t run for 24 hours. What it did before can’t be taken back.'),
    ]);
    expect((await answered(ann, 'no')).join()).not.toMatch(nothing);
    expect((await ann.call(`GET /web/requests/${request?.uuid}`)).body).toMatchObject({ because: 'Bob said no. It stays off.' });
  });

  test('[P12.6] about money pages is that they rest as long as there is a reason, and never that they stay stopped for a day', async () => {
    const ann = await family();
    await reports(ann, [money]);
    const [request] = await requestsOf(ann);
    await ann.answer(request?.uuid, 'no');
    expect(await answersIn(ann)).toEqual([]);
    const [text = ''] = await answered(ann, 'no');
    expect(text).toContain('Money pages rest while a stranger may be at the computer.');
    expect(text).not.toMatch(/24 hours|Nothing has changed/);
    expect((await ann.call(`GET /web/requests/${request?.uuid}`)).body).toMatchObject({
      because: 'Bob said no. Money pages rest while a stranger may be at the computer.',
    });
  });

  test('[P12.3] about a fourth start is that it cannot run without a yes, and not that it waits, since nobody is asked about it', async () => {
    const ann = await family();
    await reports(
      ann,
      [1, 2, 3, 4].map((n) => ({ ...program, identifier: `program-${n}`, name: `setup-${n}.exe` })),
    );
    const [mail] = await ann.mails(/setup-4.exe was blocked/);
    expect(mail?.text).toContain('It can’t run without a yes.');
    expect(mail?.text).not.toContain('It waits');
  });
});

describe('a new program that waits', () => {
  test.each([24, 30, 47, 72])(
    '[P12.3] and that nobody answered for, tried again %i hours later, is a question again, once',
    async (hours) => {
      const ann = await family();
      await reports(ann, [program]);
      server.clock.turn((hours - 1) * hour);
      if (hours === 24) await reports(ann, [program]);
      expect(await ann.mails(/BankSupport/)).toHaveLength(1);
      server.clock.turn(hour);
      for (const _try of [1, 2]) await reports(ann, [program]);
      expect(await ann.mails(/BankSupport/)).toHaveLength(2);
      const open = (await requestsOf(ann)).filter(({ state }) => state === 'open');
      expect(open).toHaveLength(1);
      await ann.answer(open[0]?.uuid, 'yes');
      expect(await answersIn(ann)).toEqual([['program-1', 'yes']]);
    },
  );

  test('[P12.3] tried again while a no is in force is no question, and is one again once the no is over', async () => {
    const ann = await family();
    await reports(ann, [program]);
    const [request] = await requestsOf(ann);
    server.clock.turn(23 * hour);
    await ann.answer(request?.uuid, 'yes');
    server.clock.turn(23 * hour);
    expect((await ann.answer(request?.uuid, 'no')).body).toMatchObject({ state: 'no' });
    server.clock.turn(23 * hour);
    await reports(ann, [program]);
    expect(await ann.mails(/Please answer.*BankSupport/)).toHaveLength(1);
    expect(await answersIn(ann)).toEqual([['program-1', 'no']]);
    server.clock.turn(hour);
    await reports(ann, [program]);
    expect(await ann.mails(/Please answer.*BankSupport/)).toHaveLength(2);
  });
});
