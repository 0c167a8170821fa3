import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCpio, readXar } from '../testing/read-xar.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { macPackage } from './package.ts';

const folder = 'Library/Application Support/Porchlight';
const application = 'Applications/Porchlight.app';

/** Runs the package's last script on a simulated Mac disk. `tools`: fake system programs as lines of sh. */
async function installed(tools: Record<string, string>, running = false) {
  const disk = await temporaryFolder();
  const programs = (['arm64', 'x64'] as const).map((arch) => ({
    arch,
    agent: Buffer.from(arch),
    native: { name: 'koffi-1.0.0.node', content: Buffer.from(arch) },
  }));
  const packageFiles = readXar(macPackage({ version: '1.2.3', programs, beside: {} }));
  for (const [path, { content, mode }] of readCpio(packageFiles.get('agent.pkg/Payload') ?? Buffer.alloc(0))) {
    if (mode >= 0o100000) writeFileSync(join(disk, path), content, { mode });
    else mkdirSync(join(disk, path), { recursive: true });
  }
  const script = join(disk, 'postinstall');
  writeFileSync(script, readCpio(packageFiles.get('agent.pkg/Scripts') ?? Buffer.alloc(0)).get('./postinstall')?.content ?? '');
  const bin = join(disk, 'bin');
  mkdirSync(bin);
  for (const [name, lines] of Object.entries({ ...mac, ...tools })) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> "${disk}/ran"\n${lines}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const { status } = spawnSync('sh', [script, '/x.pkg', '/', disk], {
    env: { PATH: `${bin}:/usr/bin:/bin`, ...(running ? { RUNNING: disk } : {}) },
  });
  const loggedCalls = existsSync(join(disk, 'ran')) ? readFileSync(join(disk, 'ran'), 'utf8').trim().split('\n') : [];
  return { status, ran: loggedCalls, at: (path: string) => join(disk, path) };
}

/** A fake osacompile: writes Apple's program, the script, an Info.plist, and a seal. */
const compile = `made=$2
mkdir -p "$made/Contents/MacOS" "$made/Contents/Resources/Scripts" "$made/Contents/_CodeSignature"
echo applet > "$made/Contents/MacOS/applet"; chmod 755 "$made/Contents/MacOS/applet"
cp "$3" "$made/Contents/Resources/Scripts/main.scpt"
echo other > "$made/Contents/Info.plist"`;
const mac = { sysctl: 'echo 1', osacompile: compile, codesign: '' };

describe('the application of the package', () => {
  test('handles porchlight: links and is compiled and signed on the Mac', async () => {
    const { status, ran, at } = await installed({});
    expect(status).toBe(0);
    const about = readFileSync(at(`${application}/Contents/Info.plist`), 'utf8');
    const text = (key: string) => new RegExp(`<key>${key}</key>\\s*<string>([^<]*)<`).exec(about)?.[1];
    expect(['CFBundleIdentifier', 'CFBundleVersion', 'CFBundleExecutable'].map(text)).toEqual([
      'example.porchlight.application',
      '1.2.3',
      'applet',
    ]);
    expect(about).toMatch(/<key>CFBundleURLSchemes<\/key>\s*<array><string>porchlight<\/string><\/array>/);
    expect(readFileSync(at(`${application}/Contents/MacOS/applet`), 'utf8')).toBe('applet\n');
    expect(readFileSync(at(`${application}/Contents/Resources/Scripts/main.scpt`), 'utf8')).toContain('on open location link');
    expect(ran.at(-1)).toBe(`codesign --force --sign - ${at(application)}`);
    expect(readdirSync(at(`${application}/Contents`))).not.toContain('_CodeSignature');
  });

  test.each([['osacompile'], ['codesign']])('is removed when the command %s fails, and the agent is installed anyway', async (tool) => {
    const { status, at } = await installed({ [tool]: 'exit 1' });
    expect(status).toBe(0);
    expect(existsSync(at(application))).toBe(false);
    expect(readFileSync(at(`${folder}/porchlight-agent`), 'utf8')).toBe('arm64');
  });

  test.each([
    ['arm64', { sysctl: 'echo 1' }],
    ['arm64', { sysctl: 'exit 1', uname: 'echo arm64' }],
    ['x64', { sysctl: 'exit 1', uname: 'echo x86_64' }],
  ])('leaves only the agent for the processor of the Mac: %s', async (arch, tools) => {
    const { at } = await installed(tools);
    expect(readFileSync(at(`${folder}/porchlight-agent`), 'utf8')).toBe(arch);
    expect(readFileSync(at(`${folder}/koffi-1.0.0.node`), 'utf8')).toBe(arch);
    expect(readdirSync(at(folder)).filter((name) => /-(arm64|x64)$/.test(name))).toEqual([]);
  });

  test('the agent starts on the running system after the previous agent has ended, and the window of the logged-in user starts too', async () => {
    const launchctl = '[ "$1" = bootstrap ] && [ "$(grep -c bootstrap "$(dirname "$0")/../ran")" -lt 3 ] && exit 5; exit 0';
    const { status, ran, at } = await installed({ launchctl, stat: 'echo 501' }, true);
    const start = `launchctl bootstrap system ${at('Library/LaunchDaemons/example.porchlight.agent.plist')}`;
    expect(status).toBe(0);
    expect(ran.filter((line) => line.startsWith('launchctl'))).toEqual([
      'launchctl bootout system/example.porchlight.agent',
      ...Array(3).fill(start),
      'launchctl bootout gui/501/example.porchlight.window',
      `launchctl bootstrap gui/501 ${at('Library/LaunchAgents/example.porchlight.window.plist')}`,
    ]);
    const login = await installed({ launchctl: '', stat: 'echo 0' }, true);
    expect(login.ran.filter((line) => line.includes('gui/'))).toEqual([]);
    expect((await installed({ launchctl: '' })).ran.filter((line) => line.startsWith('launchctl'))).toEqual([]);
  });

  test('runs the agent with the link as one argument, and never as part of a command', () => {
    const script = readFileSync(new URL('./application/open.applescript', import.meta.url), 'utf8');
    expect(script).toContain('do shell script quoted form of agent & " --open " & quoted form of link');
    expect(script.match(/do shell script/g)).toHaveLength(1);
  });
});
