// `npm run serve`: the server alone, as people use it. No agent, and no simulator that was not asked for by name.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onNpmExit } from './npm-exit.ts';
import { root } from './root.ts';

function refuse(sentence: string, code: number): never {
  console.error(sentence);
  process.exit(code);
}

const unknownOptions = process.argv.slice(2);
if (unknownOptions.length) {
  refuse(`npm run serve does not know ${unknownOptions.join(' ')}: its settings come from the environment or from .env.`, 2);
}
if (!existsSync(join(root, 'dashboard', 'dist', 'index.html'))) {
  refuse('The dashboard is not built: dashboard/dist/index.html is missing. This command builds it: npm run build', 1);
}
if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'));
process.env.NODE_ENV ||= 'production';
// Because of `exec` in package.json, npm passes its signals to this process. A killed npm passes none.
onNpmExit(() => process.kill(process.pid, 'SIGTERM'));
// It reads the settings, handles signals and decides about the exit code itself.
await import('@porchlight/server/main.ts');
