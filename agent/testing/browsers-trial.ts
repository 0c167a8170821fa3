// Runs as root in namespaces with their own network and their own /etc: an agent sets the policies of real browsers. Prints the results as
// lines of JSON.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extensionFlag, extensionOnPage, firefoxWithExtension } from './browser-extension.ts';
import { dohServer } from './doh-server.ts';
import { type DrivenBrowser, drivenChromium, drivenFirefox, emptyPage } from './driven-browser.ts';
import { type Run, runAgent } from './process.ts';
import { testPin, testServer } from './server.ts';
import { until } from './until.ts';

const [home = '', chromium = '', firefox = ''] = process.argv.slice(2);
const printResult = (what: string, value: unknown) => console.log(JSON.stringify({ what, value }));
const folders = ['/etc/chromium', '/etc/opt', '/etc/brave', '/etc/firefox'];

/** Each file with its content, and each folder, where policies may be. */
function everything(): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (path: string) => {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
    if (isFolder === undefined) return;
    found[path] = isFolder ? 'a folder' : readFileSync(path, 'utf8');
    if (isFolder) for (const name of readdirSync(path)) visit(join(path, name));
  };
  for (const folder of folders) visit(folder);
  return found;
}
const write = (path: string, content: object) => {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
};
const managed = '/etc/chromium/policies/managed';
const keysOf = (path: string): string[] => {
  const text = statSync(path, { throwIfNoEntry: false }) ? readFileSync(path, 'utf8') : '{}';
  return Object.keys(JSON.parse(text) as object);
};

const page = await emptyPage();
const doh = await dohServer(home);
let round = 0;
/** What pages may do in a new profile, whose user has chosen another DNS server. */
async function observe(
  start: (profile: string) => Promise<DrivenBrowser>,
  failed: string,
): Promise<{ permission: unknown; asked: boolean }> {
  const name = `round-${++round}.example`;
  const profile = mkdtempSync(join(home, 'profile-'));
  writeFileSync(join(profile, 'Local State'), JSON.stringify({ dns_over_https: { mode: 'secure', templates: `${doh.url}{?dns}` } }));
  const prefs = { 'network.trr.mode': 3, 'network.trr.uri': doh.url, 'network.trr.bootstrapAddr': '127.0.0.1' };
  const lines = Object.entries(prefs).map(([pref, value]) => `user_pref(${JSON.stringify(pref)}, ${JSON.stringify(value)});`);
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const browser = await start(profile);
  const permission = await browser.valueAt(page.url, 'Notification.permission');
  // The page of the failure appears when the name was asked in vain.
  await browser.valueAt(`http://${name}/`, failed);
  await browser.close();
  return { permission, asked: doh.questions(name) > 0 };
}
const inChromium = () => observe((profile) => drivenChromium(chromium, profile), "location.protocol === 'chrome-error:'");
const inFirefox = () => observe((profile) => drivenFirefox(firefox, profile), "document.documentURI.startsWith('about:neterror')");
/** The page builds its table in shadow roots, deeper in some versions, and lists policies that are not set too. */
const rows = `(() => {
  const below = (root) => [...root.querySelectorAll('*')].flatMap((one) => (one.shadowRoot ? [one, ...below(one.shadowRoot)] : []));
  const found = below(document).filter((one) => one.localName === 'policy-row').map((one) => one.shadowRoot);
  const cells = found.map((row) => ['name', 'value', 'level'].map((part) => row.querySelector('.policy.row .' + part).textContent.trim()));
  return cells.map((row) => row.join(' ')).join('\\n');
})()`;
async function shownPolicies(): Promise<string[]> {
  const browser = await drivenChromium(chromium, mkdtempSync(join(home, 'profile-')));
  const shown = String(await browser.valueAt('chrome://policy', rows));
  await browser.close();
  return shown
    .split('\n')
    .filter((row) => row.endsWith(' Mandatory'))
    .toSorted();
}

/** The only people of this computer, so that nothing is read of those who are here in truth. */
const people = ['root:x:0:0', 'mum:x:1000:1000'].map((one) => `${one}::${join(home, one.split(':')[0] ?? '')}:/bin/sh`);
writeFileSync('/etc/passwd', `${people.join('\n')}\n`);
if (firefox) write('/etc/firefox/policies/policies.json', { policies: { Certificates: { Install: [doh.authority] } } });
const before = everything();
printResult('Chromium before', await inChromium());
if (firefox) printResult('Firefox before', await inFirefox());

const server = await testServer();
server.setPolicy({ browsers: true });
const folder = join(home, 'data');
const start = (args: string[], more: Record<string, string>): Run => {
  const run = runAgent(server, folder, args, '', [], more);
  process.once('exit', () => run.child.kill('SIGKILL'));
  return run;
};
const service = () => start([], { AGENT_SYSTEM: 'on' });
const own = join(managed, 'porchlight.json');
const isSet = () =>
  keysOf(own).length === 5 && (!firefox || readFileSync('/etc/firefox/policies/policies.json', 'utf8').includes('DNSOverHTTPS'));
const first = start(['--code', 'ABCD-EFGH'], { AGENT_SYSTEM: 'on' });
await until('the policies', isSet, 30_000).catch(() => printResult('agent', first.output()));
printResult('policies', await shownPolicies());
printResult('Chromium under policies', await inChromium());
if (firefox) printResult('Firefox under policies', await inFirefox());

/** Waits for policies that have one text for Chromium and another for Firefox. */
const untilWritten = (inOurs: string, inFirefoxFile: string) =>
  until(
    inOurs,
    () =>
      readFileSync(own, 'utf8').includes(inOurs) &&
      (!firefox || readFileSync('/etc/firefox/policies/policies.json', 'utf8').includes(inFirefoxFile)),
    30_000,
  ).catch(() => printResult('agent', first.output()));
/** Whether the policies let somebody open the store of extensions. */
async function isStoreClosed(): Promise<boolean> {
  const browser = await drivenChromium(chromium, mkdtempSync(join(home, 'profile-')));
  // The page of a failure names it, but where a policy keeps the page from loading.
  const shown = await browser.valueAt(
    'https://chromewebstore.google.com/',
    "globalThis.loadTimeDataRaw && (loadTimeDataRaw.errorCode || 'policy')",
  );
  await browser.close();
  return shown === 'policy';
}
const warnings = ['malware', 'phishing', 'downloads'].map((what) => `browser.safebrowsing.${what}.enabled`);
/** What Firefox itself says of its policies and settings, for somebody who has switched its warnings off. */
async function firefoxSettings(): Promise<unknown> {
  const profile = mkdtempSync(join(home, 'profile-'));
  writeFileSync(join(profile, 'user.js'), warnings.map((name) => `user_pref("${name}", false);`).join('\n'));
  const browser = await drivenFirefox(firefox, profile);
  const active = String(await browser.valueAt('about:policies#active', "document.querySelector('.active-policies')?.innerText"));
  const settings = [...warnings, 'browser.safebrowsing.allowOverride', 'xpinstall.enabled'];
  const values = `${JSON.stringify(settings)}.map((name) => Services.prefs.getBoolPref(name, true) + (Services.prefs.prefIsLocked(name) ? ' locked' : ''))`;
  const inForce = String(await browser.valueAt('about:config', `${values}.join()`)).split(',');
  await browser.close();
  const names = ['DisableSecurityBypass', ...warnings, 'InstallAddonsPermission'].filter((name) => active.includes(name));
  return { policies: names.length, inForce };
}
/** What an added page, and another one, may do in a new profile. */
async function printPermissions(name: string, start: (profile: string) => Promise<DrivenBrowser>) {
  const browser = await start(mkdtempSync(join(home, 'profile-')));
  const added = await browser.valueAt(doh.origin, 'Notification.permission');
  printResult(name, { added, other: await browser.valueAt(page.url, 'Notification.permission') });
  await browser.close();
}
const extension = extensionFlag(home);
const firefoxProfile = mkdtempSync(join(home, 'profile-'));
firefoxWithExtension(firefoxProfile);
/** A browser that has just started can show a page before its extensions are ready. */
const extensionIn = (browser: DrivenBrowser) =>
  until('the extension', async () => (await browser.valueAt(page.url, extensionOnPage)) === 'works' && 'works', 30_000).catch(
    () => 'missing',
  );
/** Whether extensions work that were installed before. */
async function printExtensions(when: string) {
  const inChromium = await drivenChromium(chromium, mkdtempSync(join(home, 'profile-')), [extension]);
  printResult(`extension in Chromium ${when}`, await extensionIn(inChromium));
  await inChromium.close();
  if (!firefox) return;
  const inFirefox = await drivenFirefox(firefox, firefoxProfile);
  printResult(`extension in Firefox ${when}`, await extensionIn(inFirefox));
  await inFirefox.close();
}
server.setPolicy({ notification_origins: [doh.origin] });
await untilWritten(doh.origin, doh.origin);
for (const lock of [false, true]) {
  if (lock) server.setPolicy({ lock });
  if (lock) await untilWritten('ScreenCaptureAllowed', '"Block"');
  const when = lock ? 'in an incident' : 'with an added page';
  await printPermissions(`Chromium ${when}`, (profile) => drivenChromium(chromium, profile));
  printResult(`store closed ${when}`, await isStoreClosed());
  await printExtensions(when);
  if (firefox) printResult(`Firefox's settings ${when}`, await firefoxSettings());
  if (firefox) await printPermissions(`Firefox ${when}`, (profile) => drivenFirefox(firefox, profile));
}
server.setPolicy({ lock: false });
await untilWritten(doh.origin, '"Allow"');

const mums = join(home, 'mum', '.config', 'chromium');
const settingsFile = join(mums, 'Default', 'Preferences');
/** Chromium's own settings page gives or takes the level, and calls back. */
const onSettings = (call: string) => `globalThis.answer || (globalThis.chrome?.settingsPrivate?.${call}, '')`;
const settingsPage = 'chrome://settings/security';
const levelOnDisk = () => {
  const [list, settings] = [join(mums, 'Local State'), settingsFile].map((file) => JSON.parse(readFileSync(file, 'utf8')));
  return 'Default' in list.profile.info_cache ? JSON.stringify(settings.safebrowsing) : '';
};
async function switchOff() {
  const browser = await drivenChromium(chromium, mums);
  await browser.valueAt(settingsPage, onSettings("setPref('generated.safe_browsing', 0, '', () => { answer = 'set'; })"));
  await until('the choice on the disk', () => existsSync(settingsFile) && levelOnDisk().includes('"enabled":false'), 60_000);
  await browser.close();
}
async function printSafeBrowsing(what: string) {
  const browser = await drivenChromium(chromium, mums);
  const names = ['enabled', 'enhanced'].map((name) => `safebrowsing.${name}`);
  const shown = names.map((name) =>
    browser.valueAt(settingsPage, onSettings(`getPref('${name}', (one) => { answer = one.value + ' ' + (one.enforcement ?? 'free'); })`)),
  );
  printResult(`Safe Browsing ${what}`, await Promise.all(shown));
  await browser.close();
}
const levelIsSet = () => keysOf(own).includes('SafeBrowsingProtectionLevel');
await switchOff();
server.setPolicy({ notification_origins: [] });
await until('standard', levelIsSet, 30_000).catch(() => printResult('agent', first.output()));
await printSafeBrowsing('that mum has switched off');
write(settingsFile, { safebrowsing: { enabled: true, enhanced: true } });
server.setPolicy({ notification_origins: [doh.origin] });
await until('no level', () => !levelIsSet(), 30_000).catch(() => printResult('agent', first.output()));
await printSafeBrowsing('that mum has enhanced');

first.child.kill('SIGKILL');
await first.ended;
write(join(managed, 'school.json'), { DefaultNotificationsSetting: 1 });
const second = service();
await until('two policies less', () => keysOf(own).length === 3, 30_000).catch(() => printResult('agent', second.output()));
printResult('policies beside those of a school', await shownPolicies());
second.child.kill('SIGTERM');
printResult('service stopped', [await second.ended, keysOf(own).length]);

rmSync(join(managed, 'school.json'));
const byHand = start(['--system'], {});
await until('the policies again', isSet, 30_000).catch(() => printResult('agent', byHand.output()));
byHand.child.kill('SIGTERM');
printResult('by hand stopped', [await byHand.ended, JSON.stringify(everything()) === JSON.stringify(before)]);

write(join(managed, 'school.json'), { DefaultNotificationsSetting: 1 });
const withSchool = everything();
const third = service();
await until('three policies', () => keysOf(own).length === 3, 30_000).catch(() => printResult('agent', third.output()));
third.child.kill('SIGKILL');
await third.ended;
// Without a network the uninstall needs no name that resolves.
execFileSync('ip', ['link', 'set', 'near', 'down']);
const uninstall = runAgent(server, folder, ['--uninstall'], `${testPin}\n`);
printResult('uninstalled', [await uninstall.ended, JSON.stringify(everything()) === JSON.stringify(withSchool)]);
printResult(
  'left',
  Object.keys(everything()).filter((path) => !(path in withSchool)),
);
printResult('school', keysOf(join(managed, 'school.json')));
process.exit(0);
