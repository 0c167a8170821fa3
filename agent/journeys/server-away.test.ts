import { describe, expect, it } from 'vitest';
import { agentForTest, ended, linked, onDisk } from '../testing/agent.ts';
import { connect } from '../testing/browser.ts';
import { testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

describe('a device that was removed', () => {
  it('a 410 answer unlinks the device, which keeps ending remote control', async () => {
    const { server, test } = await linked();
    server.be('removed');
    await until('the end of the link', async () => (await test.store.identity()) === null);
    expect((await test.status()).body).toEqual({ g: true, l: false, v: '1.2.3' });
    expect(test.said.join()).toContain('was removed from its account');
    await ended(test, test.os.start({ name: 'anydesk' }));
    expect(await onDisk(test)).toEqual([]);
    expect(server.sent).toEqual([]);
  });

  it('a removed device ends remote control and nothing else after a restart', async () => {
    const { server, test } = await linked();
    server.be('removed');
    await until('the end of the link', async () => (await test.store.identity()) === null);
    await test.close();
    const again = await agentForTest(server, { folder: test.folder });
    expect(again.said.join()).toContain('was removed from its account');
    const other = again.os.start({ name: 'firefox' });
    await ended(again, again.os.start({ name: 'anydesk' }));
    expect(again.os.running).toContain(other);
    expect((await again.status()).body).toMatchObject({ l: false });
  });

  it('a removed device can be linked again', async () => {
    const { server, test } = await linked();
    server.be('removed');
    await until('the end of the link', async () => (await test.store.identity()) === null);
    await connect(test, 'BCDE-FGHJ', { pin: testPin });
    expect((await test.status()).body).toMatchObject({ l: true });
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('the report', () => server.sent.length === 1);
  });
});

describe('while the server cannot be reached', () => {
  it('an offline device keeps protecting, and reports everything later', async () => {
    const { server, test } = await linked();
    await server.down();
    for (const name of ['anydesk', 'rustdesk', 'anydesk']) await ended(test, test.os.start({ name }));
    await until('three on the disk', async () => (await onDisk(test)).length === 3);
    await server.listen();
    await until('three reports', () => server.detections.size === 3);
    await until('the disk to be empty', async () => (await onDisk(test)).length === 0);
    expect(server.sent).toHaveLength(3);
    await until('the good news', () => test.said.includes('The server can be reached again.'));
  });

  it('a device that starts offline protects by its stored policy', async () => {
    const { server, test } = await linked();
    await test.close();
    await server.down();
    const again = await agentForTest(server, { folder: test.folder });
    await ended(again, again.os.start({ name: 'anydesk' }));
    await until('the detection on the disk', async () => (await onDisk(again)).length === 1);
  });

  it('an agent closes at once during a call', async () => {
    const { server, test } = await linked();
    server.be('silent');
    test.os.start({ name: 'anydesk' });
    await until('the report to be under way', () => server.calls.includes('POST /agent/detections'));
    const begun = performance.now();
    await test.close();
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(await onDisk(test)).toHaveLength(1);
  });
});
