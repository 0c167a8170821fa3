import { execFile } from 'node:child_process';

const TIMEOUT_MS = 1000;

/**
 * systemd sends the same SIGTERM to stop one service and at shutdown, but its state is `stopping` from the start of a shutdown. False
 * without systemd, since a needless notification is better than a missing one.
 */
export function shuttingDown(systemctl: string | null): Promise<boolean> {
  if (!systemctl) return Promise.resolve(false);
  return new Promise((resolve) => {
    // The error is ignored: it means any state but `running`.
    execFile(systemctl, ['is-system-running'], { timeout: TIMEOUT_MS }, (_err, stdout) => resolve(String(stdout).trim() === 'stopping'));
  });
}
