import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCommand } from './run.ts';

function settings(): NodeJS.ProcessEnv {
  const file = fileURLToPath(new URL('../../.env', import.meta.url));
  if (existsSync(file)) process.loadEnvFile(file);
  return process.env;
}

const { code, out, err } = await runCommand(process.argv.slice(2), settings);
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = code;
