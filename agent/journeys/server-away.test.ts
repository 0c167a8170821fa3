import { describe, expect, it } from 'vitest';
import { agentForTest, ended, linked, onDisk, serverForTest } from '../testing/agent.ts';
import { connect } from '../testing/browser.ts';
import { testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

describe('a device that was removed', () => {
  it('a 410 answer unlinks the device, which keeps ending remote-control programs', async () => {
    const { server, test } = await linked();
    server.setMood('removed');
    await until('the end of the link', async () => (await test.store.identity()) === null);
    expect((await test.status()).body).toEqual({ g: true, l: false, v: '1.2.3' });
    expect(test.logLines.join()).toContain('was removed from its account');
    await ended(test, test.os.start({ name: 'anydesk' }));
    expect(await onDisk(test)).toEqual([]);
    expect(server.sent).toEqual([]);
  });

  it('a removed device ends remote-control programs and no others after a restart', async () => {
    const { server, test } = await linked();
    server.setMood('removed');
    await until('the end of the link', async () => (await test.store.identity()) === null);
    await test.close();
    const restartedAgent = await agentForTest(server, { folder: test.folder });
    expect(restartedAgent.logLines.join()).toContain('was removed from its account');
    const otherProgram = restartedAgent.os.start({ name: 'firefox' });
    await ended(restartedAgent, restartedAgent.os.start({ name: 'anydesk' }));
    expect(restartedAgent.os.running).toContain(otherProgram);
    expect((await restartedAgent.status()).body).toMatchObject({ l: false });
  });

  it('a removed device can be linked again', async () => {
    const { server, test } = await linked();
    server.setMood('removed');
    await until('the end of the link', async () => (await test.store.identity()) === null);
    await connect(test, 'BCDE-FGHJ', { pin: testPin });
    expect((await test.status()).body).toMatchObject({ l: true });
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('the report', () => server.sent.length === 1);
  });
});

describe('while the server cannot be reached', () => {
  it('an offline device keeps protecting, and reports its detections later', async () => {
    const { server, test } = await linked();
    await server.down();
    for (const name of ['anydesk', 'rustdesk', 'anydesk']) await ended(test, test.os.start({ name }));
    await until('three on the disk', async () => (await onDisk(test)).length === 3);
    await server.listen();
    await until('three reports', () => server.detections.size === 3);
    await until('the disk to be empty', async () => (await onDisk(test)).length === 0);
    expect(server.sent).toHaveLength(3);
    await until('the good news', () => test.logLines.includes('The server can be reached again.'));
  });

  /** An agent that waits for at least eight minutes after each failure, and a detection that it could not report. */
  async function patientAgent() {
    const server = await serverForTest();
    const test = await agentForTest(server, { random: () => 1000 });
    await test.linked();
    await until('a check-in', () => server.checkIns.length > 0);
    server.setMood('failing');
    await until('the failed poll', () => test.logLines.some((sentence) => sentence.includes('cannot be reached')));
    test.os.start({ name: 'anydesk' });
    await until('the failed report', () => server.calls.includes('POST /agent/detections'));
    const checkInsBefore = server.checkIns.length;
    return { server, test, checkInsSince: () => server.checkIns.length - checkInsBefore };
  }

  it('the first report that reaches the server again also brings the changed policy and a check-in, without waiting', async () => {
    const { server, test, checkInsSince } = await patientAgent();
    server.setPolicy({ device_name: 'Desk' });
    server.setMood('well');
    expect([server.detections.size, checkInsSince()]).toEqual([0, 0]);
    await ended(test, test.os.start({ name: 'rustdesk' }));
    await until('both reports', () => server.detections.size === 2);
    await until('the changed policy', () => server.policy_in_force === server.policy.version);
    await until('the check-in', () => checkInsSince() >= 1);
  });

  it('the first check-in that reaches the server again also brings the detections of the outage, without waiting', async () => {
    const { server, test, checkInsSince } = await patientAgent();
    server.setMood('well');
    expect([server.detections.size, checkInsSince()]).toEqual([0, 0]);
    test.os.sleepCallbacks?.afterSleep();
    await until('the report', () => server.detections.size === 1);
    await until('the check-in', () => checkInsSince() >= 1);
  });

  it('a device that starts offline protects by its stored policy', async () => {
    const { server, test } = await linked();
    await test.close();
    await server.down();
    const restartedAgent = await agentForTest(server, { folder: test.folder });
    await ended(restartedAgent, restartedAgent.os.start({ name: 'anydesk' }));
    await until('the detection on the disk', async () => (await onDisk(restartedAgent)).length === 1);
  });

  it('an agent closes at once although a call to the server is pending', async () => {
    const { server, test } = await linked();
    server.setMood('silent');
    test.os.start({ name: 'anydesk' });
    await until('the report to be under way', () => server.calls.includes('POST /agent/detections'));
    const startedAt = performance.now();
    await test.close();
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(await onDisk(test)).toHaveLength(1);
  });
});
