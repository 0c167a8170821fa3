import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCommand } from './run.ts';

function settings(): NodeJS.ProcessEnv {
  const file = fileURLToPath(new URL('../../.env', import.meta.url));
  if (existsSync(file)) process.loadEnvFile(file);
  return process.env;
}

const { code, out, err } = await runCommand(process.argv.slice(2), settings);
await written(process.stdout, out);
await written(process.stderr, err);
// Ends the process even while a server that never answers leaves a connection open. All that was opened is closed by now.
process.exit(code);

function written(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()));
}
