import { type Case, connected, type FakeCommand, file, foreign, type Given, given, names, policiesText } from './fake-system.ts';

const daemon = (word: string, program = '/Library/Application Support/Porchlight/porchlight-agent') =>
  given(['launchctl print', `system/example.porchlight.agent = {\n\tstate = ${word}\n\n\tprogram = ${program}\n\tpid = 431\n}\n`]);
const macPolicies = policiesText.replaceAll('REG_', '');
const macOpen: FakeCommand = ['example.org', 'name: example.org\nip_address: 93.184.216.34\n\n'];

export const macosCases: Record<string, Case> = {
  '3 (connected)': connected,
  '5 (daemon)': {
    good: [daemon('running')],
    bad: [daemon('not running'), daemon('running', '/tmp/other'), given(['launchctl', 'Could not find service', 113])],
    unknown: [foreign],
  },
  '5 (processor)': {
    good: [
      given(['sysctl', '1\n'], ['file', 'porchlight-agent: Mach-O 64-bit executable arm64']),
      given(['sysctl', "sysctl: unknown oid 'hw.optional.arm64'", 1], ['file', 'Mach-O 64-bit executable x86_64']),
    ],
    bad: [given(['sysctl', '1\n'], ['file', 'Mach-O 64-bit executable x86_64'])],
    unknown: [given(['file', 'Mach-O 64-bit executable x86_64']), foreign],
  },
  '6 (program)': {
    good: [given(['codesign', ''])],
    bad: [given(['codesign', 'code object is not signed at all', 1])],
    unknown: [foreign, given(['codesign', 'usage', 2])],
  },
  '6 (files)': {
    good: [given(['pkgutil', 'Library/Application Support/Porchlight/porchlight-agent-arm64\n'])],
    bad: [given(['pkgutil', 'No receipt for', 1])],
    unknown: [foreign],
  },
  '11 (window)': {
    good: [given(['stat -f', '501\n'], ['gui/501/', 'gui/501/example.porchlight.window = {'])],
    bad: [given(['stat -f', '501\n'], ['gui/501/', 'Could not find service', 113])],
    unknown: [given(['stat -f', '0\n'], ['gui/0/', 'gui/0/example.porchlight.window = {']), foreign],
  },
  '13 (application)': {
    good: [given(['codesign', ''])],
    bad: [given(['codesign', 'a sealed resource is missing or invalid', 1])],
    unknown: [foreign],
  },
  '13 (links)': {
    good: [given(['plutil', '"CFBundleIdentifier" => "x"\n "CFBundleURLSchemes" => [\n 0 => "porchlight"\n ]'])],
    bad: [given(['plutil', '"CFBundleIdentifier" => "x"\n'])],
    unknown: [foreign],
  },
  '14 (first server)': {
    good: [given(['scutil', 'resolver #1\n  nameserver[0] : 127.0.0.1\n  nameserver[1] : 10.0.0.1\n'])],
    bad: [given(['scutil', 'resolver #1\n  nameserver[0] : 10.0.0.1\n'])],
    unknown: [foreign],
  },
  '14 (names)': {
    good: [names([macOpen], [['net.anydesk.com', '']])],
    bad: [names([macOpen], [['net.anydesk.com', 'ip_address: 1.2.3.4\n']]), names([['example.org', '']], [['net.anydesk.com', '']])],
    unknown: [names([macOpen], []), foreign],
  },
  '16 (question)': {
    good: [given(['willshutdown', '0\n'])],
    bad: [given(['willshutdown', '1\n'])],
    unknown: [given(['willshutdown', 'unknown oid', 1]), foreign],
  },
  '24 (policies)': {
    good: [given(['com.google.Chrome', macPolicies], ['', 'does not exist', 1])],
    bad: [given(['com.google.Chrome', 'DnsOverHttpsMode => off'], ['', 'does not exist', 1])],
    unknown: [given(['', 'does not exist', 1]), foreign],
  },
  '26 (runtime)': {
    good: [given(['codesign -d', 'flags=0x10000(runtime) hashes=1\nAuthority=Developer ID Application: X (1)\n'])],
    bad: [
      given(['codesign -d', 'flags=0x0(none) hashes=1\nAuthority=Developer ID Application: X (1)\n']),
      given(['codesign -d', 'flags=0x10000(runtime) hashes=1\nAuthority=Apple Development: X (1)\n']),
    ],
    unknown: [given(['codesign -d', 'flags=0x2(adhoc)\nSignature=adhoc\n']), foreign],
  },
  '25 (nothing left)': {
    good: [given(['pfctl', ''])],
    bad: [given(['pfctl', 'block drop quick all\n'])],
    unknown: [given(['pfctl', 'pfctl: Permission denied', 1]), foreign],
  },
};

const linuxState = (active: string, sub: string) => given(['systemctl show', `ActiveState=${active}\nSubState=${sub}\n`]);
const linuxOpen: FakeCommand = ['example.org', '93.184.216.34   STREAM example.org\n'];
const capabilities = (bits: string): Given => ({
  ...given(['MainPID', 'MainPID=77\n']),
  ...file('/proc/77/status', `Name:\tx\nCapBnd:\t${bits}\n`),
});
const resolved = '/etc/systemd/resolved.conf.d/porchlight.conf';
const marked =
  '# Porchlight begins. It takes these lines away again when it stops.\nnameserver 127.0.0.1\n# Porchlight ends.\nnameserver 10.0.0.1\n';

export const linuxCases: Record<string, Case> = {
  '1 (connected)': connected,
  '1 (service)': {
    good: [linuxState('active', 'running')],
    bad: [linuxState('failed', 'failed'), linuxState('inactive', 'dead')],
    unknown: [foreign],
  },
  '2 (exposure)': {
    good: [given(['security', '→ Overall exposure level for porchlight-agent.service: 4.1 OK :-)\n'])],
    bad: [given(['security', '→ Overall exposure level for porchlight-agent.service: 4.5 OK\n'])],
    unknown: [foreign],
  },
  '2 (log)': {
    good: [given(['journalctl', '-- No entries --\n', 1]), given(['journalctl', '', 1])],
    bad: [given(['journalctl', 'spawn EPERM\n'])],
    unknown: [given(['journalctl', 'Compiled without pattern matching support\n', 1]), given(['journalctl', '', 0])],
  },
  '5 (menu entry)': {
    good: [file('/usr/share/applications/porchlight.desktop', 'Exec=x\nMimeType=x-scheme-handler/porchlight;\n')],
    bad: [{}, file('/usr/share/applications/porchlight.desktop', 'MimeType=text/plain;\n')],
    unknown: [file('/usr/share/applications/porchlight.desktop', 'Exec=x\n')],
  },
  '9 (first server)': {
    good: [file(resolved, '[Resolve]\nDNS=\nDNS=127.0.0.1 10.0.0.1\n'), file('/etc/resolv.conf', marked)],
    bad: [
      file(resolved, '[Resolve]\nDNS=\n'),
      file('/etc/resolv.conf', 'nameserver 10.0.0.1\n'),
      file('/etc/resolv.conf', 'nameserver 127.0.0.1\n'),
    ],
    unknown: [{}],
  },
  '9 (names)': {
    good: [
      names([linuxOpen], [['net.anydesk.com', '', 2]]),
      names([linuxOpen], [['net.anydesk.com', '0.0.0.0  STREAM net.anydesk.com\n']]),
    ],
    bad: [names([linuxOpen], [['net.anydesk.com', '1.2.3.4 STREAM x\n']]), names([['example.org', '', 2]], [['net.anydesk.com', '', 2]])],
    unknown: [names([linuxOpen], [['net.anydesk.com', 'usage', 1]]), foreign],
  },
  '10 (before sleep)': {
    good: [
      given([
        'inhibit',
        'WHO        UID USER PID COMM WHAT  WHY  MODE\nPorchlight 0   root 9   x    sleep why  delay\n\n1 inhibitors listed.\n',
      ]),
    ],
    bad: [given(['inhibit', 'No inhibitors.\n'])],
    unknown: [foreign],
  },
  '11 (capabilities)': {
    good: [capabilities('00000000000814e5')],
    bad: [capabilities('000001ffffffffff'), capabilities('00000000000814e7')],
    unknown: [given(['MainPID', 'MainPID=0\n']), given(['MainPID', 'MainPID=77\n'])],
  },
  '14 (policies)': {
    good: [file('/etc/opt/chrome/policies/managed/porchlight.json', policiesText)],
    bad: [file('/etc/firefox/policies/policies.json', '{"policies":{"DNSOverHTTPS":{}}}')],
    unknown: [{}],
  },
  '15 (nothing left)': {
    good: [given(['nft', 'table inet filter\ntable ip nat\n']), given(['nft', ''])],
    bad: [],
    unknown: [given(['nft', 'table inet porchlight_isolation\n']), given(['nft', 'Operation not permitted', 1]), foreign],
  },
};
