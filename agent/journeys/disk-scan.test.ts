import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { fakeOs } from '../os/fake/fake.ts';
import { linuxListing } from '../os/linux/listing/listing.ts';
import { agentForTest, ended, serverForTest, temporaryFolder } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const line = '@reboot /home/ann/anydesk --tray';
const files: Record<string, string> = {
  'etc/passwd': 'ann:x:1000:1000::/home/ann:/bin/sh\n',
  'var/lib/dpkg/status': 'Package: teamviewer\nStatus: install ok installed\nMaintainer: TeamViewer GmbH <x@y>\nVersion: 15\n',
  'etc/systemd/system/anydesk.service': '[Service]\nExecStart=/usr/bin/anydesk --service\n',
  'var/spool/cron/crontabs/ann': `# mine\n${line}\n`,
  'home/ann/Downloads/anydesk': '\x7fELF',
  'home/ann/Downloads/letter.txt': 'mine',
};

async function computer() {
  const root = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content, 'latin1');
  }
  await chmod(join(root, 'home/ann/Downloads/anydesk'), 0o751);
  const os = fakeOs();
  os.services.set('anydesk.service', { running: true, enabled: true });
  os.listing = () => linuxListing(root, 0);
  const at = (path: string) => join(root, path);
  const there = (path: string) =>
    stat(at(path)).then(
      () => true,
      () => false,
    );
  return { os, at, there, tab: () => readFile(at('var/spool/cron/crontabs/ann'), 'utf8') };
}

async function agentOn(os: Awaited<ReturnType<typeof computer>>['os'], overrides: Parameters<typeof agentForTest>[1] = {}) {
  const [server, folder] = [await serverForTest(), await temporaryFolder()];
  const test = await agentForTest(server, { os, folder, quarantineFolder: join(folder, 'kept'), ...overrides });
  return { server, test };
}
const download = (path: string) => `downloads ${path}`;

it('[P4.1, P5.3] linking quarantines the listed programs already on the disk and sends one scan report', async () => {
  const { os, at, there, tab } = await computer();
  const { server, test } = await agentOn(os);
  expect([await there('home/ann/Downloads/anydesk'), os.services.get('anydesk.service')?.running]).toEqual([true, true]);
  await test.linked();
  await until('the report', () => server.scans.length > 0);

  expect([await there('home/ann/Downloads/anydesk'), await there('home/ann/Downloads/letter.txt'), await tab()]).toEqual([
    false,
    true,
    '# mine\n',
  ]);
  expect(os.services.get('anydesk.service')).toEqual({ running: false, enabled: false });
  expect(server.scans).toHaveLength(1);
  expect(server.scans[0]?.items.map(({ kind, identifier, did, blocked }) => [kind, identifier, did, blocked])).toEqual([
    ['services', 'anydesk', 'stopped', true],
    ['start_up', 'anydesk', 'start_up_removed', true],
    ['programs', 'teamviewer', 'kept_from_running', true],
    ['downloads', 'anydesk', 'put_away', true],
  ]);
  expect(server.scans[0]?.items[3]?.details).toBe(at('home/ann/Downloads/anydesk'));
  expect(server.sent).toEqual([]);
  expect(test.logLines).toContain('Found on this computer: AnyDesk, TeamViewer.');

  const window = await browserOf(test);
  expect(await window.page()).toContain('We checked what’s on this computer, and found');
  const page = await window.page('found');
  for (const messages of ['We put it away where nobody can start it.', 'It is still installed.', 'We keep what we put away for 30 days.']) {
    expect(page).toContain(messages);
  }
});

it('[P4.1] a quarantined file is restored only with the PIN and is not quarantined again, and the guardians are notified', async () => {
  const { os, at, there } = await computer();
  const { server, test } = await agentOn(os);
  await test.linked();
  await until('the report', () => server.scans.length > 0);
  const window = await browserOf(test);
  const entry = download(at('home/ann/Downloads/anydesk'));
  expect((await window.press('found', { entry })).text).toContain('That is not the PIN.');
  expect((await window.press('found', { entry, pin: '000000' })).text).toContain('That is not the PIN.');
  expect(await there('home/ann/Downloads/anydesk')).toBe(false);

  await window.press('found', { entry, pin: testPin });
  const { mode } = await stat(at('home/ann/Downloads/anydesk'));
  expect([mode & 0o7777, await readFile(at('home/ann/Downloads/anydesk'), 'latin1')]).toEqual([0o751, '\x7fELF']);
  await until('the event', () => server.events.some(({ reported }) => reported.kind === 'asked'));
  await writeFile(at('home/ann/Downloads/TeamViewer'), '\x7fELF', 'latin1');
  server.setPolicy({ relatives: ['Anna', 'Ben'] });
  server.setPolicy({ actions: { ...server.policy.actions, ScamWebsite: 'alert' } });
  await until('the second report', () => server.scans.length > 1);
  expect(server.scans[1]?.items.map(({ details }) => details)).toEqual([at('home/ann/Downloads/TeamViewer')]);
  expect(await there('home/ann/Downloads/anydesk')).toBe(true);
});

it('[1.2, P4.1] the free plan quarantines remote-control programs on the disk, reports nothing, and restores them without a PIN', async () => {
  const { os, at, there } = await computer();
  await writeFile(at('home/ann/Downloads/Reimage.exe'), 'MZ');
  const { server, test } = await agentOn(os, { freeAgent: true });
  await until('the look', () => test.logLines.some((sentences) => sentences.startsWith('Found on this computer')));
  expect([await there('home/ann/Downloads/anydesk'), await there('home/ann/Downloads/Reimage.exe')]).toEqual([false, true]);
  const window = await browserOf(test);
  await window.press('found', { entry: download(at('home/ann/Downloads/anydesk')) });
  expect(await there('home/ann/Downloads/anydesk')).toBe(true);
  expect([server.scans, server.events]).toEqual([[], []]);
});

it('the Permissive profile reports the listed programs on the disk and leaves them there', async () => {
  const { os, there } = await computer();
  const { server, test } = await agentOn(os);
  server.setPolicy({ actions: { RemoteControl: 'alert', DeceptiveUtility: 'alert', ScamWebsite: 'block' }, block_likely: false });
  await test.linked();
  await until('the report', () => server.scans.length > 0);
  expect(new Set(server.scans[0]?.items.map(({ did, blocked }) => `${did} ${blocked}`))).toEqual(new Set(['reported false']));
  expect([await there('home/ann/Downloads/anydesk'), os.services.get('anydesk.service')?.running]).toEqual([true, true]);
});

it('[P4.5] a scan report that could not be sent is stored, and sent once after the next start', async () => {
  const { os } = await computer();
  const { server, test } = await agentOn(os);
  const originalListing = os.listing;
  const gate = Promise.withResolvers<void>();
  os.listing = (guard) => gate.promise.then(() => originalListing(guard));
  await test.linked();
  await server.down();
  gate.resolve();
  await until('the look', () => test.logLines.some((sentences) => sentences.startsWith('Found on this computer')));
  await test.close();
  await server.listen();
  await agentForTest(server, { os, folder: test.folder, quarantineFolder: join(test.folder, 'kept') });
  await until('the report', () => server.scans.length > 0);
  await until(
    'the disk to be empty',
    async () => !(await readFile(join(test.folder, 'kept/looks/notes.json'), 'utf8')).includes('"device"'),
  );
  expect(server.scans).toHaveLength(1);
});

it('an agent started by hand touches nothing on the disk', async () => {
  const { os, there } = await computer();
  const { server, test } = await agentOn(os, { quarantineFolder: null });
  await test.linked();
  expect([await there('home/ann/Downloads/anydesk'), os.services.get('anydesk.service')?.running, server.scans]).toEqual([true, true, []]);
});

it('[P4.4] a user who blocks the recovery of an interrupted quarantine does not delay protection', async () => {
  const [server, folder, os] = [await serverForTest(), await temporaryFolder(), fakeOs()];
  const quarantineFolder = join(folder, 'kept/quarantine');
  await mkdir(quarantineFolder, { recursive: true });
  const entry = { uuid: randomUUID(), state: 'undoing', taken: new Date().toISOString(), identifier: 'anydesk', name: 'AnyDesk' };
  const agentOptions = {
    category: 'RemoteControl',
    certainty: 'certain',
    kind: 'service',
    service: 'anydesk.service',
    before: { running: true, enabled: true },
  };
  await writeFile(join(quarantineFolder, `${entry.uuid}.json`), JSON.stringify({ ...entry, ...agentOptions }), { mode: 0o600 });
  let hasBegun = false;
  const gate = Promise.withResolvers<boolean>();
  os.setService = () => {
    hasBegun = true;
    return gate.promise;
  };
  const test = await agentForTest(server, { os, folder, quarantineFolder: join(folder, 'kept') });
  await test.linked();
  await ended(test, os.start({ name: 'anydesk' }));
  expect(hasBegun).toBe(true);
  // The interrupted quarantine must be finished before another agent may scan.
  gate.resolve(true);
  await test.agent.stepBack();
  expect(await readdir(quarantineFolder)).toEqual([]);
});
