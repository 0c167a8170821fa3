import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { requirePrograms, skipTest } from '../../testing/left-out.ts';
import { messages } from './messages.ts';

const modulePath = fileURLToPath(new URL('linux.ts', import.meta.url));
const script = `import { linux } from ${JSON.stringify(modulePath)}; console.log(JSON.stringify(linux({}).limitations()));`;
/** The limitations of an agent that runs as root with only these capabilities. */
const limitations = (capabilities: string): string[] =>
  JSON.parse(
    execFileSync('setpriv', [`--bounding-set=${capabilities}`, '--inh-caps=-all', process.execPath, '--input-type=module', '-e', script], {
      encoding: 'utf8',
    }),
  ) as string[];

it('a service without the right to act as other users reports that it cannot quarantine their files', (context) => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) skipTest(context, 'only root on Linux has rights to lose.');
  requirePrograms(context, { setpriv: 'util-linux' });
  expect(limitations('-all,+kill,+sys_ptrace,+dac_override')).toContain(messages.notOthers);
  expect(limitations('-all,+kill,+setuid')).toContain(messages.notOthers);
  expect(limitations('-all,+kill,+setuid,+setgid')).not.toContain(messages.notOthers);
});
