import { spawnSync } from 'node:child_process';
import { brand } from '@porchlight/contract/brand.ts';

export function notice(sentence: string, env: NodeJS.ProcessEnv): void {
  spawnSync('notify-send', ['--app-name', brand.name, brand.name, sentence], { env, stdio: 'ignore', timeout: 5000 });
}
