import type { Os } from './port.ts';

/** The imports are dynamic: a bundle contains only one system's code. */
export async function loadOs(env: NodeJS.ProcessEnv): Promise<Os> {
  if (process.platform === 'linux') return (await import('./linux/linux.ts')).linux(env);
  if (process.platform === 'darwin') return (await import('./macos/here.ts')).createMacOs();
  if (process.platform === 'win32') return (await import('./windows/here.ts')).createWindowsOs();
  throw new Error('Porchlight protects Linux, macOS and Windows.');
}

export async function serviceManagerOf(env: NodeJS.ProcessEnv) {
  return process.platform === 'linux' ? (await import('./linux/systemd.ts')).systemd(env) : null;
}

/** For a user who started the agent by a click, without a terminal. */
export async function showNotice(sentence: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (process.platform === 'linux') (await import('./linux/desktop/notice.ts')).notice(sentence, env);
}
