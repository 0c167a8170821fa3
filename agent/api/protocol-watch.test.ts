import { errors } from '@porchlight/contract/errors.ts';
import { describe, expect, it } from 'vitest';
import { agentForTest, ended, linked, serverForTest } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { until } from '../testing/until.ts';
import { caller } from './call.ts';
import { releaseKeyNow } from './keys.ts';

describe.each([
  ['a newer', 1, errors.agent_outdated.words],
  ['an older', -1, errors.server_outdated.words],
])('a server of %s protocol', (_which, step, words) => {
  it('is in the log once, and in the window until both have the same; protection and what waits to be reported stay', async () => {
    const { server, test } = await linked();
    const window = async () => (await browserOf(test)).page('settings');
    server.protocol += step;
    server.setPolicy({ device_name: 'Attic PC' });
    await until('the refusal', () => test.logLines.some((line) => line.startsWith(words)));
    expect(await window()).toContain(words);
    await ended(test, test.os.start({ name: 'anydesk' }));
    expect(server.sent).toEqual([]);
    server.protocol -= step;
    test.agent.showWindow();
    await until('the report', () => server.sent.length === 1, 30_000);
    expect(await window()).not.toContain(words);
    expect(test.logLines.filter((line) => line.startsWith(words))).toHaveLength(1);
  });

  it('links no computer, and the window says why', async () => {
    const server = await serverForTest();
    server.protocol += step;
    const test = await agentForTest(server);
    await expect(test.agent.link.byCode('ABCD-EFGH')).rejects.toThrow(words);
    expect((await (await browserOf(test)).press('link', { code: 'ABCD-EFGH' })).text).toContain(words);
  });

  it('gives the keys and the update', async () => {
    const { server, test } = await linked();
    server.protocol += step;
    const call = caller(server.url);
    expect(await call('GET /agent/update', {})).toEqual({ manifest: null });
    expect(await releaseKeyNow({ store: test.store, call, now: () => new Date() }, 'built in')).toBe('built in');
    expect(server.calls.at(-1)).toBe('GET /agent/keys');
  });
});
