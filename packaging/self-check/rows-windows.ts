import { asked, failed, notPlayed, passed, playCommand, powershell, type Row } from './rows.ts';
import { windowsNameRows, windowsRegistryRows } from './rows-windows-registry.ts';
import { browsersRow, connectedRow } from './shared-rows.ts';
import { toolRows } from './tool-rows.ts';
import { isReservedForTrusted, isServiceReserved, isTrusted, leafOf, readSddl, registryKeys, serviceState } from './windows-parse.ts';

/** Any right at all, all rights that change a file, and the right to make another instance of a pipe. */
const [anyRight, changeRights, createInstance] = [0xffffffff, 0xd0156, 0x4];

/** A path in a script of PowerShell. */
const quoted = (path: string) => `'${path.replaceAll("'", "''")}'`;
const signed = (path: string) =>
  powershell(
    `Get-ChildItem -LiteralPath ${quoted(path)} -File | Where-Object { $_.Extension -in '.exe', '.node' } | ForEach-Object { $s = Get-AuthenticodeSignature -LiteralPath $_.FullName; ($_.Name, $s.Status, ($null -ne $s.TimeStamperCertificate)) -join ' ' }`,
  );
const isolationName = 'PorchlightIsolation';
const firewallRules = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\SharedAccess\\Parameters\\FirewallPolicy\\FirewallRules';
const taskTree = 'HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Schedule\\TaskCache\\Tree';

const systemRows: Row[] = [
  {
    ...{ number: 5, part: 'program', limitSeconds: 20 },
    step: 'Read the details of porchlight-agent.exe.',
    expected: 'They have the name and the version of Porchlight.',
    play: (tools) => {
      const file = quoted(`${tools.folders.program}\\porchlight-agent.exe`);
      return playCommand(
        tools,
        powershell(`$v = (Get-Item -LiteralPath ${file}).VersionInfo; $v.ProductName + '|' + $v.FileVersion`),
        (output) => {
          const [, name, version = ''] = /^([^|\r\n]*)\|([\d.]*)\s*$/m.exec(output) ?? [];
          if (name === undefined) return null;
          return name === 'Porchlight' && version !== '' && (!tools.status || version.startsWith(tools.status.v));
        },
      );
    },
  },
  {
    ...{ number: 5, part: 'folder', needs: ['administrator'], limitSeconds: 20 },
    step: 'Read who may do what in the folder of the state.',
    expected: 'It belongs to the system or to Administrators, and they alone have rights there.',
    play: ({ system, folders }) =>
      playCommand({ system }, powershell(`(Get-Acl -LiteralPath ${quoted(folders.state)}).Sddl`), (output) => {
        const owner = readSddl(output)?.owner;
        const isReserved = isReservedForTrusted(output, anyRight);
        return owner && isReserved !== null ? isReserved && isTrusted(owner) : null;
      }),
  },
  {
    ...{ number: 6, needs: ['service'], limitSeconds: 10 },
    step: 'Read who may stop the service.',
    expected: 'Neither an ordinary user nor an administrator.',
    play: (tools) => playCommand(tools, ['sc', 'sdshow', 'Porchlight'], isServiceReserved),
  },
  {
    ...{ number: 7, part: 'service', limitSeconds: 10 },
    step: 'Ask Windows for the state of the service.',
    expected: 'It runs.',
    play: (tools) =>
      playCommand(tools, ['sc', 'query', 'Porchlight'], (output, code) => {
        const state = serviceState(output);
        // 1060: there is no such service.
        return code === 1060 ? false : state === null ? null : state === 'RUNNING';
      }),
  },
  {
    ...{ number: 22, part: 'scan', needs: ['administrator'], limitSeconds: 35 },
    step: 'Let Defender scan the folder of the program, and change nothing.',
    expected: 'Nothing is found.',
    play: ({ system, folders }) =>
      playCommand(
        { system },
        [
          'C:\\Program Files\\Windows Defender\\MpCmdRun.exe',
          ...['-Scan', '-ScanType', '3', '-File', folders.program, '-DisableRemediation'],
        ],
        // 2: threats were found, or the scan failed. Only a sentence about the result proves it.
        (output, code) =>
          code === 0 ? /found no threats/i.test(output) || null : code === 2 && /found \d+ threats/i.test(output) ? false : null,
      ),
  },
  {
    ...{ number: 22, part: 'history', needs: ['administrator'], limitSeconds: 20 },
    step: 'Read what Defender has found on this computer about Porchlight and its entries for denied starts.',
    expected: 'Nothing.',
    play: (tools) =>
      playCommand(
        tools,
        powershell(
          `try { 'FOUND ' + @(Get-MpThreatDetection -ErrorAction Stop | Where-Object { ($_.Resources -join ' ') -match 'Porchlight|Image File Execution Options' }).Count } catch { 'ERROR' }`,
        ),
        (output) => {
          const count = /^FOUND (\d+)\s*$/m.exec(output)?.[1];
          return count === undefined ? null : count === '0';
        },
      ),
  },
  {
    ...{ number: 28, part: 'rights', needs: ['service'], limitSeconds: 20 },
    step: 'Read who may do what with the pipe of the service.',
    expected: 'Users may read and write, and create no instance.',
    play: (tools) =>
      playCommand(
        tools,
        powershell(
          `$p = New-Object System.IO.Pipes.NamedPipeClientStream('.', 'porchlight', [System.IO.Pipes.PipeDirection]::InOut); try { $p.Connect(3000); $p.GetAccessControl().GetSecurityDescriptorSddlForm('Access') } finally { $p.Dispose() }`,
        ),
        (output) => isReservedForTrusted(output, createInstance),
      ),
  },
  {
    ...{ number: 30, part: 'processes', needs: ['service'], limitSeconds: 20 },
    step: 'List the processes of Porchlight that no user started.',
    expected: 'One is the service, and all others were started by it.',
    play: (tools) =>
      playCommand(
        tools,
        powershell(
          `Get-CimInstance Win32_Process -Filter 'Name like ''porchlight-agent%''' | Where-Object { $_.SessionId -eq 0 } | ForEach-Object { 'PROCESS ' + $_.ProcessId + ' ' + $_.ParentProcessId }`,
        ),
        (output) => {
          const processes = [...output.matchAll(/^PROCESS (\d+) (\d+)\s*$/gm)];
          const pids = new Set(processes.map(([, pid]) => pid));
          return processes.length === 0 ? null : processes.filter(([, , parent]) => !pids.has(parent)).length === 1;
        },
      ),
  },
  {
    ...{ number: 32, part: 'nothing left', needs: ['administrator'], limitSeconds: 20 },
    step: 'While the internet is not cut, read the rules of the firewall and the tasks.',
    expected: 'Neither a rule nor a task of a cut is left.',
    async play(tools) {
      // From the registry, because the commands for them print a missing rule and a failure alike.
      const rule = await playCommand(tools, ['reg', 'query', firewallRules, '/f', isolationName, '/d'], (output, code) =>
        code === 0 && output.includes(`Name=${isolationName}|`) ? true : code === 1 && /: 0\b/.test(output) ? false : null,
      );
      const task = await playCommand(tools, ['reg', 'query', taskTree], (output) => {
        const names = registryKeys(output).map(({ key }) => leafOf(key));
        return names.includes('Microsoft') ? names.includes(isolationName) : null;
      });
      if (rule.verdict === 'not_played') return rule;
      if (task.verdict === 'not_played') return task;
      const [hasRule, hasTask] = [rule.verdict === 'held', task.verdict === 'held'];
      const evidence = `A rule: ${hasRule ? 'yes' : 'no'}. A task: ${hasTask ? 'yes' : 'no'}.`;
      if (hasRule && hasTask) return notPlayed(`The internet is cut right now. ${evidence}`);
      return hasRule || hasTask ? failed(evidence) : passed(evidence);
    },
  },
  {
    ...{ number: 35, part: 'signatures', limitSeconds: 20 },
    step: 'Read the signatures of the installed files.',
    expected: 'With a certificate, each file has one valid signature and a timestamp.',
    async play(tools) {
      const unsigned = /^\S+ NotSigned/;
      let files: string[] = [];
      const outcome = await playCommand(tools, signed(tools.folders.program), (output) => {
        files = output.split(/\r?\n/).filter(Boolean);
        if (!files.some((line) => line.startsWith('porchlight-agent.exe '))) return null;
        if (!files.every((line) => /^\S+ \w+ (True|False)$/.test(line.trim()))) return null;
        return files.every((line) => /^\S+ Valid True$/.test(line.trim()));
      });
      if (outcome.verdict === 'not_held' && files.every((line) => unsigned.test(line))) {
        return notPlayed(`This installer was made without a certificate.\n${outcome.evidence}`);
      }
      return outcome;
    },
  },
  {
    ...{ number: 38, part: 'hosts file', limitSeconds: 20 },
    step: 'Read who may change the hosts file.',
    expected: 'No ordinary user may.',
    play: (tools) =>
      playCommand(tools, powershell(`(Get-Acl -LiteralPath 'C:\\Windows\\System32\\drivers\\etc\\hosts').Sddl`), (output) =>
        isReservedForTrusted(output, changeRights),
      ),
  },
];

/** The table “A Windows computer” of docs/release-checks.md. */
export const windowsRows: Row[] = [
  asked(
    1,
    'warning',
    'The installer was started.',
    'Unsigned: SmartScreen warned. Signed: it named the publisher.',
    'When you started the installer, did Windows warn you before it ran an unsigned file, or name the publisher of a signed one?',
  ),
  asked(
    2,
    'installation',
    'The installer ran.',
    'It ended within a minute, Defender reported nothing, and no black window stayed.',
    'Did the installer end within a minute, without a message of Defender and without a black window that stayed?',
  ),
  connectedRow(3),
  asked(
    3,
    'sign',
    'Porchlight runs.',
    'Its sign is beside the clock.',
    'Do you see the sign of Porchlight beside the clock (perhaps behind the small arrow)?',
  ),
  ...systemRows,
  ...windowsRegistryRows,
  ...toolRows(9),
  asked(
    9,
    'screen',
    'A tool was stopped.',
    'A balloon and the calm screen came.',
    'Did a message beside the clock and the calm screen of Porchlight come just now?',
    ['guardian'],
  ),
  asked(9, 'email', 'A tool was stopped.', 'The guardian has the email.', 'Does the guardian have the email about it?', ['guardian']),
  browsersRow(12, 'Edge, Chrome and Firefox'),
  ...windowsNameRows,
];
