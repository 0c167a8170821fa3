import { describe, expect, it } from 'vitest';
import { agentForTest, ended, linked, onDisk } from '../testing/agent.ts';
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
