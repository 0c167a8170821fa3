import { randomUUID } from 'node:crypto';
import { hour } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { after } from '../../lib/clock.ts';
import { firstHourFamily } from '../../testing/first-hour-family.ts';
import { statementsOf } from '../../testing/statements.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const family = (options?: { guardian?: boolean; proven?: boolean }) => firstHourFamily(server, options);
type Ann = Awaited<ReturnType<typeof family>>;

const command = { category: 'PastedCommand', identifier: 'command-1', name: 'A pasted PowerShell command', details: 'evil.example' };
const program = {
  category: 'NewProgram',
  identifier: 'program-1',
  name: 'BankSupport.exe',
  details: 'C:\\Users\\Ann\\Downloads\\BankSupport.exe',
};
const money = { category: 'MoneySite', identifier: 'money-pages', name: 'A money page', details: 'bank' };

const reports = ({ device }: Ann, detections: object[]) =>
  server.call('POST /agent/detections', {
    token: device.agent,
    body: {
      detections: detections.map((one) => {
        return {
          uuid: randomUUID(),
          time: server.clock.now().toISOString(),
          blocked: true,
          certainty: 'certain',
          why: '',
          start: 'person',
          ...one,
        };
      }),
    },
  });
const requestsOf = async (ann: Ann) =>
  (await ann.asBob('GET /guardian/:id')).body.requests as unknown as { uuid: string; state: string; wants: string[]; because: string }[];
const answersIn = async (ann: Ann) => (await ann.policy()).unlisted.answers.map(({ identifier, answer }) => [identifier, answer]);

describe('a pasted command that waits', () => {
  test('[P12.4] opens an incident, which escalation, and is one question to the guardians and one alert, however often it is tried', async () => {
    const ann = await family();
    for (const _try of [1, 2, 3]) await reports(ann, [command]);
    expect(await ann.incidents()).toMatchObject([{ opener: 'pasted_command', state: 'open' }]);
    expect(await requestsOf(ann)).toMatchObject([
      { state: 'open', wants: ['Someone at Den PC wants to run a pasted PowerShell command.'] },
    ]);
    const subjects = (await ann.mails(/pasted/i)).map(({ subject }) => subject);
    expect(subjects.toSorted()).toEqual([
      'Ann may need you: A pasted PowerShell command was blocked on Den PC',
      'Please answer: someone at Den PC wants to run a pasted PowerShell command',
    ]);
    const [incident] = await ann.incidents();
    expect((await ann.call(`GET /web/incidents/${incident?.uuid}`)).body.escalation).toMatchObject({ state: 'running' });
  });

  test('[P12.4] goes on after a yes for this command alone, which ends after an hour', async () => {
    const ann = await family();
    await reports(ann, [command, { ...command, identifier: 'command-2' }]);
    const requests = await requestsOf(ann);
    expect(requests).toHaveLength(2);
    const { version } = await ann.policy();
    expect((await ann.answer(requests.at(-1)?.uuid, 'yes')).body).toMatchObject({ state: 'done' });
    const policy = await ann.policy();
    expect(policy.version).toBeGreaterThan(version);
    expect(policy.unlisted.answers).toHaveLength(1);
    expect(policy.unlisted.answers[0]).toMatchObject({ answer: 'yes', until: after(server.clock.now(), hour).toISOString() });
    server.clock.turn(hour);
    expect(await answersIn(ann)).toEqual([]);
  });

  test('[P12.4] ends after a no, which is still a no for a day, also after a yes, and nothing claims that what ran was taken back', async () => {
    const ann = await family();
    await reports(ann, [command]);
    const [request] = await requestsOf(ann);
    await ann.answer(request?.uuid, 'yes');
    expect((await ann.answer(request?.uuid, 'no')).body).toMatchObject({ state: 'no' });
    expect(await answersIn(ann)).toEqual([['command-1', 'no']]);
    expect((await ann.mails(/said no/i)).map(({ text }) => text).join()).not.toContain('took it back');
    server.clock.turn(23 * hour);
    expect(await answersIn(ann)).toEqual([['command-1', 'no']]);
    server.clock.turn(hour);
    expect(await answersIn(ann)).toEqual([]);
  });

  test('[P12.4] is an alert without a question where the profile only reports it, and opens an incident as well', async () => {
    const ann = await family();
    await ann.weaker();
    await reports(ann, [{ ...command, blocked: false }]);
    expect(await requestsOf(ann)).toEqual([]);
    expect(await ann.incidents()).toMatchObject([{ opener: 'pasted_command' }]);
    expect(await ann.mails(/pasted/i)).toMatchObject([{ subject: 'Call Ann now: A pasted PowerShell command was not blocked on Den PC' }]);
  });

  test('[P10.2] cannot be answered by the holder, who sits at that computer, nor by a guardian of less than three days', async () => {
    const ann = await family({ proven: false });
    await reports(ann, [command]);
    const [request] = await requestsOf(ann);
    await ann.password();
    expect((await ann.call(`POST /web/requests/${request?.uuid}`, { answer: 'yes' })).body).toMatchObject({ code: 'may_not_answer' });
    expect((await ann.answer(request?.uuid, 'yes')).body).toMatchObject({ code: 'may_not_answer' });
    expect(await answersIn(ann)).toEqual([]);
  });

  test('[P10.1] beyond the third that waits is an alert without a question', async () => {
    const ann = await family();
    await reports(
      ann,
      [1, 2, 3, 4, 5].map((n) => ({ ...program, identifier: `program-${n}`, name: `setup-${n}.exe` })),
    );
    expect(await requestsOf(ann)).toHaveLength(3);
    expect((await ann.mails(/was blocked/)).map(({ subject }) => subject).toSorted()).toEqual([
      'Ann may need you: setup-4.exe was blocked on Den PC',
      'Ann may need you: setup-5.exe was blocked on Den PC',
    ]);
  });

  test('[P12.4] a report of 100 tries needs as many statements for questions as a report of one', async () => {
    const [one, many] = [await family(), await family()];
    const questions = async (ann: Ann, n: number) => {
      const tries = Array.from({ length: n }, () => command);
      await server.app.worker.idle();
      // The escalation reads the answers to questions in a job of its own, which both counts have whole.
      const statements = await statementsOf(async () => {
        expect((await reports(ann, tries)).status).toBe(200);
        await server.app.worker.idle();
      });
      return statements.filter(({ text }) => text.includes('from "held_requests"')).length;
    };
    expect(await questions(many, 100)).toBe(await questions(one, 1));
  });
});

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

  test('[P12.3] beyond the third that waits says of nothing that it waits, since nobody is asked about it', async () => {
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

  test('[P12.3] is one question to the guardians and no alert, opens no incident, and belongs to an open one', async () => {
    const ann = await family();
    await reports(ann, [program]);
    expect(await ann.incidents()).toEqual([]);
    expect((await ann.mails(/BankSupport/)).map(({ subject }) => subject)).toEqual([
      'Please answer: someone at Den PC wants to run BankSupport.exe',
    ]);
    await ann.stops();
    await reports(ann, [{ ...program, identifier: 'program-2', name: 'Second.exe' }]);
    const [incident] = await ann.incidents();
    const page = (await ann.call(`GET /web/incidents/${incident?.uuid}`)).body as unknown as { requests: { wants: string[] }[] };
    expect(page.requests.map(({ wants }) => wants)).toEqual([['Someone at Den PC wants to run Second.exe.']]);
  });

  test('[P12.3] waits at all times only where somebody can say yes', async () => {
    const [ann, alone] = [await family(), await family({ guardian: false })];
    for (const { call } of [ann, alone]) await call('PATCH /web/unlisted-protection', { new_programs: 'always' });
    expect([(await ann.policy()).unlisted.new_programs, (await alone.policy()).unlisted.new_programs]).toEqual(['always', 'incident']);
  });
});

describe('money pages', () => {
  const unanswered = async (ann: Ann) => (await ann.policy()).unlisted.money?.unanswered;

  test('[P12.6] rest while an incident is open at this device, until a guardian who may answer is on it', async () => {
    const ann = await family();
    expect(await unanswered(ann)).toBe(false);
    await ann.stops();
    expect(await unanswered(ann)).toBe(true);
    const [incident] = await ann.incidents();
    const { version } = await ann.policy();
    await ann.call(`POST /web/incidents/${incident?.uuid}`, { answer: 'mine' });
    await ann.call(`POST /web/incidents/${incident?.uuid}`, { answer: 'on_it' });
    expect(await unanswered(ann)).toBe(true);
    expect((await ann.policy()).version).toBe(version);
    await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'on_it' });
    const policy = await ann.policy();
    expect(policy.unlisted.money?.unanswered).toBe(false);
    expect(policy.version).toBeGreaterThan(version);
  });

  test('[P12.6] rest again when the incident opens again, and not once it is over', async () => {
    const ann = await family();
    await ann.stops();
    const [incident] = await ann.incidents();
    const byBob = (answer: string) => ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer });
    await byBob('on_it');
    await byBob('over');
    server.clock.turn(48 * hour);
    expect(await unanswered(ann)).toBe(false);
    await ann.stops();
    expect(await ann.incidents()).toMatchObject([{ uuid: incident?.uuid, state: 'open' }]);
    expect(await unanswered(ann)).toBe(true);
    await byBob('over');
    expect(await unanswered(ann)).toBe(false);
  });

  test('[P12.6] that somebody tried to open are a question; a yes opens them for an hour, and a no after it closes them at once', async () => {
    const ann = await family();
    await reports(ann, [money]);
    const [request] = await requestsOf(ann);
    expect(request).toMatchObject({
      wants: ['Someone at Den PC wants to open bank and money pages.'],
      because: 'Money pages rest while a stranger may be at the computer.',
    });
    expect((await ann.mails(/money page/)).map(({ subject }) => subject)).toEqual([
      'Please answer: someone at Den PC wants to open bank and money pages',
    ]);
    await ann.answer(request?.uuid, 'yes');
    expect(await answersIn(ann)).toEqual([['money-pages', 'yes']]);
    expect((await ann.answer(request?.uuid, 'no')).body).toMatchObject({ state: 'undone' });
    expect(await answersIn(ann)).toEqual([]);
  });

  test('[P10.6] stay closed in an emergency stop, also after a yes', async () => {
    const ann = await family();
    await ann.stops();
    await reports(ann, [money]);
    const request = (await requestsOf(ann)).find(({ wants }) => wants[0]?.includes('money'));
    await ann.answer(request?.uuid, 'yes');
    expect(await answersIn(ann)).toEqual([['money-pages', 'yes']]);
    await ann.asBob('POST /guardian/:id/stop', {});
    expect(await answersIn(ann)).toEqual([]);
  });
});

test('[P9.3] the time line of an incident says of each thing that is on no list what was done, in words of its own', async () => {
  const ann = await family();
  await ann.stops();
  server.clock.turn(60_000);
  const door = { category: 'Door', identifier: 'door-remote-desktop', name: 'Remote Desktop', details: '' };
  const administrator = {
    category: 'Door',
    identifier: 'door-administrator',
    name: 'A new administrator',
    details: 'helper',
    blocked: false,
  };
  await reports(ann, [command, money, door, administrator]);
  const [incident] = await ann.incidents();
  const { events } = (await ann.call(`GET /web/incidents/${incident?.uuid}`)).body as unknown as {
    events: { kind: string; words: string }[];
  };
  expect(
    events
      .filter(({ kind }) => kind === 'detection')
      .map(({ words }) => words)
      .toSorted(),
  ).toEqual([
    'Money pages rested.',
    'Someone opened a way in: a new administrator.',
    'We closed it again: Remote Desktop.',
    'We stopped AnyDesk.',
    'We stopped a pasted PowerShell command.',
  ]);
  const mail = (await ann.mails(/Remote Desktop/))[0];
  expect(mail?.subject).toBe('Ann may need you: Remote Desktop was blocked on Den PC');
  expect(mail?.text).toContain('Someone opened a way into Den PC: Remote Desktop at');
  expect(mail?.text).toContain('We closed it again.');
});
