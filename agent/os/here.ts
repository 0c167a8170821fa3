import { linux } from './linux/linux.ts';
import type { Os } from './port.ts';

/** The system that this computer runs. Each is loaded only where it is: the others' native parts are not there. */
export async function systemHere(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Promise<Os> {
  if (platform === 'linux') return linux(env);
  if (platform === 'darwin') return (await import('./macos/here.ts')).macHere();
  throw new Error('Porchlight protects Linux and macOS so far. Windows comes next.');
}
