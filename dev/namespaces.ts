import { spawnSync } from 'node:child_process';

/**
 * `ip` brings up the loopback interface. The shell stays the first process of the namespace, because it waits for processes that lost their
 * parent; a first process that does not would leave them as zombies.
 */
const firstProcess = ['sh', '-c', 'ip link set lo up && "$@"; exit $?', 'sh'];
const namespaces = ['--pid', '--fork', '--kill-child', '--net', '--mount-proc'];
/** Users other than root need a user namespace, in which they keep their number. */
const asUser = ['--user', '--map-current-user', '--keep-caps'];

let prefix: string[] | null = null;

/**
 * The command in front of a program and its arguments that gives it process and network namespaces of its own: it sees no other program of
 * the computer, every port is free, and ending the command ends everything that was started in it. Null where the system does not allow it.
 */
export function inOwnNamespaces(): string[] | null {
  // A failure is not remembered: `npm test` may install `ip` meanwhile.
  prefix ??= process.platform === 'linux' ? findPrefix() : null;
  return prefix;
}

function findPrefix(): string[] | null {
  const candidate = ['unshare', ...(process.getuid?.() === 0 ? [] : asUser), ...namespaces, ...firstProcess];
  const [command = '', ...args] = candidate;
  return spawnSync(command, [...args, 'true'], { stdio: 'ignore', timeout: 10_000 }).status === 0 ? candidate : null;
}
