import { describe, expect, it } from 'vitest';
import { linkAtStart } from '../lifecycle/link-at-start.ts';
import { openStore } from '../state/store.ts';
import { agentForTest, serverForTest } from '../testing/agent.ts';
import { until } from '../testing/until.ts';

describe('a lost answer to an enrolment', () => {
  it('the agent requests a lost enrolment answer again with the same code, and the computer is linked', async () => {
    const server = await serverForTest();
    const test = await agentForTest(server);
    server.answersToDrop = 1;
    const logLines: string[] = [];
    await linkAtStart(test.agent, { code: 'ABCD-EFGH', free: true }, (sentence) => void logLines.push(sentence));
    expect(logLines).toEqual(['The server cannot be reached yet. Trying again until it can.']);
    expect((await test.store.identity())?.device.uuid).toBe(server.device);
    await until('the policy', () => test.store.policy());
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
  });

  it('the agent requests a lost enrolment answer again after a restart', async () => {
    const server = await serverForTest();
    const firstAgent = await agentForTest(server);
    server.answersToDrop = 1;
    await expect(firstAgent.agent.link.byCode('ABCD-EFGH')).rejects.toThrow();
    expect(await firstAgent.store.identity()).toBeNull();
    await firstAgent.close();
    const restartedAgent = await agentForTest(server, { folder: firstAgent.folder });
    await restartedAgent.agent.link.byCode('abcd efgh');
    expect((await (await openStore(firstAgent.folder)).identity())?.device.uuid).toBe(server.device);
  });

  it('the agent requests a lost enrolment answer again with the same link', async () => {
    const server = await serverForTest();
    const test = await agentForTest(server);
    const link = server.link({ code: 'ABCDEFGH' });
    server.answersToDrop = 1;
    await expect(test.agent.link.byLink(link)).rejects.toThrow();
    await test.agent.link.byLink(link);
    expect((await test.store.identity())?.device.uuid).toBe(server.device);
  });

  it('another computer with the same code is not linked', async () => {
    const server = await serverForTest();
    const [firstAgent, otherAgent] = [await agentForTest(server), await agentForTest(server)];
    server.answersToDrop = 1;
    await expect(firstAgent.agent.link.byCode('ABCD-EFGH')).rejects.toThrow();
    await expect(otherAgent.agent.link.byCode('ABCD-EFGH')).rejects.toMatchObject({ code: 'code_used' });
  });
});
