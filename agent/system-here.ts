import type { Os } from './os/port.ts';

/** The system that this computer runs. Each is loaded only where it is; a bundle for another one does not have it. */
export async function systemHere(env: NodeJS.ProcessEnv): Promise<Os> {
  if (process.platform === 'linux') return (await import('./os/linux/linux.ts')).linux(env);
  if (process.platform === 'darwin') return (await import('./os/macos/here.ts')).macHere();
  if (process.platform === 'win32') return (await import('./os/windows/here.ts')).windowsHere();
  throw new Error('Porchlight protects Linux, macOS and Windows.');
}
