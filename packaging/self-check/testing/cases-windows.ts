import { type Case, connected, type FakeCommand, file, foreign, given, names, noKey, policiesText } from './fake-system.ts';

const actions = (delay: string, count = 3) =>
  `80510100000000000000000003000000 14000000${`01000000${delay}`.repeat(count)}`.replaceAll(' ', '');
const serviceKey = (account: string, start: string, failure: string) =>
  given([
    'Services\\Porchlight',
    [
      '',
      'HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\Porchlight',
      '    Type    REG_DWORD    0x10',
      `    Start    REG_DWORD    ${start}`,
      '    ImagePath    REG_EXPAND_SZ    "C:\\Program Files\\Porchlight\\porchlight-agent.exe" --service',
      `    ObjectName    REG_SZ    ${account}`,
      `    FailureActions    REG_BINARY    ${failure}`,
      '',
    ].join('\r\n'),
  ]);

const options = 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Image File Execution Options';
const entry = (name: string, debuggerCommand = '"C:\\Program Files\\Porchlight\\porchlight-agent.exe" --blocked') =>
  `${options}\\${name}\r\n    Porchlight    REG_DWORD    0x1\r\n    Debugger    REG_SZ    ${debuggerCommand}\r\n\r\n`;
const foreignEntry = `${options}\\chrome.exe\r\n    UseFilter    REG_DWORD    0x0\r\n\r\n`;

const table = 'HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Services\\Dnscache\\Parameters\\DnsPolicyConfig';
const rule = (name: string, servers: string, comment = 'Porchlight') =>
  `\r\n${table}\\{1}\r\n    Comment    REG_SZ    ${comment}\r\n    Name    REG_MULTI_SZ    ${name}\r\n    GenericDNSServers    REG_SZ    ${servers}\r\n`;
const hosts = 'C:\\Windows\\System32\\drivers\\etc\\hosts';
const hostsLines = '# Porchlight begins. It takes these lines away again when it stops.\n0.0.0.0 net.anydesk.com\n# Porchlight ends.\n';

const windowsOpen: FakeCommand = ['example.org', 'ADDRESSES 93.184.216.34\r\n'];
const state = (word: string) =>
  `\r\nSERVICE_NAME: Porchlight \r\n        TYPE               : 10  WIN32_OWN_PROCESS  \r\n        STATE              : ${word} \r\n`;

const noRule: FakeCommand = ['FirewallRules', 'End of search: 0 match(es) found.\r\n', 1];
const oneRule: FakeCommand = ['FirewallRules', '    {1}    REG_SZ    v2.30|Action=Block|Name=PorchlightIsolation|\r\n'];
const keysIn = (part: string, key: string, names: string[]): FakeCommand => [
  part,
  names.map((name) => `HKEY_LOCAL_MACHINE\\${key}\\${name}\r\n`).join(''),
];
const tasks = (...names: string[]) => keysIn('TaskCache', 'TaskCache\\Tree', names);
const safeMode = (...names: string[]) => keysIn('SafeBoot', 'SafeBoot\\Network', names);

export const windowsCases: Record<string, Case> = {
  '3 (connected)': connected,
  '5 (program)': {
    good: [given(['VersionInfo', 'Porchlight|1.2.3\r\n']), given(['VersionInfo', 'Porchlight|1.2.3.0\r\n'])],
    bad: [
      given(['VersionInfo', 'Node.js|22.1.0\r\n']),
      given(['VersionInfo', 'Porchlight|1.0.0\r\n']),
      given(['VersionInfo', 'Porchlight|\r\n']),
    ],
    unknown: [foreign],
  },
  '5 (folder)': {
    good: [given(['Get-Acl', 'O:BAG:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)\r\n'])],
    bad: [
      given(['Get-Acl', 'O:BAG:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)\r\n']),
      given(['Get-Acl', 'O:S-1-5-21-1-2-3-1001G:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)\r\n']),
    ],
    unknown: [given(['Get-Acl', 'O:BAG:SYD:PAI(A;OICI;XX;;;BU)\r\n']), foreign],
  },
  '6': {
    good: [
      given([
        'sdshow',
        '\r\nD:(A;;CCDCLCSWRPWPDTLOCRSDRCWDWO;;;SY)(A;;CCLCSWRPLOCRRC;;;BA)(A;;CCLCSWLOCRRC;;;IU)S:(AU;FA;CCDCLCSWRPWPDTLOCRSDRCWDWO;;;WD)\r\n',
      ]),
    ],
    bad: [
      given([
        'sdshow',
        '\r\nD:(A;;CCLCSWRPWPDTLOCRRC;;;SY)(A;;CCDCLCSWRPWPDTLOCRSDRCWDWO;;;BA)(A;;CCLCSWLOCRRC;;;IU)(A;;CCLCSWLOCRRC;;;SU)\r\n',
      ]),
      given(['sdshow', '\r\nD:(A;;CCLCSWRPWPDTLOCRRC;;;SY)(A;;CCLCSWRPWPLOCRRC;;;IU)\r\n']),
      given(['sdshow', '\r\nD:(A;;CCLCSWRPWPDTLOCRRC;;;SY)(A;;CCLCSWWDLOCRRC;;;AU)\r\n']),
    ],
    unknown: [given(['sdshow', 'D:(A;;0xf003f;;;IU)']), foreign],
  },
  '7 (service)': {
    good: [given(['sc query', state('4  RUNNING')])],
    bad: [given(['sc query', state('1  STOPPED')]), given(['sc query', '[SC] EnumQueryServicesStatus:OpenService FAILED 1060:', 1060])],
    unknown: [foreign],
  },
  '22 (history)': {
    good: [given(['MpThreatDetection', 'FOUND 0\r\n'])],
    bad: [given(['MpThreatDetection', 'FOUND 2\r\n'])],
    unknown: [given(['MpThreatDetection', 'ERROR\r\n']), foreign],
  },
  '22 (scan)': {
    good: [given(['MpCmdRun', 'Scan starting...\r\nScan finished.\r\nScanning C:\\Program Files\\Porchlight found no threats.\r\n'])],
    bad: [given(['MpCmdRun', 'Scanning C:\\Program Files\\Porchlight found 1 threats.\r\n', 2])],
    unknown: [given(['MpCmdRun', 'Der Scan ist beendet.', 0]), given(['MpCmdRun', 'CmdTool: Failed with hr = 0x80508007.', 2]), foreign],
  },
  '28 (rights)': {
    good: [given(['NamedPipe', 'D:P(A;;FA;;;SY)(A;;FA;;;BA)(A;;0x12019b;;;AU)\r\n'])],
    bad: [given(['NamedPipe', 'D:P(A;;FA;;;SY)(A;;0x12019f;;;AU)\r\n']), given(['NamedPipe', 'D:(A;;FA;;;WD)\r\n'])],
    unknown: [foreign],
  },
  '30 (processes)': {
    good: [given(['Win32_Process', 'PROCESS 500 400\r\nPROCESS 600 500\r\n'])],
    bad: [given(['Win32_Process', 'PROCESS 500 400\r\nPROCESS 600 400\r\n'])],
    unknown: [given(['Win32_Process', '']), foreign],
  },
  '32 (nothing left)': {
    good: [given(noRule, tasks('Microsoft', 'Other'))],
    bad: [given(noRule, tasks('Microsoft', 'PorchlightIsolation')), given(oneRule, tasks('Microsoft'))],
    unknown: [
      given(oneRule, tasks('Microsoft', 'PorchlightIsolation')),
      given(['FirewallRules', 'ERROR: Access is denied.', 1], tasks('Microsoft')),
      given(noRule, tasks()),
      foreign,
    ],
  },
  '35 (signatures)': {
    good: [given(['Authenticode', 'porchlight-agent.exe Valid True\r\nkoffi-1.node Valid True\r\n'])],
    bad: [
      given(['Authenticode', 'porchlight-agent.exe Valid True\r\nkoffi-1.node NotSigned False\r\n']),
      given(['Authenticode', 'porchlight-agent.exe HashMismatch True\r\n']),
      given(['Authenticode', 'porchlight-agent.exe Valid False\r\n']),
    ],
    unknown: [given(['Authenticode', 'porchlight-agent.exe NotSigned False\r\nkoffi-1.node NotSigned False\r\n']), foreign],
  },
  '38 (hosts file)': {
    good: [given(['Get-Acl', 'O:SYG:SYD:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)(A;ID;0x1200a9;;;BU)\r\n'])],
    bad: [given(['Get-Acl', 'O:SYG:SYD:AI(A;ID;FA;;;SY)(A;ID;0x1301bf;;;BU)\r\n']), given(['Get-Acl', 'O:SYG:SYD:AI(A;ID;FW;;;WD)\r\n'])],
    unknown: [foreign],
  },
  '5 (service)': {
    good: [serviceKey('LocalSystem', '0x2', actions('E8030000'))],
    bad: [
      serviceKey('LocalSystem', '0x4', actions('E8030000')),
      serviceKey('NT AUTHORITY\\LocalService', '0x2', actions('E8030000')),
      serviceKey('LocalSystem', '0x2', actions('60EA0000')),
    ],
    unknown: [serviceKey('LocalSystem', '0x2', 'zz'), serviceKey('LocalSystem', '0x2', actions('E8030000', 1)), foreign],
  },
  '7 (Safe Mode)': {
    good: [given(safeMode('AppInfo', 'Porchlight'))],
    bad: [given(safeMode('AppInfo', 'Dhcp'))],
    unknown: [given(noKey), foreign],
  },
  '10 (entries)': {
    good: [given(['Image File', foreignEntry + entry('AnyDesk.exe')])],
    bad: [
      given(['Image File', foreignEntry]),
      given(['Image File', entry('explorer.exe')]),
      given(['Image File', entry('AnyDesk.exe', 'C:\\other.exe')]),
    ],
    unknown: [foreign],
  },
  '18 (links)': {
    good: [given(['Classes', '    (Default)    REG_SZ    "C:\\Program Files\\Porchlight\\porchlight-agent.exe" --open "%1"'])],
    bad: [given(['Classes', '    (Default)    REG_SZ    "C:\\other.exe" "%1"']), given(noKey)],
    unknown: [foreign],
  },
  '31 (policies)': {
    good: [given(['Google\\Chrome', policiesText], noKey)],
    bad: [given(['Google\\Chrome', policiesText.slice(0, 60)], noKey)],
    unknown: [given(noKey), foreign],
  },
  '12 (rule)': {
    good: [given(['DnsPolicyConfig', rule('.', '127.0.0.1;10.0.0.1')])],
    bad: [
      given(['DnsPolicyConfig', rule('.', '10.0.0.1')]),
      given(['DnsPolicyConfig', rule('.example', '127.0.0.1')]),
      given(['DnsPolicyConfig', rule('.', '127.0.0.1', 'Work')]),
      given(noKey),
    ],
    unknown: [{ ...given(noKey), ...file(hosts, hostsLines) }, foreign],
  },
  '12 (servers behind)': {
    good: [given(['DnsPolicyConfig', rule('.', '127.0.0.1;10.0.0.1')], ['ServerAddresses', 'SERVERS 10.0.0.1 10.0.0.2\r\n'])],
    bad: [given(['DnsPolicyConfig', rule('.', '127.0.0.1')], ['ServerAddresses', 'SERVERS 10.0.0.1\r\n'])],
    unknown: [given(['DnsPolicyConfig', rule('.', '127.0.0.1;10.0.0.1')], ['ServerAddresses', 'SERVERS \r\n']), foreign],
  },
  '12 (names)': {
    good: [names([windowsOpen], [['net.anydesk.com', 'ERROR DNS_ERROR_RCODE_NAME_ERROR,Microsoft.DnsClient.Commands.ResolveDnsName']])],
    bad: [
      names([windowsOpen], [['net.anydesk.com', 'ADDRESSES 1.2.3.4']]),
      names([['example.org', 'ERROR ERROR_TIMEOUT,Microsoft']], [['net.anydesk.com', 'ERROR DNS_ERROR_RCODE_NAME_ERROR,']]),
    ],
    unknown: [names([windowsOpen], [['net.anydesk.com', 'fixme:powershell stub']]), names([windowsOpen], []), foreign],
  },
  '15 (hosts file)': {
    good: [{ ...given(noKey), ...file(hosts, hostsLines) }],
    bad: [given(noKey), { ...given(['DnsPolicyConfig', rule('.', '127.0.0.1')]), ...file(hosts, hostsLines) }],
    unknown: [given(['DnsPolicyConfig', rule('.', '127.0.0.1')]), foreign],
  },
};
