import { hour } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { after } from '../../lib/clock.ts';
import { firstHourFamily } from '../../testing/first-hour-family.ts';
import { answersIn, command, money, program, reportStarts, requestsOf } from '../../testing/reported-starts.ts';
import { statementsOf } from '../../testing/statements.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const family = (options?: { guardian?: boolean; proven?: boolean }) => firstHourFamily(server, options);
type Ann = Awaited<ReturnType<typeof family>>;
const reports = (ann: Ann, detections: object[]) => reportStarts(server, ann, detections);

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

describe('a new program that waits', () => {
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
