import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { agentWithFilter } from '../testing/agent-with-filter.ts';
import { pageAt } from '../testing/block-page.ts';
import { browserOf } from '../testing/browser.ts';
import { ask, blockAll, filterForTest, queryFor, upstreamForTest } from '../testing/dns.ts';
import { until } from '../testing/until.ts';

const resting = { ...blockAll, money: { sites: ['smalltownbank.example'], open: ['coinbase.com'] } };

async function filter() {
  const upstream = await upstreamForTest();
  const started = await filterForTest([upstream.socketAddress], { rules: blockAll, page: { address: '127.0.0.1', port: 0 } });
  const address = async (name: string) => (await ask(started.socketAddress, queryFor(name))).addresses[0];
  return { ...started, address };
}

it('[P12.6] while money pages rest, the known banks and the account’s own get no address, exceptions and all others do, and it ends at once', async () => {
  const { take, address } = await filter();
  const names = ['www.chase.com', 'login.smalltownbank.example', 'www.coinbase.com', 'www.amazon.com', 'example.org'];
  const addresses = async () => Promise.all(names.map(address));
  const open = '192.0.2.1';
  expect(await addresses()).toEqual([open, open, open, open, open]);
  take({ kind: 'rules', rules: resting });
  const [chase, own, ...others] = await addresses();
  expect([chase === open, own === open, others]).toEqual([false, false, [open, open, open]]);
  take({ kind: 'rules', rules: blockAll });
  expect(await addresses()).toEqual([open, open, open, open, open]);
});

it('[P12.6] attempts to open money pages are reported once in ten minutes, by their kind and never by their name', async () => {
  const { take, address, tried } = await filter();
  take({ kind: 'rules', rules: resting });
  for (const name of ['www.chase.com', 'www.wellsfargo.com', 'smalltownbank.example']) await address(name);
  expect(tried).toEqual([{ site: 'money', blocked: true, definition: null, money: 'bank' }]);
});

it('[P12.6] a website on the allow list opens although it rests', async () => {
  const { take, address } = await filter();
  take({ kind: 'rules', rules: { ...resting, allow: [{ type: 'domain', identifier: 'chase.com', until: null, reported_until: null }] } });
  expect(await address('www.chase.com')).toBe('192.0.2.1');
  expect(await address('www.wellsfargo.com')).not.toBe('192.0.2.1');
});

it('[P12.6] the page in place of a bank over plain HTTP says why it rests and what to do, and names no scam', async () => {
  const { take, page } = await filter();
  take({ kind: 'rules', rules: resting });
  const text = await pageAt(page?.port ?? 0, 'www.chase.com');
  expect(text).toContain('Money pages are resting');
  expect(text).toContain('call the number on your card');
  expect(text).not.toMatch(/scam|steal|dangerous/i);
});

async function agentWithBank() {
  const started = await agentWithFilter();
  return { ...started, rests: (name = 'www.chase.com') => started.isClosed(name) };
}

it('[P12.6] the agent rests money pages while an incident is not answered, reports one try by its kind, and opens them after the answer', async () => {
  const { server, test, set, rests } = await agentWithBank();
  await set({});
  await until('the bank to open', async () => !(await rests()));
  await set({ money: { unanswered: true, sites: [], open: [] } });
  await until('the bank to rest', () => rests());
  expect(await rests('example.org')).toBe(false);
  await until('the report', () => server.detections.size === 1);
  expect([...server.detections.values()]).toMatchObject([
    { category: 'MoneySite', identifier: 'money-pages', name: 'A money page', details: 'bank', blocked: true },
  ]);
  expect(JSON.stringify([...server.detections.values()])).not.toContain('chase');
  await until('the window', () => test.os.opened.length > 0);
  const page = await (await browserOf(test)).page();
  expect(page).toContain('Money pages rest until Anna says it’s all right');
  expect(page).toContain('To reach your bank, call the number on your card.');
  expect(page).not.toMatch(/I asked for this|We blocked a website/);
  await set({});
  await until('the bank to open again', async () => !(await rests()));
});

it('[P12.6] the agent rests money pages while an allowed remote control runs that a person started, and not for a service that always runs', async () => {
  const { test, set, rests } = await agentWithBank();
  const allow = [{ type: 'definition' as const, identifier: 'anydesk', until: null, reported_until: null }];
  await set({}, { allow });
  test.os.startedByPath.set('/opt/service/anydesk', 'service_manager');
  test.os.start({ name: 'anydesk', path: '/opt/service/anydesk' });
  await until('the bank to open', async () => !(await rests()));
  test.os.start({ name: 'anydesk', path: '/opt/anydesk' });
  await until('the bank to rest', () => rests());
  const yes = { identifier: 'money-pages', answer: 'yes' as const, until: new Date(Date.now() + 3_600_000).toISOString() };
  await set({ answers: [yes] }, { allow });
  await until('the bank to open after a yes', async () => !(await rests()));
});

const teamviewer = { name: 'TeamViewer.exe', program: { os: 'windows', name: 'TeamViewer.exe', signer: 'TeamViewer GmbH' } } as const;
const appointmentWith = (money_pages: boolean) => ({
  issued: new Date().toISOString(),
  appointment: {
    ...{ uuid: randomUUID(), identifier: 'teamviewer', program: 'TeamViewer', by: 'Bob', money_pages },
    until: new Date(Date.now() + 3_600_000).toISOString(),
  },
});

it('[P15.1] opened with money pages, the program of an appointment does not rest them, and another remote control does', async () => {
  const { test, set, rests } = await agentWithBank();
  await set({}, { ...appointmentWith(true), allow: [{ type: 'definition', identifier: 'anydesk', until: null, reported_until: null }] });
  test.os.start(teamviewer);
  await until('the bank to open', async () => !(await rests()));
  test.os.start({ name: 'anydesk' });
  await until('the bank to rest', () => rests());
});

it('[P15.1] they rest while the program of an appointment runs that was opened without money pages', async () => {
  const { test, set, rests } = await agentWithBank();
  await set({}, appointmentWith(false));
  await until('the bank to open', async () => !(await rests()));
  test.os.start(teamviewer);
  await until('the bank to rest', () => rests());
});

it('[P15.3] a VNC viewer that is allowed closes no money page, and the same viewer does when it listens', async () => {
  const { test, set, rests } = await agentWithBank();
  await set({}, { allow: [{ type: 'definition', identifier: 'realvnc', until: null, reported_until: null }] });
  const program = { os: 'windows', name: 'vncviewer.exe', original_name: 'vncviewer.exe', company: 'RealVNC Ltd' } as const;
  const start = (...args: string[]) =>
    test.os.start({
      ...{ name: 'vncviewer.exe', path: 'C:\\Program Files\\RealVNC\\vncviewer.exe', program },
      command: { line: '', args, parents: [], pipeline: [] },
    });
  start('office::5900');
  await until('the bank to open', async () => !(await rests()));
  start('-listen');
  await until('the bank to rest', () => rests());
});
