import { describe, expect, it } from 'vitest';
import { linkAtStart } from '../lifecycle/link-at-start.ts';
import { openStore } from '../state/store.ts';
import { agentForTest, serverForTest } from '../testing/agent.ts';
import { until } from '../testing/until.ts';

describe('an answer to the enrolment that is lost', () => {
  it('a lost enrolment answer is asked for again with the same code, and the computer is linked', async () => {
    const server = await serverForTest();
    const test = await agentForTest(server);
    server.lost = 1;
    const said: string[] = [];
    await linkAtStart(test.agent, { code: 'ABCD-EFGH', free: true }, (sentence) => void said.push(sentence));
    expect(said).toEqual(['The server cannot be reached yet. Trying again until it can.']);
    expect((await test.store.identity())?.device.uuid).toBe(server.device);
    await until('the policy', () => test.store.policy());
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
  });

  it('a lost enrolment answer is asked for again after a restart', async () => {
    const server = await serverForTest();
    const before = await agentForTest(server);
    server.lost = 1;
    await expect(before.agent.link.byCode('ABCD-EFGH')).rejects.toThrow();
    expect(await before.store.identity()).toBeNull();
    await before.close();
    const after = await agentForTest(server, { folder: before.folder });
    await after.agent.link.byCode('abcd efgh');
    expect((await (await openStore(before.folder)).identity())?.device.uuid).toBe(server.device);
  });

  it('a lost enrolment answer is asked for again with the same link', async () => {
    const server = await serverForTest();
    const test = await agentForTest(server);
    const link = server.link({ code: 'ABCDEFGH' });
    server.lost = 1;
    await expect(test.agent.link.byLink(link)).rejects.toThrow();
    await test.agent.link.byLink(link);
    expect((await test.store.identity())?.device.uuid).toBe(server.device);
  });

  it('another computer with the same code gets nothing', async () => {
    const server = await serverForTest();
    const [ours, another] = [await agentForTest(server), await agentForTest(server)];
    server.lost = 1;
    await expect(ours.agent.link.byCode('ABCD-EFGH')).rejects.toThrow();
    await expect(another.agent.link.byCode('ABCD-EFGH')).rejects.toMatchObject({ code: 'code_used' });
  });
});
