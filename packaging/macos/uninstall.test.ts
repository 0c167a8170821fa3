import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';

describe('uninstalling on macOS', () => {
  const script = fileURLToPath(new URL('./uninstall.sh', import.meta.url));
  const installedFiles = [
    'Library/LaunchDaemons/example.porchlight.agent.plist',
    'Library/LaunchAgents/example.porchlight.window.plist',
    'Applications/Porchlight.app/Contents/Info.plist',
    'Applications/Uninstall Porchlight.command',
  ];
  const program = 'Library/Application Support/Porchlight/porchlight-agent';

  async function disk(): Promise<string> {
    const root = await temporaryFolder();
    for (const path of [...installedFiles, program, 'Library/Application Support/Other/x', 'Library/LaunchDaemons/other.plist']) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), '');
    }
    writeFileSync(
      join(root, program),
      `#!/bin/sh
[ -n "$AGENT_DATA_DIR" ] || exit 8
echo "agent $*" >> "$ROOT/ran"
[ "$*" != --restore-names ] || exit "\${NAMES_STUCK:-0}"
[ "$*" = --uninstall ] || exit 9
read -r pin
[ "$pin" = 482913 ]
`,
    );
    chmodSync(join(root, program), 0o755);
    return root;
  }
  const run = (root: string, pin: string, env: Record<string, string> = {}) =>
    spawnSync('sh', [script], { env: { PATH: process.env.PATH, ROOT: root, ...env }, input: `${pin}\n`, encoding: 'utf8' });
  const loggedCalls = (root: string) => readFileSync(join(root, 'ran'), 'utf8').trim().split('\n');

  /** A fake launchd that reports the daemon as loaded for `printCalls` calls. */
  async function running(printCalls: number) {
    const root = await disk();
    const bin = join(root, 'bin');
    mkdirSync(bin);
    const launchctl = `echo "launchctl $*" >> "${root}/ran"\n[ "$1" != print ] || [ "$(grep -c ' print ' "${root}/ran")" -le ${printCalls} ]`;
    for (const [name, lines] of Object.entries({ launchctl, ps: '', pkgutil: '', sleep: '' }))
      writeFileSync(join(bin, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    return { root, env: { RUNNING: root, PATH: `${bin}:${process.env.PATH}` } };
  }

  test('[P4.6] without the PIN nothing is removed', async () => {
    const root = await disk();
    for (const pin of ['', '000000', '$(true)', '482913 ; true']) {
      const { status, stderr } = run(root, pin);
      expect([status, stderr]).toEqual([1, 'Nothing was removed.\n']);
    }
    for (const path of [...installedFiles, program]) expect(existsSync(join(root, path))).toBe(true);
  });

  test('[P4.6] with the PIN all files of the agent are removed, and no other', async () => {
    const root = await disk();
    expect(run(root, '482913').status).toBe(0);
    for (const path of [...installedFiles, 'Applications/Porchlight.app', 'Library/Application Support/Porchlight'])
      expect(existsSync(join(root, path))).toBe(false);
    for (const path of ['Library/Application Support/Other/x', 'Library/LaunchDaemons/other.plist'])
      expect(existsSync(join(root, path))).toBe(true);
  });

  const [daemon, print] = ['system/example.porchlight.agent', 'launchctl print system/example.porchlight.agent'];

  test('[P4.6] the uninstaller waits for the agent to end, then restores the DNS settings again before it deletes their backup', async () => {
    const { root, env } = await running(2);
    expect(run(root, '482913', env).status).toBe(0);
    expect(loggedCalls(root)).toEqual(['agent --uninstall', `launchctl bootout ${daemon}`, print, print, print, 'agent --restore-names']);
    expect(existsSync(join(root, program))).toBe(false);
  });

  test.each([
    ['does not end', 1000, {}],
    ['leaves names that cannot be put back', 0, { NAMES_STUCK: '1' }],
  ])('[P4.6] an agent that %s is not removed and continues', async (_what, printCalls, extraEnv) => {
    const { root, env } = await running(printCalls);
    const { status, stderr } = run(root, '482913', { ...env, ...extraEnv });
    expect([status, stderr]).toEqual([1, expect.stringContaining('Nothing was removed.')]);
    for (const path of [...installedFiles, program]) expect(existsSync(join(root, path))).toBe(true);
    expect(loggedCalls(root).at(-1)).toBe(
      `launchctl bootstrap system ${join(root, 'Library/LaunchDaemons/example.porchlight.agent.plist')}`,
    );
  });
});
