import { execFile } from 'node:child_process';

/** Longer than systemd takes to say it, and short enough for a computer that is going down. */
const TIMEOUT_MS = 1000;

/**
 * Whether the computer is going down. A signal alone does not tell: systemd sends the same SIGTERM when it stops one service (`systemctl stop`) and when
 * it stops all of them; but in the second case its own state is `stopping` from the first moment on, however the shutdown was asked for. Where there is
 * no systemd it cannot be told, and a stop counts as one of the program alone: that is what people should hear of.
 */
export function shuttingDown(systemctl: string | null): Promise<boolean> {
  if (!systemctl) return Promise.resolve(false);
  return new Promise((resolve) => {
    // It exits with an error in every state but `running`; what counts is the word.
    execFile(systemctl, ['is-system-running'], { timeout: TIMEOUT_MS }, (_err, stdout) => resolve(String(stdout).trim() === 'stopping'));
  });
}
