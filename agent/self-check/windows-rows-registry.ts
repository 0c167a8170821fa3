import { browserOutcome } from './browser-rows.ts';
import { evidenceOf, failed, notPlayed, outcomeOf, type PlayedRow, passed, playCommand, type RowTools, worstOf } from './rows.ts';
import { playDeniedStart } from './tool-rows.ts';
import { leafOf, registryKeys, restartsThreeTimes } from './windows-parse.ts';

const serviceKey = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\Porchlight';
const safeModeKeys = 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\SafeBoot\\Network';
const imageOptions = 'HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Image File Execution Options';
const linkCommand = 'HKLM\\SOFTWARE\\Classes\\porchlight\\shell\\open\\command';
const policies = 'HKLM\\SOFTWARE\\Policies';
const policyKeys = [
  ['Chrome', 'Google\\Chrome'],
  ['Edge', 'Microsoft\\Edge'],
  ['Brave', 'BraveSoftware\\Brave'],
  ['Firefox', 'Mozilla\\Firefox'],
] as const;

/** Windows does not work without these, whatever a definition says. */
const neverDenied = new Set(
  ['explorer', 'svchost', 'lsass', 'services', 'winlogon', 'csrss', 'smss', 'wininit', 'dwm', 'taskmgr', 'cmd', 'powershell', 'conhost']
    .concat(['msedge', 'msiexec', 'rundll32', 'dllhost', 'consent', 'regedit', 'reg', 'sc', 'net', 'userinit', 'logonui', 'notepad'])
    .map((name) => `${name}.exe`),
);

const reg = (key: string, ...args: string[]): [string, ...string[]] => ['reg', 'query', key, ...args];

async function markedEntries({ system }: RowTools) {
  const command = reg(imageOptions, '/s');
  const result = await system.run(...command);
  const keys = registryKeys(result.output);
  const marked = keys.filter(({ values }) => values.has('porchlight'));
  const evidence = `Entries of Porchlight: ${marked.length}, of ${keys.length} in all.`;
  return { marked, evidence, isRead: result.code === 0 && keys.length > 0, unread: evidenceOf(command, result) };
}

export const windowsRegistryRows: PlayedRow[] = [
  {
    ...{ how: 'played', number: 5, part: 'service', needs: ['service'], limitSeconds: 10 },
    step: 'Read how the service is set up.',
    expected: 'It runs as Local System, starts with Windows, and is restarted after 1000 ms three times.',
    play: (tools) =>
      playCommand(tools, reg(serviceKey), (output) => {
        const values = registryKeys(output).find(({ key }) => leafOf(key) === 'Porchlight')?.values;
        const restarts = restartsThreeTimes(values?.get('failureactions'));
        if (!values?.has('objectname') || !values.has('start') || restarts === null) return null;
        return restarts && values.get('objectname') === 'LocalSystem' && values.get('start') === '0x2';
      }),
  },
  {
    ...{ how: 'played', number: 7, part: 'Safe Mode', needs: ['service'], limitSeconds: 10 },
    step: 'Read which services start in Safe Mode with Networking.',
    expected: 'Porchlight is one of them.',
    play: async (tools) => {
      // The whole list, because `reg` ends alike for a missing key and an unreadable key.
      const { verdict, evidence } = await playCommand(tools, reg(safeModeKeys), (output) => {
        const names = registryKeys(output).map(({ key }) => leafOf(key));
        return names.length > 1 ? names.includes('Porchlight') : null;
      });
      return verdict === 'not_played'
        ? notPlayed(evidence)
        : outcomeOf(verdict === 'held', `Porchlight is ${verdict === 'held' ? '' : 'not '}in the list.`);
    },
  },
  {
    ...{ how: 'played', number: 10, part: 'entries', needs: ['service'], limitSeconds: 15 },
    step: 'Read which programs Windows does not start (Image File Execution Options).',
    expected: 'Each entry of Porchlight leads to it and has its mark, and no program of Windows itself is among them.',
    async play(tools) {
      const { marked, evidence, isRead, unread } = await markedEntries(tools);
      if (!isRead) return notPlayed(`This output is unknown, so it proves nothing.\n${unread}`);
      const needed = marked.filter(({ key }) => neverDenied.has(leafOf(key).toLowerCase()));
      if (needed.length > 0) return failed(`Programs of Windows itself: ${needed.map(({ key }) => leafOf(key)).join(', ')}\n${evidence}`);
      const wrong = marked.filter(({ values }) => !/porchlight-agent\.exe.* --blocked/i.test(values.get('debugger') ?? ''));
      if (wrong.length > 0) return failed(`Entries that do not lead to Porchlight: ${wrong.map(({ key }) => leafOf(key)).join(', ')}`);
      return marked.length > 0 ? passed(evidence) : failed(evidence);
    },
  },
  {
    ...{ how: 'played', number: 10, part: 'start', needs: ['service', 'guardian'], limitSeconds: 30 },
    step: 'Start a harmless program of Windows under the name of a remote-control tool that has an entry.',
    expected: 'It does not start at all.',
    async play(tools) {
      const name = `${tools.toolName}.exe`;
      const { marked, isRead, unread } = await markedEntries(tools);
      if (!isRead) return notPlayed(`This output is unknown, so it proves nothing.\n${unread}`);
      const entry = marked.find(({ key }) => leafOf(key).toLowerCase() === name.toLowerCase());
      if (!entry) return failed(`${name} has no entry of Porchlight.`);
      return worstOf([passed(`${name} has an entry of Porchlight.`), await playDeniedStart(tools, name)]);
    },
    undo: ({ system }) => system.cleanUp(),
  },
  {
    ...{ how: 'played', number: 18, part: 'links', limitSeconds: 10 },
    step: 'Read which program opens links of Porchlight.',
    expected: 'It is Porchlight.',
    play: (tools) =>
      playCommand(tools, reg(linkCommand), (output, code) =>
        code === 1 ? false : output.includes('REG_SZ') ? /porchlight-agent\.exe" --open "%1"/i.test(output) : null,
      ),
  },
  {
    ...{ how: 'played', number: 31, part: 'policies', limitSeconds: 20 },
    step: 'With browsers managed on the dashboard, read the policies of Chrome, Edge, Brave and Firefox.',
    expected: 'Four policies are set for each of the first three, and two for Firefox.',
    async play(tools) {
      const found = await Promise.all(
        policyKeys.map(async ([browser, key]) => {
          const { code, output } = await tools.system.run(...reg(`${policies}\\${key}`, '/s'));
          return { browser, code, text: code === 0 ? output : null };
        }),
      );
      if (found.some(({ code }) => code === null)) return outcomeOf(null, 'The policies could not be read.');
      return browserOutcome(found);
    },
  },
];
