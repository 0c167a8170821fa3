import { browserOutcome } from './browser-rows.ts';
import { connectedRow } from './connected-row.ts';
import { type NameLookUp, playNames, resolvesOpenSite } from './name-rows.ts';
import { restartRow } from './restart-row.ts';
import { asked, byHand, notPlayed, type PlayedRow, playCommand, type Row, type RowTools } from './rows.ts';
import { toolRows } from './tool-rows.ts';

const daemon = 'system/example.porchlight.agent';
const folder = '/Library/Application Support/Porchlight';
const program = `${folder}/porchlight-agent`;
const application = '/Applications/Porchlight.app';
const managed = '/Library/Managed Preferences';

/** Where launchd knows no such service it ends with 113. */
const isUnknownService = (code: number) => code === 113;

function daemonPid(output: string): number | null {
  const pid = Number(/^[ \t]*pid = (\d+)\s*$/m.exec(output)?.[1] ?? 0);
  return pid > 0 ? pid : null;
}

const macNames: NameLookUp = {
  command: (name) => ['dscacheutil', '-q', 'host', '-a', 'name', name],
  // It prints nothing for a name without an address.
  read({ code, output }) {
    const addresses = [...output.matchAll(/^ip_address: (\S+)\s*$/gm)].map(([, address = '']) => address);
    return addresses.length > 0 || (code === 0 && output.trim() === '') ? addresses : null;
  },
};

/** `codesign -v` prints nothing about a program whose signature is valid. */
const isValid = (output: string, code: number) => {
  if (code === 0) return output.trim() === '' || /valid on disk/.test(output) ? true : null;
  return code === 1 || code === 3 ? false : null;
};

async function policyText({ system }: RowTools, file: string): Promise<{ code: number | null; text: string | null }> {
  const { code, output } = await system.run('plutil', '-p', file);
  return { code, text: code === 0 ? output : null };
}
const managedBrowsers = [
  ['Chrome', `${managed}/com.google.Chrome.plist`],
  ['Edge', `${managed}/com.microsoft.Edge.plist`],
  ['Brave', `${managed}/com.brave.Browser.plist`],
  ['Chromium', `${managed}/org.chromium.Chromium.plist`],
  ['Firefox', '/Library/Preferences/org.mozilla.firefox.plist'],
] as const;

const played: PlayedRow[] = [
  {
    ...{ how: 'played', number: 5, part: 'daemon', limitSeconds: 10 },
    step: 'Ask launchd for the daemon.',
    expected: 'It runs, and is the installed program.',
    play: (tools) =>
      playCommand(tools, ['launchctl', 'print', daemon], (output, code) => {
        if (isUnknownService(code)) return false;
        const state = /^[ \t]*state = (.*\S)\s*$/m.exec(output)?.[1];
        const path = /^[ \t]*program = (.*\S)\s*$/m.exec(output)?.[1];
        return state === undefined || path === undefined ? null : state === 'running' && path === program;
      }),
  },
  {
    ...{ how: 'played', number: 5, part: 'processor', limitSeconds: 10 },
    step: 'Read for which processor the program was made.',
    expected: 'For the one of this Mac.',
    async play(tools) {
      // Also a translated program learns from this which processor the Mac has; on Intel's own the question is unknown.
      const { code, output: answer } = await tools.system.run('sysctl', '-n', 'hw.optional.arm64');
      const wanted = answer.trim() === '1' ? 'arm64' : 'x86_64';
      return playCommand(tools, ['file', program], (output) => {
        const found = /\b(arm64|x86_64)\b/.exec(output)?.[1];
        return found === undefined || code === null ? null : found === wanted;
      });
    },
  },
  {
    ...{ how: 'played', number: 6, part: 'program', limitSeconds: 35 },
    step: 'Check the signature of the program.',
    expected: 'It is valid on disk.',
    play: (tools) => playCommand(tools, ['codesign', '-v', '--strict', program], isValid),
  },
  {
    ...{ how: 'played', number: 6, part: 'files', limitSeconds: 10 },
    step: 'List the files of the package.',
    expected: 'The program is one of them.',
    play: (tools) =>
      playCommand(tools, ['pkgutil', '--files', 'example.porchlight.agent'], (output, code) =>
        code === 0 ? /(^|\/)porchlight-agent/m.test(output) || null : code === 1 ? false : null,
      ),
  },
  {
    ...{ how: 'played', number: 11, part: 'window', needs: ['service'], limitSeconds: 10 },
    step: 'Ask launchd for what opens the page of the user at the screen.',
    expected: 'It is loaded.',
    async play(tools) {
      const { code, output } = await tools.system.run('stat', '-f', '%u', '/dev/console');
      const uid = Number(output.trim());
      // Nobody is at the screen, or it is a screen to log in.
      if (code !== 0 || !(uid >= 500)) return notPlayed('Nobody is at the screen.');
      return playCommand(tools, ['launchctl', 'print', `gui/${uid}/example.porchlight.window`], (text, exit) =>
        isUnknownService(exit) ? false : exit === 0 && text.includes('example.porchlight.window') ? true : null,
      );
    },
  },
  {
    ...{ how: 'played', number: 13, part: 'application', limitSeconds: 35 },
    step: 'Check the signature of the application.',
    expected: 'It is valid on disk.',
    play: (tools) => playCommand(tools, ['codesign', '-v', application], isValid),
  },
  {
    ...{ how: 'played', number: 13, part: 'links', limitSeconds: 10 },
    step: 'Read which links the application opens.',
    expected: 'The scheme porchlight is one of them.',
    play: (tools) =>
      playCommand(tools, ['plutil', '-p', `${application}/Contents/Info.plist`], (output, code) =>
        code === 0 && output.includes('CFBundleIdentifier') ? /CFBundleURLSchemes[^\]]*"porchlight"/.test(output) : null,
      ),
  },
  {
    ...{ how: 'played', number: 14, part: 'first server', needs: ['service'], limitSeconds: 10 },
    step: 'Read the servers for names.',
    expected: '127.0.0.1 is the first.',
    play: (tools) =>
      playCommand(tools, ['scutil', '--dns'], (output) => {
        const first = /nameserver\[0\] : (\S+)/.exec(output)?.[1];
        return first === undefined ? null : first === '127.0.0.1';
      }),
  },
  {
    ...{ how: 'played', number: 14, part: 'names', needs: ['service'], limitSeconds: 30 },
    step: 'Look up a site of the list, and example.org.',
    expected: 'The site has no address, and example.org has one.',
    play: (tools) => playNames(tools, macNames),
  },
  {
    ...{ how: 'played', number: 16, part: 'question', limitSeconds: 10 },
    step: 'Ask macOS what the agent asks at its end: whether the Mac shuts down.',
    expected: 'It answers, and it does not.',
    play: (tools) =>
      playCommand(tools, ['sysctl', '-n', 'kern.willshutdown'], (output, code) =>
        code === 0 && /^[01]$/.test(output.trim()) ? output.trim() === '0' : null,
      ),
  },
  {
    ...{ how: 'played', number: 24, part: 'policies', limitSeconds: 20 },
    step: 'With browsers managed on the dashboard, read the policies of the browsers.',
    expected: 'Four policies are set for Chrome, Edge, Brave and Chromium, and two for Firefox.',
    async play(tools) {
      const found = await Promise.all(managedBrowsers.map(async ([browser, file]) => ({ browser, ...(await policyText(tools, file)) })));
      if (found.some(({ code }) => code === null)) return notPlayed('The policies could not be read.');
      return browserOutcome(found);
    },
  },
  {
    ...{ how: 'played', number: 25, part: 'nothing left', needs: ['administrator'], limitSeconds: 10 },
    step: 'While the internet is not cut, read the rules of the firewall.',
    expected: 'No rule of a cut is left.',
    play: (tools) =>
      playCommand(tools, ['pfctl', '-q', '-a', 'com.apple/000.porchlight', '-s', 'rules'], (output, code) => {
        if (code !== 0) return null;
        const lines = output.split('\n').filter((line) => line.trim() !== '' && !/ALTQ|No ALTQ/.test(line));
        if (lines.some((line) => !/^(pass|block|anchor|scrub)\b/.test(line))) return null;
        return lines.length === 0;
      }),
  },
  {
    ...{ how: 'played', number: 26, part: 'runtime', limitSeconds: 15 },
    step: 'Read who signed the program.',
    expected: 'Notarised: an identified developer, with the hardened runtime.',
    async play(tools) {
      let isAdHoc = false;
      const outcome = await playCommand(tools, ['codesign', '-d', '-vv', program], (output, code) => {
        isAdHoc = /^Signature=adhoc$/m.test(output);
        if (code !== 0 || isAdHoc || !/^Authority=/m.test(output)) return null;
        return /^Authority=Developer ID Application/m.test(output) && /flags=0x[0-9a-f]+\([^)]*runtime/.test(output);
      });
      return isAdHoc ? notPlayed('This package was made without a certificate.') : outcome;
    },
  },
  restartRow({
    number: 15,
    mainPid: async ({ system }) => daemonPid((await system.run('launchctl', 'print', daemon)).output),
    resolves: (tools) => resolvesOpenSite(tools, macNames),
    startService: ({ system }) => system.run('launchctl', 'kickstart', daemon),
  }),
];

const installer = 'It needs the package once more, in another way.';
const restart = 'It needs a restart, or the lid to be closed.';
const update = 'It needs an operator who offers updates.';
const secondUser = 'It needs a second user who is logged in.';

/** The table “A Mac” of docs/release-checks.md. */
export const macosRows: Row[] = [
  asked(
    1,
    'warning',
    'The package was opened.',
    'Unsigned: it opened after Open Anyway. Signed: it opened at once.',
    'When you opened the package, did macOS ask for Open Anyway if it is unsigned, or open it at once if it is signed?',
  ),
  asked(
    2,
    'installation',
    'The installer ran.',
    'It asked for nothing but the password, and ended within a minute.',
    'Did the installer ask for nothing but your password, and end with success within a minute?',
  ),
  connectedRow(3),
  byHand(4, 'Install again from a disk image, and renamed.', 'Connected both times.', installer),
  ...played,
  byHand(6, 'Check the signature of the package.', 'As macOS showed it.', 'The package itself is not on this Mac any longer.', 'package'),
  byHand(7, 'Log out, restart, close the lid.', 'The agent runs each time.', restart),
  ...toolRows(8),
  asked(8, 'screen', 'A tool was stopped.', 'The calm screen opened.', 'Did the calm screen of Porchlight open in your browser just now?', [
    'guardian',
  ]),
  asked(8, 'email', 'A tool was stopped.', 'The guardian has the email.', 'Does the guardian have the email about it?', ['guardian']),
  byHand(9, 'Install TeamViewer, let it be stopped, restart.', 'Its daemon is away until it is allowed.', 'It changes what is installed.'),
  byHand(10, 'Start a tool as the second of two users.', 'The page opens for the second.', secondUser),
  asked(
    11,
    'application',
    'Open Porchlight in Applications.',
    'The page opens in the browser, and macOS asks nothing.',
    'Please open Porchlight in Applications. Did its page open in your browser, without a question of macOS?',
  ),
  byHand(
    12,
    'Open links of the dashboard, changed ones too.',
    'The right ones link, the others are refused.',
    'It needs links of two accounts.',
  ),
  byHand(13, 'Install without osacompile.', 'It installs without the application.', installer, 'without osacompile'),
  asked(
    14,
    'browsers',
    'Open net.anydesk.com in Safari, Chrome and Firefox.',
    'It opens in none of them.',
    'Please open net.anydesk.com in each of your browsers. Did it stay closed in all of them?',
    [],
    45,
  ),
  byHand(14, 'Join other networks.', 'Their servers are behind 127.0.0.1.', 'It needs other networks.', 'networks'),
  byHand(15, 'Connect and disconnect a VPN.', 'Its server is never behind 127.0.0.1.', 'It needs a VPN.', 'VPN'),
  byHand(16, 'Shut down and start again.', 'The server hears it.', restart, 'shutdown'),
  byHand(17, 'Offer an update while tools are started.', 'Every tool is ended.', update),
  byHand(18, 'Offer a broken update.', 'The old version goes on.', update),
  byHand(19, 'Install a newer package over it.', 'The device stays linked.', installer),
  byHand(20, 'Uninstall with a wrong and the right PIN.', 'Nothing is left.', 'The self-check never uninstalls.'),
  byHand(21, 'Swap a folder for a link during *Put back*.', 'Nothing of root changes.', secondUser),
  byHand(22, 'Search for the address of the page in the command lines.', 'It is not found.', secondUser),
  asked(
    23,
    'privacy',
    'Open Privacy & Security in System Settings.',
    'Porchlight asks for nothing there.',
    'Please open Privacy & Security in System Settings. Is Porchlight missing under Full Disk Access, Accessibility and Screen Recording?',
    [],
    45,
  ),
  byHand(24, 'Read the pages of the browsers, restart, uninstall.', 'As the document says.', restart, 'pages'),
  byHand(
    25,
    'Cut the internet as a guardian.',
    'It is cut, and back by itself.',
    'It needs a guardian at the dashboard, and a quarter of an hour.',
    'cut',
  ),
  byHand(26, 'Check a notarised package.', 'It is accepted.', 'The package itself is not on this Mac any longer.', 'package'),
  byHand(27, 'Switch on Screen Sharing and more.', 'It is off again.', 'It opens the Mac for a moment, which the self-check never does.'),
  byHand(
    29,
    'Take the rules of a cut away.',
    'It is cut again, or everyone hears it.',
    'It needs a guardian at the dashboard.',
    'cut taken away',
  ),
  byHand(
    30,
    'End the site filter, with Private Relay too.',
    'Sites stay closed, or the window says so.',
    'It opens sites for a moment.',
    'filter',
  ),
];
