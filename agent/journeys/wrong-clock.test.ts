import { day } from '@porchlight/contract/time.ts';
import { expect, it } from 'vitest';
import { agentForTest, ended, serverForTest, type TestAgent } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { ask, queryFor, unusedPort, upstreamForTest } from '../testing/dns.ts';
import { commandWithoutSystem } from '../testing/dns-command.ts';
import { until } from '../testing/until.ts';

const daysFromNow = (days: number) => new Date(Date.now() + days * day);
const clockAt = (days: number): TestAgent['clock'] => ({ now: daysFromNow(days), up: 1_000_000, boot: 'first' });
const noDefinitions = 'This computer can’t block anything yet: it has no list of known scam programs and sites.';

it.each([40, 380, 3000, -2500])(
  'a computer whose clock is wrong by %s days when it is linked ends AnyDesk and blocks its site at once, and says that the clock is wrong',
  async (days) => {
    const [network, own] = [await upstreamForTest(), { address: '127.0.0.1', port: await unusedPort() }];
    const server = await serverForTest();
    const test = await agentForTest(server, {
      clock: clockAt(days),
      sites: { command: commandWithoutSystem, own, page: null, system: false, upstream: [network.socketAddress] },
    });
    await test.agent.link.byCode('ABCD-EFGH');
    await ended(test, test.os.start({ name: 'anydesk' }));
    const answer = async () => (await ask(own, queryFor('go.anydesk.com'), 200).catch(() => null))?.addresses[0];
    await until('the block of the site', async () => (await answer()) === '0.0.0.0');
    const sentence = `The clock of this computer is wrong by about ${Math.abs(days).toLocaleString('en-US')} days. Set its date and time.`;
    test.agent.showWindow();
    await until('the window', () => test.os.opened[0]);
    const { page } = await browserOf(test);
    expect(await page()).toContain(sentence);
    expect(test.logLines.join()).not.toContain('cannot follow');
    await until('the report', () => server.problems.includes(sentence));
    await until('the report that it has definitions', () => server.info && !server.info.no_definitions);
    test.clock.now = new Date();
    expect(await page()).not.toContain(sentence);
  },
);

/** A server whose keys are 100 days old, and that offers a set of so many days ago. */
async function serverWithSet(days: number) {
  const server = await serverForTest(daysFromNow(-100));
  const offer = (version: number, issued: Date) =>
    server.offer(server.feed.publish({ version, definitions: server.definitions.definitions }, server.feed.signing(), { issued }));
  offer(1, daysFromNow(-days));
  return { server, offer };
}
const isRefused = (test: TestAgent) => until('the refusal', () => test.logLines.some((line) => line.includes('they are out of date')));

it.each([0, 40, -60])(
  'with a clock that is wrong by %s days an outdated set is refused, and the computer says that it blocks nothing',
  async (days) => {
    const { server } = await serverWithSet(45);
    const test = await agentForTest(server, { clock: clockAt(days) });
    await test.agent.link.byCode('ABCD-EFGH');
    await isRefused(test);
    expect(await test.store.definitions()).toBeNull();
    test.agent.showWindow();
    await until('the window', () => test.os.opened[0]);
    expect(await (await browserOf(test)).page()).toContain(noDefinitions);
    await until('the report', () => server.info?.no_definitions);
  },
);

it('neither a clock that the network sets back nor a replayed policy makes an outdated set a newer one', async () => {
  const { server, offer } = await serverWithSet(0);
  const test = await agentForTest(server);
  await test.linked();
  test.clock.now = daysFromNow(-40);
  server.setPolicy({ issued: daysFromNow(-40).toISOString() });
  offer(9, daysFromNow(-45));
  await isRefused(test);
  expect((await test.store.definitions())?.version).not.toBe(9);
});
