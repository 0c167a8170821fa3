import { expect, it } from 'vitest';
import { agentForTest, ended, serverForTest } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { proxyForTest } from '../testing/proxy.ts';
import { until } from '../testing/until.ts';

const page = (status: number) => ({ status, type: 'text/html' as const, body: `<html><h1>${status}</h1></html>` });
const json = (status: number, body: object) => ({ status, type: 'application/json' as const, body: JSON.stringify(body) });
const ourRefusal = { error: 'You are not known here.', request_id: 'test' };

async function linkedThrough() {
  const server = await serverForTest();
  const proxy = await proxyForTest(server);
  const test = await agentForTest(server, { server: proxy.url });
  await test.linked();
  return { server, between: proxy, test };
}

for (const [sender, answer] of Object.entries({
  'a 401 of a proxy': page(401),
  'a 410 of a proxy': page(410),
  'a 401 in JSON of a gateway': json(401, { message: 'Unauthorized' }),
  'a 401 in JSON with half of our words': json(401, { code: 'unauthorized', message: 'Unauthorized' }),
  'a 410 with the words of another refusal': json(410, { ...ourRefusal, code: 'code_expired' }),
  'our word with a status that is not its own': json(403, { ...ourRefusal, code: 'device_removed' }),
  'a body that is no object': { ...json(401, {}), body: 'null' },
})) {
  it(`a device stays linked whatever a proxy answers: ${sender}`, async () => {
    const { server, between, test } = await linkedThrough();
    between.override = () => answer;
    // Ends the pending long poll, so that the next polls reach the proxy.
    server.setPolicy({});
    await until('the proxy to answer', () => between.overridden > 3);
    server.setPolicy({ device_name: 'Den PC' });
    between.override = () => null;
    await until('contact', async () => (await test.store.policy())?.device_name === 'Den PC');
    expect(await test.store.identity()).not.toBeNull();
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('the report', () => server.sent.length === 1);
    expect(test.logLines.join()).not.toContain('does not recognize this device');
    expect((await test.status()).body).toEqual({ g: false, l: true, v: '1.2.3' });
  });
}

it("[P3.6] our server's answer that a device was removed unlinks the device, also through a proxy", async () => {
  const { server, test } = await linkedThrough();
  server.setMood('removed');
  await until('the end of the link', async () => (await test.store.identity()) === null);
  expect(test.logLines.join()).toContain('was removed from its account');
});

it('[P10.9] a proxy that strips the token unlinks no device: the policy stays in force, and polling resumes without the proxy', async () => {
  const { server, between, test } = await linkedThrough();
  between.strip = ['authorization'];
  server.setPolicy({});
  await until('the server to say so', () =>
    test.logLines.some((sentence) => sentence.includes('does not recognize this device right now')),
  );
  const anydesk = test.os.start({ name: 'anydesk' });
  await ended(test, anydesk);
  const browser = await browserOf(test);
  await until('the family on the screen', async () => (await browser.page()).includes('Call Anna'));
  const page = await browser.page();
  expect(page).toContain('does not recognize this computer right now');
  expect(page).toContain('24 hours');
  expect(await test.store.identity()).not.toBeNull();
  between.strip = [];
  await until('the report', () => server.sent.length === 1);
  await until('it to be known', () => test.logLines.includes('The server recognizes this device again.'));
  expect(await browser.page()).not.toContain('does not recognize this computer');
  expect((await test.status()).body).toEqual({ g: false, l: true, v: '1.2.3' });
});
