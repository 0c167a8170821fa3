import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { TestContext } from 'vitest';
import { skipTest } from './left-out.ts';

/** The command in front of a program that gives it a network, and a view of the disk, of its own, as root. */
export const ownNetwork = ['unshare', '--user', '--map-root-user', '--net', '--mount'];
/** A shell command for a namespace: the sockets of an agent with `--system` are then not those that other tests find. */
export const ownRun = 'mount -t tmpfs tmpfs /run';
const nftPaths = ['/usr/sbin/nft', '/sbin/nft'];

/** Skips a test of rules that would cut this computer's own network. */
export function requireNftables(context: TestContext): void {
  const [command = '', ...args] = ownNetwork;
  if (process.platform !== 'linux' || spawnSync(command, [...args, 'ip', 'link', 'set', 'lo', 'up']).status !== 0)
    skipTest(context, 'no network namespace may be made here, and this computer’s own network is not touched.');
  if (!nftPaths.some(existsSync)) skipTest(context, 'nft is not on this system (Debian: apt-get install nftables).');
}
