import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { unguarded } from '../lib/user-file-work.ts';
import { linuxBrowserPolicies } from '../os/linux/browser-policies.ts';
import { macBrowserPolicies } from '../os/macos/browser-policies.ts';
import { macReaders } from '../os/macos/listing/readers.ts';
import type { BrowserPolicyStore, PolicyDocument } from '../os/port.ts';
import { windowsBrowserPolicies } from '../os/windows/browser-policies.ts';
import type { Registry } from '../os/windows/native/registry.ts';
import { temporaryFolder } from './agent.ts';
import { macWithDefaults, plistXml } from './mac-defaults.ts';
import { registryInMemory } from './windows-registry.ts';

/** A computer of each system on which an administrator has set some policies, and not for each browser. */
export interface PolicyComputer {
  store: BrowserPolicyStore;
  /** Everything where policies may be: files with their content, folders, keys with their values. */
  everything(): Record<string, unknown>;
  /** An administrator sets a policy of the browser of this document; left out, that all sites may send notifications. */
  decide(document: PolicyDocument, policy?: string, value?: number): Promise<void> | void;
  /** What a user of Chrome has chosen about Safe Browsing, by profile. */
  choose(profiles: Record<string, object>): void;
  /** The document of Chrome, and of Firefox. */
  chrome: string;
  firefox: string;
}

const notifications = 'DefaultNotificationsSetting';

function filesBelow(root: string, read: (path: string) => unknown): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const path = join(root, name);
    found[relative(root, path)] = statSync(path).isDirectory() ? 'a folder' : read(path);
  }
  return found;
}

export function writeIn(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true, mode: 0o755 });
  writeFileSync(join(root, path), content, { mode: 0o644 });
}

const chooseIn = (root: string, folder: string) => (profiles: Record<string, object>) => {
  writeIn(root, `${folder}/Local State`, JSON.stringify({ profile: { info_cache: profiles } }));
  for (const [name, safebrowsing] of Object.entries(profiles))
    writeIn(root, `${folder}/${name}/Preferences`, JSON.stringify({ safebrowsing }));
};

async function linuxComputer(): Promise<PolicyComputer> {
  const root = await temporaryFolder();
  writeIn(root, 'etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nann:x:1000:1000:Ann:/home/ann:/bin/sh\n');
  writeIn(root, 'etc/opt/chrome/policies/managed/school.json', '// of the school\n{ "DefaultNotificationsSetting": 1, }\n');
  writeIn(root, 'etc/chromium/policies/managed/empty.json', '');
  const firefox = '/etc/firefox/policies/policies.json';
  writeIn(root, firefox, `${JSON.stringify({ policies: { Permissions: { Camera: { Locked: true } } } }, null, 4)}\n`);
  return {
    store: linuxBrowserPolicies(root, 0),
    choose: chooseIn(root, 'home/ann/.config/google-chrome'),
    decide: ({ id }, policy = notifications, value = 1) =>
      writeIn(root, id.replace(/porchlight\.json$/, 'school.json'), JSON.stringify({ [policy]: value })),
    everything: () => filesBelow(root, (path) => readFileSync(path, 'utf8')),
    ...{ chrome: '/etc/opt/chrome/policies/managed/porchlight.json', firefox },
  };
}

async function macComputer(): Promise<PolicyComputer> {
  const root = await temporaryFolder();
  const [chrome, firefox] = ['/Library/Managed Preferences/com.google.Chrome.plist', '/Library/Preferences/org.mozilla.firefox.plist'];
  writeIn(root, chrome, plistXml({ DefaultNotificationsSetting: 1 }));
  writeIn(root, firefox, plistXml({ EnterprisePoliciesEnabled: true, Permissions: { Camera: { Locked: true } } }));
  const users = () => macReaders(true, (path) => ({ os: 'macos', name: path }), join(root, 'Users'));
  const store = macBrowserPolicies({ native: macWithDefaults(), root, users });
  return {
    choose: chooseIn(root, 'Users/ann/Library/Application Support/Google/Chrome'),
    ...{ store, decide: (document, policy = notifications, value = 1) => store.set(document, [policy], value) },
    everything: () => filesBelow(root, (path) => readFileSync(path, 'utf8')),
    ...{ chrome, firefox },
  };
}

function valuesBelow(registry: Registry, key: string): Record<string, unknown> {
  const values = registry.values(key).map((name): [string, unknown] => [name, registry.read(key, name)]);
  const keys = registry.keys(key).map((name): [string, unknown] => [name.toLowerCase(), valuesBelow(registry, `${key}\\${name}`)]);
  return Object.fromEntries([...keys, ...values].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

async function windowsComputer(): Promise<PolicyComputer> {
  const machine = registryInMemory();
  const [chrome, firefox] = ['SOFTWARE\\Policies\\Google\\Chrome', 'SOFTWARE\\Policies\\Mozilla\\Firefox'];
  machine.write(chrome, 'defaultnotificationssetting', 1);
  machine.write(`${firefox}\\Permissions\\Camera`, 'Locked', 1);
  const root = await temporaryFolder();
  const text = async (home: string, names: string[]) => readFile(join(home, ...names), 'utf8').catch(() => null);
  const profiles = () => ({ people: [{ user: 'ann', folder: root }], text, guard: unguarded });
  const ofUsers = { users: registryInMemory(), profiles };
  return {
    choose: chooseIn(root, 'AppData/Local/Google/Chrome/User Data'),
    decide: ({ id }, policy = notifications, value = 1) => machine.write(id, policy, value),
    store: windowsBrowserPolicies({ machine, ...ofUsers, textOf: async () => '', programFiles: 'C:\\Program Files' }),
    everything: () => valuesBelow(machine, 'SOFTWARE'),
    ...{ chrome, firefox },
  };
}

export const policyComputers = { Linux: linuxComputer, macOS: macComputer, Windows: windowsComputer };
