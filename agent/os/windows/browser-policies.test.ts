import { describe, expect, it } from 'vitest';
import { registryInMemory } from '../../testing/windows-registry.ts';
import { windowsBrowserPolicies } from './browser-policies.ts';

const chrome = { id: 'SOFTWARE\\Policies\\Google\\Chrome', format: 'chromium' as const, own: false };
const firefox = { id: 'SOFTWARE\\Policies\\Mozilla\\Firefox', format: 'firefox' as const, own: false };
const sid = 'S-1-5-21-1-2-3-1001';

function computer(firefoxFile = '') {
  const [machine, users] = [registryInMemory(), registryInMemory()];
  machine.write(`SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList\\${sid}`, 'ProfileImagePath', 'C:\\Users\\Ann');
  return { machine, users, store: windowsBrowserPolicies({ machine, users, textOf: async () => firefoxFile, programFiles: 'C:\\P' }) };
}

describe('[P12.2] policies in the registry', () => {
  it('values are numbers and text, and an object is a key', async () => {
    const { machine, store } = computer();
    await store.set(chrome, ['RemoteAccessHostAllowRemoteSupportConnections'], false);
    await store.set(chrome, ['DnsOverHttpsMode'], 'off');
    await store.set(firefox, ['Permissions', 'Notifications'], { BlockNewRequests: true });
    expect(machine.read(chrome.id, 'RemoteAccessHostAllowRemoteSupportConnections')).toBe(0);
    expect(machine.read(chrome.id, 'DnsOverHttpsMode')).toBe('off');
    expect(machine.read(`${firefox.id}\\Permissions\\Notifications`, 'BlockNewRequests')).toBe(1);
    await store.remove(firefox, ['Permissions', 'Notifications']);
    expect(machine.values(`${firefox.id}\\Permissions\\Notifications`)).toEqual([]);
    expect(machine.read(chrome.id, 'DnsOverHttpsMode')).toBe('off');
  });

  it('[P15.5] a list is a key whose names count from 1, a shorter one leaves nothing of a longer one, and what is beside it stays', async () => {
    const { machine, store } = computer();
    const sites = `${chrome.id}\\NotificationsAllowedForUrls`;
    machine.write(`${firefox.id}\\Permissions\\Camera\\Allow`, '1', 'https://school.example');
    const list = Array.from({ length: 11 }, (_, n) => `https://mail-${n}.example`);
    await store.set(chrome, ['NotificationsAllowedForUrls'], list);
    expect(machine.values(sites)).toEqual(list.map((_, n) => String(n + 1)));
    expect(machine.read(sites, '11')).toBe('https://mail-10.example');
    expect(await store.read(chrome, ['NotificationsAllowedForUrls'])).toEqual(list);
    await store.set(chrome, ['NotificationsAllowedForUrls'], list.slice(9));
    expect(await store.read(chrome, ['NotificationsAllowedForUrls'])).toEqual(list.slice(9));
    await store.set(firefox, ['Permissions', 'Notifications'], { Allow: list, Locked: true });
    await store.set(firefox, ['Permissions', 'Notifications'], { Block: list, Locked: true });
    expect(await store.read(firefox, ['Permissions', 'Notifications'])).toEqual({ Block: list, Locked: 1 });
    await store.remove(firefox, ['Permissions', 'Notifications']);
    await store.remove(chrome, ['NotificationsAllowedForUrls']);
    expect([machine.keys(chrome.id), machine.keys(`${firefox.id}\\Permissions`)]).toEqual([[], ['Camera']]);
    expect(machine.read(`${firefox.id}\\Permissions\\Camera\\Allow`, '1')).toBe('https://school.example');
  });

  it.each([
    ['for a user', `${sid}\\Software\\Policies\\Google\\Chrome`, 'DefaultNotificationsSetting', true],
    ['for a user as a recommendation', `${sid}\\Software\\Policies\\Google\\Chrome\\Recommended`, 'defaultnotificationssetting', true],
    ['for a user of another browser', `${sid}\\Software\\Policies\\Microsoft\\Edge`, 'DefaultNotificationsSetting', false],
    ['for a user about something else', `${sid}\\Software\\Policies\\Google\\Chrome`, 'HomepageLocation', false],
  ])('a policy %s counts as set elsewhere: %s', async (_title, key, name, expected) => {
    const { users, store } = computer();
    users.write(key, name, 1);
    expect(await store.isSetElsewhere(chrome, ['DefaultNotificationsSetting'])).toBe(expected);
  });

  it('a recommendation for the whole computer counts as set elsewhere', async () => {
    const { machine, store } = computer();
    expect(await store.isSetElsewhere(chrome, ['DnsOverHttpsMode'])).toBe(false);
    machine.write(`${chrome.id}\\Recommended`, 'DnsOverHttpsMode', 'automatic');
    expect(await store.isSetElsewhere(chrome, ['DnsOverHttpsMode'])).toBe(true);
  });

  it('a policy in the file beside Firefox counts as set elsewhere', async () => {
    const { store } = computer('{"policies": {"DNSOverHTTPS": {"Enabled": true}}}');
    expect(await store.isSetElsewhere(firefox, ['DNSOverHTTPS'])).toBe(true);
    expect(await store.isSetElsewhere(firefox, ['Permissions', 'Notifications'])).toBe(false);
  });

  it('a key with anything in it is not removed, nor a key of Windows', async () => {
    const { machine, store } = computer();
    machine.write(chrome.id, 'HomepageLocation', 'https://school.example');
    machine.write('SOFTWARE\\Other', 'x', 1);
    machine.removeValue('SOFTWARE\\Other', 'x');
    for (const key of [chrome.id, 'SOFTWARE\\Policies', 'SOFTWARE\\Other']) await store.removeIfEmpty(key);
    expect(machine.keys('SOFTWARE')).toEqual(expect.arrayContaining(['Policies', 'Other']));
    expect(machine.read(chrome.id, 'HomepageLocation')).toBe('https://school.example');
    machine.removeValue(chrome.id, 'HomepageLocation');
    await store.removeIfEmpty(chrome.id);
    expect(machine.keys('SOFTWARE\\Policies\\Google')).toEqual([]);
  });
});
