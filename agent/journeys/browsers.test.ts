// Tier: whole. It starts real browsers.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, type TestContext, test } from 'vitest';
import type { AgentDeps } from '../agent.ts';
import { fakeOs } from '../os/fake/fake.ts';
import { agentForTest, serverForTest, temporaryFolder } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { skipTest } from '../testing/left-out.ts';
import { ownRun } from '../testing/own-network.ts';
import { testPin } from '../testing/server.ts';
import { trialResults } from '../testing/trial-results.ts';
import { until } from '../testing/until.ts';

/** A process in place of the DNS filter, which these tests do not need. */
const silentFilter = () => [
  process.execPath,
  '-e',
  "process.on('message', () => {}); process.once('disconnect', () => process.exit());",
  '--',
];
const filterPlan = (system: boolean): AgentDeps['sites'] => ({
  ...{ command: silentFilter, own: { address: '127.0.0.1', port: 0 }, page: null, system },
  upstream: [{ address: '192.0.2.9', port: 53 }],
});
const others = { HomepageLocation: 'https://school.example' };

async function linkedAgent(overrides: Partial<AgentDeps> = {}) {
  const [server, os] = [await serverForTest(), fakeOs()];
  os.policies = { ...others };
  server.setPolicy({ browsers: true });
  const options = { os, sites: filterPlan(true), ...overrides };
  const started = await agentForTest(server, options);
  await started.linked();
  const isSet = () => os.policies.DefaultNotificationsSetting === 2 && os.policies.DnsOverHttpsMode === 'off';
  const isGone = () => JSON.stringify(os.policies) === JSON.stringify(others);
  return { server, os, started, options, isSet, isGone };
}

describe('[P12.2] the policies of the browsers', () => {
  it('are set while the account wants it, gone when it does not, and the policies of others stay', async () => {
    const { server, os, isSet, isGone } = await linkedAgent();
    await until('the policies', isSet);
    expect(os.policies).toMatchObject(others);
    server.setPolicy({ browsers: false });
    await until('no policies', isGone);
  });

  it('[P16.5] refuse screen sharing and the stores of extensions while an incident is open, and no longer when it is over, with the others as before', async () => {
    const { server, os, isSet } = await linkedAgent();
    await until('the policies', isSet);
    expect(os.policies).not.toHaveProperty('ScreenCaptureAllowed');
    server.setPolicy({ lock: true });
    await until('the refusal', () => os.policies.ScreenCaptureAllowed === false);
    expect(os.policies.URLBlocklist).toContain('chromewebstore.google.com');
    expect(isSet()).toBe(true);
    server.setPolicy({ lock: false });
    await until('sharing again', () => !('ScreenCaptureAllowed' in os.policies));
    expect(os.policies).not.toHaveProperty('URLBlocklist');
    expect(isSet()).toBe(true);
  });

  it('[P15.5] let an added page send notifications, with the mail pages, not while an incident is open, and other sites never', async () => {
    const { server, os, isSet } = await linkedAgent();
    const added = 'https://mail.added.example';
    const list = () => os.policies.NotificationsAllowedForUrls as string[] | undefined;
    await until('the list', () => list()?.includes('https://mail.google.com:443') === true);
    expect(list()).not.toContain(`${added}:443`);
    server.setPolicy({ notification_origins: [added] });
    await until('the added page', () => list()?.includes(`${added}:443`) === true);
    expect(list()).toContain('https://mail.google.com:443');
    server.setPolicy({ lock: true });
    await until('no list', () => list() === undefined);
    expect(isSet()).toBe(true);
    server.setPolicy({ lock: false });
    await until('the list again', () => list()?.includes(`${added}:443`) === true);
    expect(isSet()).toBe(true);
  });

  it('are gone during a pause, and set again after it', async () => {
    const { started, isSet, isGone } = await linkedAgent();
    await until('the policies', isSet);
    const browser = await browserOf(started);
    await browser.press('pause', { pin: testPin, minutes: '10', understood: 'yes' });
    await until('no policies', isGone);
    await browser.press('resume');
    await until('the policies again', isSet);
  });

  it('are gone when the account removes the computer', async () => {
    const { server, isSet, isGone } = await linkedAgent();
    await until('the policies', isSet);
    server.setMood('removed');
    await until('no policies', isGone);
  });

  it('are gone when an agent that was started by hand stops', async () => {
    const { started, isSet, isGone } = await linkedAgent();
    await until('the policies', isSet);
    await started.close();
    expect(isGone()).toBe(true);
  });

  it('stay when an installed agent stops, and are gone when its next start finds that the account does not want them', async () => {
    const { server, started, options, isSet, isGone } = await linkedAgent({ installed: true });
    await until('the policies', isSet);
    await started.close();
    expect(isSet()).toBe(true);
    server.setPolicy({ browsers: false });
    await agentForTest(server, { ...options, folder: started.folder });
    await until('no policies', isGone);
  });

  it('are not set by an agent that leaves the settings of the computer alone', async () => {
    const { server, started, isGone } = await linkedAgent({ sites: filterPlan(false) });
    const before = server.policy.version;
    server.setPolicy({ device_name: 'Desk' });
    await until('the next policy', () => server.policy_in_force > before);
    await started.close();
    expect(isGone()).toBe(true);
  });
});

const programs = { chromium: '/usr/bin/chromium', firefox: '/usr/bin/firefox-esr' };
/** A network and an /etc of its own, in which no policies are set. */
const preparation = [
  'ip link set lo up && ip link add near type veth peer name far && ip addr add 192.0.2.99/24 dev near',
  'ip link set near up && ip link set far up && mkdir "$0/etc" && mount -t tmpfs tmpfs "$0/etc" && mkdir "$0/etc/upper" "$0/etc/work"',
  'mount -t overlay overlay -o "lowerdir=/etc,upperdir=$0/etc/upper,workdir=$0/etc/work" /etc',
  'rm -rf /etc/chromium/policies /etc/opt /etc/brave /etc/firefox && mkdir /etc/opt',
  'echo nameserver 127.0.0.9 > /etc/resolv.conf && echo 127.0.0.1 localhost > /etc/hosts',
].join(' && ');
const inNamespaces = (folder: string, command: string[]) => [
  ...['--mount', '--net', '--propagation', 'private', 'sh', '-c', `${preparation} && ${ownRun} && exec "$@"`, folder, ...command],
];

async function requireNamespaces(context: TestContext): Promise<string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) skipTest(context, 'only root on Linux sets the policies of real browsers.');
  if (!existsSync(programs.chromium)) skipTest(context, 'there is no Chromium that reads policies (Debian: apt-get install chromium).');
  if (spawnSync('openssl', ['version']).status !== 0) skipTest(context, 'openssl is not on this system.');
  if (spawnSync('unshare', inNamespaces(await temporaryFolder(), ['true'])).status !== 0)
    skipTest(context, 'no network and no /etc of its own can be had here, and those of this computer are not touched.');
  if (!existsSync(programs.firefox)) console.log('Firefox was not tried: it is not on this system (Debian: apt-get install firefox-esr).');
  return existsSync(programs.firefox) ? programs.firefox : '';
}

test('[P12.2] [P15.5] [P16.5] real browsers show no notifications but those of an added page, which an incident ends, ask no other DNS server under our policies, keep the extensions that are there in an incident, and have Safe Browsing standard where it was off, and enhanced where someone chose it, and a school’s policy and all files are as before after an uninstall', async (context) => {
  const firefox = await requireNamespaces(context);
  const folder = await temporaryFolder();
  const trial = fileURLToPath(new URL('../testing/browsers-trial.ts', import.meta.url));
  const results = await trialResults(['unshare', ...inNamespaces(folder, [process.execPath, trial, folder, programs.chromium, firefox])]);
  const [free, limited] = [
    { permission: 'default', asked: true },
    { permission: 'denied', asked: false },
  ];
  const warnings = ['true locked', 'true locked', 'true locked', 'false locked'];
  const shown = [
    'DnsOverHttpsMode off Mandatory',
    'RemoteAccessHostAllowRemoteAccessConnections false Mandatory',
    'RemoteAccessHostAllowRemoteSupportConnections false Mandatory',
  ];
  expect(results).toEqual({
    'Chromium before': free,
    'store closed with an added page': false,
    'store closed in an incident': true,
    'extension in Chromium with an added page': 'works',
    'extension in Chromium in an incident': 'works',
    'Safe Browsing that mum has switched off': ['true ENFORCED', 'false ENFORCED'],
    'Safe Browsing that mum has enhanced': ['true free', 'true free'],
    'Chromium under policies': limited,
    ...(firefox ? { 'Firefox before': free, 'Firefox under policies': limited } : {}),
    'Chromium with an added page': { added: 'granted', other: 'denied' },
    'Chromium in an incident': { added: 'denied', other: 'denied' },
    ...(firefox
      ? {
          'extension in Firefox with an added page': 'works',
          'extension in Firefox in an incident': 'works',
          'Firefox with an added page': { added: 'granted', other: 'denied' },
          "Firefox's settings with an added page": { policies: 4, inForce: [...warnings, 'true'] },
          "Firefox's settings in an incident": { policies: 5, inForce: [...warnings, 'false locked'] },
          'Firefox in an incident': { added: 'denied', other: 'denied' },
        }
      : {}),
    policies: [
      'DefaultNotificationsSetting 2 Mandatory',
      'DnsOverHttpsMode off Mandatory',
      expect.stringMatching(/^NotificationsAllowedForUrls .*https:\/\/mail\.google\.com:443.* Mandatory$/),
      ...shown.slice(1),
    ],
    'policies beside those of a school': ['DefaultNotificationsSetting 1 Mandatory', ...shown],
    'service stopped': [0, 3],
    'by hand stopped': [0, true],
    uninstalled: [0, true],
    left: [],
    school: ['DefaultNotificationsSetting'],
  });
}, 400_000);
