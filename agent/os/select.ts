import type { Os } from './port.ts';

/** The system that this computer runs. Each is loaded only where it is; a bundle for another one does not have it. */
export async function systemHere(env: NodeJS.ProcessEnv): Promise<Os> {
  if (process.platform === 'linux') return (await import('./linux/linux.ts')).linux(env);
  if (process.platform === 'darwin') return (await import('./macos/here.ts')).macHere();
  if (process.platform === 'win32') return (await import('./windows/here.ts')).windowsHere();
  throw new Error('Porchlight protects Linux, macOS and Windows.');
}

/** Who started us and wants to hear that we go on; null where nobody does. */
export async function keeperHere(env: NodeJS.ProcessEnv) {
  return process.platform === 'linux' ? (await import('./linux/systemd.ts')).systemd(env) : null;
}

/** Says something to a person who clicked, where there is no terminal to read it on. */
export async function sayHere(sentence: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (process.platform === 'linux') (await import('./linux/desktop/notice.ts')).notice(sentence, env);
}
