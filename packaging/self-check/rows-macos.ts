import { asked, notPlayed, playCommand, type Row } from './rows.ts';
import { browsersRow, connectedRow, type NameLookUp, namesRow, playPolicies, resolvesOpenSite, restartRow } from './shared-rows.ts';
import { toolRows } from './tool-rows.ts';

const daemon = 'system/example.porchlight.agent';
export const macProgramFolder = '/Library/Application Support/Porchlight';
const program = `${macProgramFolder}/porchlight-agent`;
const application = '/Applications/Porchlight.app';
const managed = '/Library/Managed Preferences';

/** Where launchd knows no such service it ends with 113. */
const isUnknownService = (code: number) => code === 113;

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

const managedBrowsers = [
  ['Chrome', `${managed}/com.google.Chrome.plist`],
  ['Edge', `${managed}/com.microsoft.Edge.plist`],
  ['Brave', `${managed}/com.brave.Browser.plist`],
  ['Chromium', `${managed}/org.chromium.Chromium.plist`],
  ['Firefox', '/Library/Preferences/org.mozilla.firefox.plist'],
] as const;

const played: Row[] = [
  {
    ...{ number: 5, part: 'daemon', limitSeconds: 10 },
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
    ...{ number: 5, part: 'processor', limitSeconds: 10 },
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
    ...{ number: 6, part: 'program', limitSeconds: 35 },
    step: 'Check the signature of the program.',
    expected: 'It is valid on disk.',
    play: (tools) => playCommand(tools, ['codesign', '-v', '--strict', program], isValid),
  },
  {
    ...{ number: 6, part: 'files', limitSeconds: 10 },
    step: 'List the files of the package.',
    expected: 'The program is one of them.',
    play: (tools) =>
      playCommand(tools, ['pkgutil', '--files', 'example.porchlight.agent'], (output, code) =>
        code === 0 ? /(^|\/)porchlight-agent/m.test(output) || null : code === 1 ? false : null,
      ),
  },
  {
    ...{ number: 11, part: 'window', needs: ['service'], limitSeconds: 10 },
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
    ...{ number: 13, part: 'application', limitSeconds: 35 },
    step: 'Check the signature of the application.',
    expected: 'It is valid on disk.',
    play: (tools) => playCommand(tools, ['codesign', '-v', application], isValid),
  },
  {
    ...{ number: 13, part: 'links', limitSeconds: 10 },
    step: 'Read which links the application opens.',
    expected: 'The scheme porchlight is one of them.',
    play: (tools) =>
      playCommand(tools, ['plutil', '-p', `${application}/Contents/Info.plist`], (output, code) =>
        code === 0 && output.includes('CFBundleIdentifier') ? /CFBundleURLSchemes[^\]]*"porchlight"/.test(output) : null,
      ),
  },
  {
    ...{ number: 14, part: 'first server', needs: ['service'], limitSeconds: 10 },
    step: 'Read the servers for names.',
    expected: '127.0.0.1 is the first.',
    play: (tools) =>
      playCommand(tools, ['scutil', '--dns'], (output) => {
        const first = /nameserver\[0\] : (\S+)/.exec(output)?.[1];
        return first === undefined ? null : first === '127.0.0.1';
      }),
  },
  namesRow(14, macNames),
  {
    ...{ number: 16, part: 'question', limitSeconds: 10 },
    step: 'Ask macOS what the agent asks at its end: whether the Mac shuts down.',
    expected: 'It answers, and it does not.',
    play: (tools) =>
      playCommand(tools, ['sysctl', '-n', 'kern.willshutdown'], (output, code) =>
        code === 0 && /^[01]$/.test(output.trim()) ? output.trim() === '0' : null,
      ),
  },
  {
    ...{ number: 24, part: 'policies', limitSeconds: 20 },
    step: 'With browsers managed on the dashboard, read the policies of the browsers.',
    expected: 'Four policies are set for Chrome, Edge, Brave and Chromium, and two for Firefox.',
    play: (tools) => playPolicies(tools, managedBrowsers, (file) => ['plutil', '-p', file]),
  },
  {
    ...{ number: 25, part: 'nothing left', needs: ['administrator'], limitSeconds: 10 },
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
    ...{ number: 26, part: 'runtime', limitSeconds: 15 },
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
    mainPid: async ({ system }) =>
      Number(/^[ \t]*pid = (\d+)\s*$/m.exec((await system.run('launchctl', 'print', daemon)).output)?.[1] ?? 0) || null,
    resolves: (tools) => resolvesOpenSite(tools, macNames),
    startService: ({ system }) => system.run('launchctl', 'kickstart', daemon),
  }),
];

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
  ...played,
  ...toolRows(8),
  asked(8, 'screen', 'A tool was stopped.', 'The calm screen opened.', 'Did the calm screen of Porchlight open in your browser just now?', [
    'guardian',
  ]),
  asked(8, 'email', 'A tool was stopped.', 'The guardian has the email.', 'Does the guardian have the email about it?', ['guardian']),
  asked(
    11,
    'application',
    'Open Porchlight in Applications.',
    'The page opens in the browser, and macOS asks nothing.',
    'Please open Porchlight in Applications. Did its page open in your browser, without a question of macOS?',
  ),
  browsersRow(14, 'Safari, Chrome and Firefox'),
  asked(
    23,
    'privacy',
    'Open Privacy & Security in System Settings.',
    'Porchlight asks for nothing there.',
    'Please open Privacy & Security in System Settings. Is Porchlight missing under Full Disk Access, Accessibility and Screen Recording?',
    [],
    45,
  ),
];
