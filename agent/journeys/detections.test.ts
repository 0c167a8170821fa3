import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { minute } from '@porchlight/contract/time.ts';
import { newKeyPair } from '@porchlight/definitions/signature.ts';
import { describe, expect, it } from 'vitest';
import { agentForTest, ended, linked, onDisk, serverForTest } from '../testing/agent.ts';
import type { TestServer } from '../testing/server.ts';
import { until } from '../testing/until.ts';

async function changeInForce(server: TestServer, change: () => void): Promise<void> {
  const pollsBefore = server.polls();
  change();
  await until('the next poll', () => server.polls() > pollsBefore);
}
/** The agent has fetched what it must refuse, and polls again. */
async function changeRefused(server: TestServer, change: () => void): Promise<void> {
  const before = server.calls.length;
  change();
  await until('a poll after the fetch', () => {
    const calls = server.calls.slice(before);
    const fetched = calls.indexOf('GET /agent/policy');
    return fetched >= 0 && calls.slice(fetched).includes('POST /agent/changes');
  });
}

describe('an unlinked agent', () => {
  it('an unlinked agent blocks nothing, reports nothing and logs that it is idle', async () => {
    const server = await serverForTest();
    const test = await agentForTest(server);
    expect(test.logLines.join()).toContain('not linked yet');
    const process = test.os.start({ name: 'anydesk' });
    await new Promise(setImmediate);
    expect(test.os.running).toContain(process);
    expect(await onDisk(test)).toEqual([]);
    expect(test.os.opened).toEqual([]);
    expect(server.calls).toEqual(['GET /agent/server']);
  });

  it('linking ends a listed program that already runs', async () => {
    const server = await serverForTest();
    const test = await agentForTest(server);
    const process = test.os.start({ name: 'anydesk' });
    await test.linked();
    await ended(test, process);
    await until('the report', () => server.sent.length === 1);
  });

  it('a refused code does not link the computer', async () => {
    const { server, test } = await linked();
    await expect(test.agent.link.byCode('ABCD-EFGH')).rejects.toThrow('already been used');
    expect((await test.status()).body).toMatchObject({ l: true });
    expect(server.enrolled).toHaveLength(1);
  });
});

describe('a linked agent on Strict', () => {
  it('a listed program is ended, and its detection is stored until the server has it and reported once', async () => {
    const { server, test } = await linked();
    server.setMood('failing');
    const process = test.os.start({ name: 'AnyDesk', path: '/opt/AnyDesk' });
    await ended(test, process);
    await until('the detection on the disk', async () => (await onDisk(test)).length === 1);
    expect(server.sent).toEqual([]);
    const [remaining] = await test.store.queued();
    expect(remaining).toMatchObject({
      name: 'AnyDesk',
      identifier: 'anydesk',
      category: 'RemoteControl',
      details: '/opt/AnyDesk',
      blocked: true,
      why: 'name=anydesk',
    });
    // Written after the detection is stored, so that a crash in between loses a sentence and no detection.
    await until('the sentence', () => test.logLines.includes('Stopped AnyDesk.'));

    server.setMood('well');
    await until('the report', () => server.sent.length > 0);
    await until('the disk to be empty', async () => (await onDisk(test)).length === 0);
    expect(server.sent).toEqual([remaining]);
  });

  it('the window opens once when the same program is stopped repeatedly within ten minutes, and again later', async () => {
    const { server, test } = await linked();
    for (const [openedCount, wait] of [0, 4 * minute, 4 * minute].entries()) {
      test.clock.now = new Date(test.clock.now.getTime() + wait);
      await ended(test, test.os.start({ name: 'anydesk' }));
      await until('the report', () => server.sent.length === openedCount + 1);
    }
    expect(test.os.opened).toHaveLength(1);
    expect(test.os.opened[0]).toContain(`http://127.0.0.1:${test.agent.port}/ui/?t=`);

    test.clock.now = new Date(test.clock.now.getTime() + 2 * minute);
    test.os.start({ name: 'anydesk' });
    await until('the window', () => test.os.opened.length === 2);
    test.os.start({ name: 'rustdesk' });
    await until('the window for another program', () => test.os.opened.length === 3);
    await until('all reports', () => server.detections.size === 5);
  });

  it('a window address opens its page once, and an invented address opens nothing', async () => {
    const { test } = await linked();
    test.os.start({ name: 'anydesk' });
    const url = await until('the window', () => test.os.opened[0]);
    const firstAnswer = await fetch(url, { redirect: 'manual' });
    expect(firstAnswer.status).toBe(303);
    const cookie = firstAnswer.headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = `http://127.0.0.1:${test.agent.port}${firstAnswer.headers.get('location')}`;
    expect(await (await fetch(page, { headers: { cookie } })).text()).toContain('We stopped what looks like AnyDesk');
    expect((await fetch(page)).status).toBe(403);
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(403);
  });

  it('a program that cannot be ended is reported once, and again when it is ended later', async () => {
    const { server, test } = await linked();
    test.os.refusesToEnd = true;
    const process = test.os.start({ name: 'anydesk' });
    await until('the first report', () => server.sent.length === 1);
    expect(test.logLines).toContain('AnyDesk runs, and was not stopped.');
    let attempts = 0;
    const end = test.os.endTree;
    test.os.endTree = (target) => {
      attempts++;
      return end(target);
    };
    await until('two more tries', () => attempts >= 2);
    expect(server.sent.map(({ blocked }) => blocked)).toEqual([false]);

    test.os.refusesToEnd = false;
    await ended(test, process);
    await until('the second report', () => server.sent.length >= 2);
    const attemptsBefore = attempts;
    test.os.start({ name: 'anydesk' });
    await until('the report of another one', () => server.sent.length >= 3);
    expect(server.sent.map(({ blocked }) => blocked)).toEqual([false, true, true]);
    expect(attempts).toBe(attemptsBefore + 1);
  });

  it('A8: a detection is recorded while the program is suspended, and names the processes that could not be ended', async () => {
    const { server, test } = await linked();
    const killRecords = () => readdirSync(join(test.folder, 'begun')).length;
    const [end, written] = [test.os.endTree, [] as number[]];
    test.os.endTree = (target, callbacks) => {
      written.push(killRecords());
      const suspended = () => {
        callbacks?.suspended();
        written.push(killRecords());
      };
      return end(target, { suspended, remains: (paths) => callbacks?.remains(paths) });
    };
    test.os.remains = ['/usr/bin/rest', '/opt/anydesk'];
    test.os.start({ name: 'anydesk' });
    await until('the report', () => server.sent.length === 1);
    expect(server.sent[0]).toMatchObject({ blocked: false, details: '/opt/anydesk (still running: /usr/bin/rest)' });
    expect(written).toEqual([0, 1]);
    test.os.remains = [];
    test.os.start({ name: 'anydesk' });
    await until('the next report', () => server.sent.length === 2);
    expect(server.sent[1]).toMatchObject({ blocked: true, details: '/opt/anydesk' });
  });

  it('a program that takes long to end is reported once, however often it is observed meanwhile', async () => {
    const { server, test } = await linked();
    const end = test.os.endTree;
    const pendingEnds: (() => void)[] = [];
    test.os.endTree = async (target) => {
      await new Promise<void>((resolve) => pendingEnds.push(resolve));
      return end(target);
    };
    const process = test.os.start({ name: 'anydesk' });
    await changeInForce(server, () => server.setPolicy({}));
    await changeInForce(server, () => server.setDefinitions({}));
    for (const go of pendingEnds) go();
    await ended(test, process);
    test.os.endTree = end;
    await ended(test, test.os.start({ name: 'rustdesk' }));
    await until('the report of the next one', () => server.sent.some(({ identifier }) => identifier === 'rustdesk'));
    await until('the disk to be empty', async () => (await onDisk(test)).length === 0);
    expect(server.sent.map(({ identifier }) => identifier).sort()).toEqual(['anydesk', 'rustdesk']);
  });

  it('a program ended while the agent closes is still stored as a detection', async () => {
    const { server, test } = await linked();
    await server.down();
    test.os.start({ name: 'anydesk' });
    await test.close();
    expect(await onDisk(test)).toHaveLength(1);
  });

  it('a program that is on no list keeps running', async () => {
    const { server, test } = await linked();
    const benign = test.os.start({ name: 'firefox' });
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('the report', () => server.sent.length === 1);
    expect(test.os.running).toContain(benign);
  });
});

describe('the policy of a linked agent', () => {
  it('an allowed program runs until its allow-list entry expires', async () => {
    const { server, test } = await linked();
    const expiresAt = new Date(test.clock.now.getTime() + minute).toISOString();
    await changeInForce(server, () =>
      server.setPolicy({ allow: [{ type: 'definition', identifier: 'anydesk', until: expiresAt, reported_until: null }] }),
    );
    const allowedProgram = test.os.start({ name: 'anydesk' });
    await ended(test, test.os.start({ name: 'rustdesk' }));
    await until('the report', () => server.sent.length === 1);
    expect(server.sent[0]?.identifier).toBe('rustdesk');
    expect(test.os.running).toContain(allowedProgram);

    test.clock.now = new Date(test.clock.now.getTime() + 2 * minute);
    await ended(test, test.os.start({ name: 'anydesk' }));
  });

  it('a program is ended when its allow-list entry is removed', async () => {
    const { server, test } = await linked();
    await changeInForce(server, () =>
      server.setPolicy({ allow: [{ type: 'definition', identifier: 'anydesk', until: null, reported_until: null }] }),
    );
    const process = test.os.start({ name: 'anydesk' });
    server.setPolicy({ allow: [] });
    await ended(test, process);
  });

  it('the Permissive profile reports a likely match and does not end the program', async () => {
    const { server, test } = await linked();
    await changeInForce(server, () => server.setPolicy({ block_likely: false }));
    const process = test.os.start({ name: 'anydesk' });
    await until('the report', () => server.sent.length === 1);
    expect(server.sent[0]).toMatchObject({ blocked: false, certainty: 'likely' });
    expect(test.os.running).toContain(process);
    expect(test.os.opened).toHaveLength(1);
  });

  it('a policy is never replaced by an older one, by another device’s, or by one with another key', async () => {
    const { server, test } = await linked();
    const ignore = { RemoteControl: 'ignore', DeceptiveUtility: 'ignore', ScamWebsite: 'ignore' } as const;
    await changeInForce(server, () => server.setPolicy({ version: 5 }));
    const validPolicy = await test.store.policy();
    expect(validPolicy?.version).toBe(5);
    const attempts: (() => void)[] = [
      () => server.setPolicy({ version: 4, actions: ignore }),
      () => server.setPolicy({ version: 5 }),
      () => server.setPolicy({ version: 9 }, newKeyPair()),
      () => server.setPolicy({ version: 9 }, server.keys.definitions),
      () => server.setPolicy({ version: 9, device: '00000000-0000-4000-8000-000000000002' }),
    ];
    for (const attempt of attempts) {
      await changeRefused(server, attempt);
      expect(await test.store.policy()).toEqual(validPolicy);
      await ended(test, test.os.start({ name: 'anydesk' }));
    }
    await changeInForce(server, () => server.setPolicy({ version: 10, actions: ignore, device: server.device }));
    await until('the newer one', async () => (await test.store.policy())?.version === 10);
  });

  it('definitions are never replaced by an older set or by one with another key', async () => {
    const { server, test } = await linked();
    await changeInForce(server, () => server.setDefinitions({ version: 5 }));
    const knownDefinitions = server.definitions.definitions;
    const attempts: (() => void)[] = [
      () => server.setDefinitions({ version: 4, definitions: [] }),
      () => server.setDefinitions({ version: 9, definitions: [] }, newKeyPair()),
      () => server.setDefinitions({ version: 9, definitions: [] }, server.keys.policy),
    ];
    for (const attempt of attempts) {
      await changeRefused(server, attempt);
      expect((await test.store.definitions())?.version).toBe(5);
      await ended(test, test.os.start({ name: 'anydesk' }));
    }
    server.setDefinitions({ version: 10, definitions: knownDefinitions });
    await until('the newer set', async () => (await test.store.definitions())?.version === 10);
  });
});
