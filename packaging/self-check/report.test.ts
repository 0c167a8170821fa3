import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { redactor } from './redact.ts';
import { jsonMarks, type Report, reportText, writeReport } from './report.ts';

const redact = redactor({ users: ['Anna Weber', 'root'], computers: ['ANNAS-PC'], homes: ['C:\\Users\\Anna Weber'] });

const result = {
  ...({ row: '12 (rule)', number: 12, step: 'Read it.', expected: 'A rule.', seconds: 0.4 } as const),
  verdict: 'not_held' as const,
  evidence: 'rule of ANNAS-PC\\Anna Weber',
};
const report: Report = {
  ...{ date: '2027-04-30', system: 'windows', system_version: 'Windows 11 Home (10.0.22631, x64)', agent_version: '1.2.3' },
  ...{ complete: true, seconds: 61, rows: [result, { ...result, row: '3', number: 3, verdict: 'held', evidence: 'fine' }] },
};

describe('the report of the self-check', () => {
  it.each([
    ['the name of the user', 'C:\\Users\\Anna Weber\\Downloads\\x.exe', 'C:\\Users\\Anna Weber'],
    ['another user', 'C:\\Users\\Bob\\x and /home/bob/x and /Users/bob/x', 'ob'],
    ['the name of the computer', 'annas-pc.local says', 'annas'],
    ['an account on the computer', 'ANNAS-PC\\Bob Miller:(F)', 'Bob'],
    ['an email address', 'from anna.w+x@mail.example.org', 'example.org'],
    ['a device code', 'Porchlight [ABCD-EFGH].exe', 'EFGH'],
    ['a PIN', 'The PIN 194735 is right', '194735'],
    ['a one-time code', 'code 12345678', '12345678'],
    ['the secret of a page', 'http://127.0.0.1:23407/ui/?t=abc_D-1', 'abc_D'],
    ['the secret of a link', 'porchlight://link?server=x&code=QQQQ&exp=1&nonce=zzz1', 'zzz1'],
    ['the name of a Wi-Fi', '    SSID                   : Webers Nest\n    Profile                : Webers Nest', 'Nest'],
    ['the name of a Wi-Fi on a Mac', 'Current Wi-Fi Network: Webers Nest', 'Nest'],
    ['the domain of a network', '  search domain[0] : webers-home.example', 'webers'],
    ['a network card', '3c:22:fb:01:02:03 and 3C-22-FB-01-02-03', '22'],
    ['an address of the network', 'DNS 192.168.178.1 and fe80::1c2b:3d4e:5f60:7182 and 2001:db8:1:2:3:4:5:6', '192|fe80|2001'],
    ['a user id', 'S-1-5-21-11-22-33-1001', '1001'],
  ])('%s is replaced', (_kind, text, secret) => {
    expect(redact(text)).not.toMatch(new RegExp(secret.replaceAll('\\', '\\\\')));
  });

  it('what evidence needs stays: loopback, versions, milliseconds, times and names that every computer has', () => {
    const text =
      'root: 127.0.0.1;0.0.0.0 ended after 1234 ms, exit code 0, Windows 10.0.22631, 12:30:59, example.org, D:PAI(A;OICI;FA;;;SY)';
    expect(redact(text)).toBe(text);
  });

  it('people read it from the top, and a program reads the same rows between two lines', () => {
    const text = reportText(report, redact);
    expect(text).toContain('Row 12 (rule): NOT HELD');
    expect(text).toContain('Not held: 12 (rule)');
    expect(text).toContain('Agent: 1.2.3');
    expect(text).not.toMatch(/Anna|ANNAS/i);
    const json = text.slice(text.indexOf(jsonMarks.begin) + jsonMarks.begin.length, text.indexOf(jsonMarks.end));
    expect(JSON.parse(json)).toMatchObject({ agent_version: '1.2.3', rows: [{ row: '3' }, { row: '12 (rule)', verdict: 'not_held' }] });
  });

  it('long evidence is shortened to some lines', () => {
    const long = { ...result, evidence: Array.from({ length: 400 }, (_, n) => `line ${n}`).join('\n') };
    const text = reportText({ ...report, rows: [long] }, redact);
    expect(text).toContain('… and 388 more lines');
    expect(text).not.toContain('line 300');
  });

  it('a file is never written over, nor through a link, and a folder that takes none is passed over', async () => {
    const folder = await temporaryFolder();
    const name = 'porchlight-self-check-windows-2027-04-30';
    await writeFile(join(folder, 'of-root'), 'theirs');
    await symlink(join(folder, 'of-root'), join(folder, `${name}.txt`));
    const path = await writeReport(report, 'text', [join(folder, 'missing'), folder]);
    expect(path).toBe(join(folder, `${name}-2.txt`));
    expect(await readFile(join(folder, 'of-root'), 'utf8')).toBe('theirs');
    expect(await readFile(path, 'utf8')).toBe('text');
    expect(await readdir(folder)).toHaveLength(3);
  });
});
