import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_PROFILE_BYTES } from '../../lib/safe-browsing.ts';
import { temporaryFolder } from '../../testing/agent.ts';
import { writeIn } from '../../testing/policy-computers.ts';
import { linuxBrowserPolicies } from './browser-policies.ts';

const chromium = { id: '/etc/chromium/policies/managed/porchlight.json', format: 'chromium' as const, own: true };
const firefox = (id: string) => ({ id, format: 'firefox' as const, own: false });
const path = ['DefaultNotificationsSetting'];

async function computer(files: Record<string, string> = {}) {
  const root = await temporaryFolder();
  for (const [file, content] of Object.entries(files)) writeIn(root, file, content);
  return { root, store: linuxBrowserPolicies(root), at: (file: string) => join(root, file) };
}

const system = '/etc/firefox/policies/policies.json';
const [esr, plain] = ['/usr/lib/firefox-esr', '/usr/lib/firefox'];
const inside = (installation: string) => `${installation}/distribution/policies.json`;

describe('[P12.2] the document for Firefox on Linux', () => {
  it.each<[string, string[], string[]]>([
    ['the file of the system where nobody has set policies', [`${esr}/firefox`], [system]],
    ['the file of the system, which hides all others', [system, inside(esr)], [system]],
    ['the file of the installation, which a file of the system would hide', [inside(esr)], [inside(esr)]],
    ['a file of each installation, when one has its own', [inside(esr), `${plain}/firefox`], [inside(esr), inside(plain)]],
  ])('is %s', async (_title, files, expected) => {
    const { store } = await computer(Object.fromEntries(files.map((file) => [file, '{}'])));
    const found = (await store.documents()).filter(({ format }) => format === 'firefox');
    expect(found).toEqual(expected.map(firefox));
  });
});

describe('[P12.2] a policy of someone else on Linux', () => {
  it.each([
    ['in the same folder', 'managed/school.json', '{"DefaultNotificationsSetting": 1}', true],
    ['with comments, in a file without an ending', 'managed/school', '// ours\n{"DefaultNotificationsSetting": 1,}', true],
    ['as a recommendation', 'recommended/school.json', '{"DefaultNotificationsSetting": 1}', true],
    ['about something else', 'managed/school.json', '{"HomepageLocation": "https://school.example"}', false],
    ['that an interrupted change of ours has left', 'managed/porchlight.json.porchlight-1', '{"DefaultNotificationsSetting": 2}', false],
  ])('%s counts: %s', async (_title, file, content, expected) => {
    const { store } = await computer({ [`/etc/chromium/policies/${file}`]: content });
    expect(await store.isSetElsewhere(chromium, path)).toBe(expected);
  });

  it('stays byte for byte, with its indentation, when ours have come and gone', async () => {
    for (const content of ['{\n\t"policies": {\n\t\t"Homepage": {}\n\t}\n}', '{"policies":{"Homepage":{}}}\n', '{}']) {
      const { store, at } = await computer({ [system]: content });
      const containers = await store.missing(firefox(system), ['DNSOverHTTPS']);
      await store.set(firefox(system), ['DNSOverHTTPS'], { Enabled: false });
      expect(readFileSync(at(system), 'utf8')).not.toBe(content);
      await store.remove(firefox(system), ['DNSOverHTTPS']);
      for (const container of containers.toReversed()) await store.removeIfEmpty(container);
      expect(readFileSync(at(system), 'utf8')).toBe(content);
    }
  });

  it('in a file that is not valid JSON stays as it is, and the error names the file', async () => {
    const { store, at } = await computer({ [system]: '{ "policies": ' });
    await expect(store.set(firefox(system), ['DNSOverHTTPS'], {})).rejects.toThrow(`${system} is not valid JSON`);
    await expect(store.read(firefox(system), ['DNSOverHTTPS'])).rejects.toThrow(`${system} is not valid JSON`);
    expect(readFileSync(at(system), 'utf8')).toBe('{ "policies": ');
  });
});

describe('[P12.2] a file of policies', () => {
  it('can be read by browsers of all users', async () => {
    const { root, store } = await computer();
    await store.set(chromium, path, 2);
    const modes = readdirSync(join(root, 'etc'), { recursive: true, withFileTypes: true });
    expect(modes.map(({ name }) => name).toSorted()).toEqual(['chromium', 'managed', 'policies', 'porchlight.json']);
    expect(JSON.parse(readFileSync(join(root, chromium.id), 'utf8'))).toEqual({ DefaultNotificationsSetting: 2 });
  });

  it('is not written where others can write, or behind a link of theirs', async () => {
    const { store, at } = await computer({ '/etc/chromium/x': '' });
    mkdirSync(at('/home'));
    chmodSync(at('/home'), 0o777);
    symlinkSync(at('/home'), at('/etc/chromium/policies'));
    await expect(store.set(chromium, path, 2)).rejects.toThrow('others can change');
    expect(readdirSync(at('/home'))).toEqual([]);
    const { store: second, at: atSecond } = await computer({ '/etc/chromium/policies/managed/x': '' });
    chmodSync(atSecond('/etc/chromium/policies'), 0o775);
    await expect(second.set(chromium, path, 2)).rejects.toThrow('others can change');
    chmodSync(atSecond('/etc/chromium/policies'), 0o755);
    await second.set(chromium, path, 2);
    expect(existsSync(atSecond(chromium.id))).toBe(true);
  });

  it('loses what an interrupted change has left, and nothing else in the folder', async () => {
    const { store, at } = await computer({ '/etc/chromium/policies/managed/school.json': '{}' });
    writeFileSync(at(`${chromium.id}.porchlight-1`), '{}');
    await store.removeLeftovers(chromium);
    expect(readdirSync(at('/etc/chromium/policies/managed'))).toEqual(['school.json']);
  });
});

describe('[P16.5] Safe Browsing, as users of Linux have it in their folders,', () => {
  const list = JSON.stringify({ profile: { info_cache: { Default: {} } } });
  const [off, enhanced] = [{ enabled: false }, { enhanced: true }].map((safebrowsing) => JSON.stringify({ safebrowsing }));
  const passwd = ['ann:x:1000:1000::/home/ann:', 'bob:x:1001:1001::/home/bob:'].join('\n');
  const inHome = (user: string, settings = '') => ({
    [`/home/${user}/.config/chromium/Local State`]: list,
    ...(settings ? { [`/home/${user}/.config/chromium/Default/Preferences`]: settings } : {}),
  });
  const preferences = '/home/ann/.config/chromium/Default/Preferences';
  const withUsers = (files: Record<string, string>) => computer({ '/etc/passwd': passwd, ...files });

  it('is read for all users by root, and for another user’s agent in that user’s folder alone', async () => {
    const { root } = await withUsers({ ...inHome('ann', off), ...inHome('bob', enhanced) });
    const isOffFor = (uid: number) => linuxBrowserPolicies(root, uid).isSafeBrowsingOff(chromium);
    expect(await Promise.all([0, 1000, 1001].map(isOffFor))).toEqual([false, true, false]);
  });

  it('is read up to the largest size, and no further', async () => {
    const { root, store, at } = await withUsers(inHome('ann', off));
    writeFileSync(at(preferences), (off ?? '').padEnd(MAX_PROFILE_BYTES));
    expect(await store.isSafeBrowsingOff(chromium)).toBe(true);
    writeFileSync(at(preferences), (off ?? '').padEnd(MAX_PROFILE_BYTES + 1));
    expect(await linuxBrowserPolicies(root).isSafeBrowsingOff(chromium)).toBe(false);
  });

  it.each([
    ['another user’s folder', '../../../../bob/settings', false],
    ['the user’s own', '../settings', true],
  ])('is read through a link to %s: %s: %s', async (_title, target, expected) => {
    const { store, at } = await withUsers({
      ...inHome('ann'),
      '/home/bob/settings': off ?? '',
      '/home/ann/.config/chromium/settings': off ?? '',
    });
    mkdirSync(at('/home/ann/.config/chromium/Default'));
    symlinkSync(target, at(preferences));
    expect(await store.isSafeBrowsingOff(chromium)).toBe(expected);
  });
});
