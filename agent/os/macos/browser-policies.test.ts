import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { macWithDefaults, plistXml } from '../../testing/mac-defaults.ts';
import { writeIn } from '../../testing/policy-computers.ts';
import { macBrowserPolicies } from './browser-policies.ts';

const chrome = { id: '/Library/Managed Preferences/com.google.Chrome.plist', format: 'chromium' as const, own: false };
const firefox = { id: '/Library/Preferences/org.mozilla.firefox.plist', format: 'firefox_plist' as const, own: false };

async function computer(lists: Record<string, Parameters<typeof plistXml>[0]> = {}) {
  const root = await temporaryFolder();
  writeIn(root, '/Library/Preferences/.empty', '');
  for (const [path, dict] of Object.entries(lists)) writeIn(root, path, plistXml(dict));
  return { root, store: macBrowserPolicies({ native: macWithDefaults(), root }) };
}

describe('[P12.2] policies in property lists', () => {
  it('names of Firefox are joined for the command of macOS, nested for us, and browsers of all users can read them', async () => {
    const { root, store } = await computer({
      [firefox.id]: { EnterprisePoliciesEnabled: true, Permissions: { Camera: { Locked: true } } },
    });
    await store.set(firefox, ['Permissions', 'Notifications'], { BlockNewRequests: true, Locked: true });
    expect(await store.read(firefox, ['Permissions'])).toEqual({
      Camera: { Locked: true },
      Notifications: { BlockNewRequests: true, Locked: true },
    });
    expect(statSync(join(root, firefox.id)).mode & 0o777).toBe(0o644);
    await store.remove(firefox, ['Permissions', 'Notifications']);
    expect(await store.read(firefox, ['Permissions'])).toEqual({ Camera: { Locked: true } });
  });

  it('[P15.5] lists are written as lists, and a name that the new value does not have is gone', async () => {
    const { store } = await computer({ [firefox.id]: { Permissions: { Camera: { Allow: ['https://school.example'] } } } });
    const origins = ['https://a.example', 'https://b.example'];
    await store.set(chrome, ['NotificationsAllowedForUrls'], origins);
    expect(await store.read(chrome, ['NotificationsAllowedForUrls'])).toEqual(origins);
    await store.set(firefox, ['Permissions', 'Notifications'], { Allow: origins, Locked: true });
    await store.set(firefox, ['Permissions', 'Notifications'], { Block: origins, Locked: true });
    const camera = { Camera: { Allow: ['https://school.example'] } };
    expect(await store.read(firefox, ['Permissions'])).toEqual({ ...camera, Notifications: { Block: origins, Locked: true } });
    await store.remove(firefox, ['Permissions', 'Notifications']);
    expect(await store.read(firefox, ['Permissions'])).toEqual(camera);
  });

  it.each<[string, Record<string, Parameters<typeof plistXml>[0]>, boolean]>([
    ['where nobody has set policies', {}, true],
    ['where policies are switched on', { [firefox.id]: { EnterprisePoliciesEnabled: true, DisablePrivateBrowsing: true } }, true],
    ['where someone has written policies and not switched them on', { [firefox.id]: { DisablePrivateBrowsing: true } }, false],
  ])('the document of Firefox is used %s: %s', async (_title, lists, expected) => {
    const { store } = await computer(lists);
    expect((await store.documents()).some(({ id }) => id === firefox.id)).toBe(expected);
  });

  it.each([
    ['for one user', '/Library/Managed Preferences/ann/com.google.Chrome.plist', true],
    ['as a recommendation', '/Library/Preferences/com.google.Chrome.plist', true],
    ['of another browser', '/Library/Managed Preferences/ann/com.microsoft.Edge.plist', false],
  ])('a policy %s counts as set elsewhere: %s', async (_title, path, expected) => {
    const { store } = await computer({ [path]: { DnsOverHttpsMode: 'automatic' } });
    expect(await store.isSetElsewhere(chrome, ['DnsOverHttpsMode'])).toBe(expected);
    expect(await store.isSetElsewhere(chrome, ['DefaultNotificationsSetting'])).toBe(false);
  });
});
