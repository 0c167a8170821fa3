import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/agent.ts';
import { systemdForTest } from '../../testing/systemd.ts';
import { until } from '../../testing/until.ts';
import { services } from './services.ts';

it('A8: a service that restarts when killed and takes 30 s to stop is ended at once', async (context) => {
  const { add, property, systemctl, command, runtime } = await systemdForTest(context);
  const folder = await temporaryFolder();
  const [termLog, startLog] = [join(folder, 'asked'), join(folder, 'starts')];
  await writeFile(termLog, '');
  await writeFile(startLog, '');
  const program = join(folder, 'tool');
  // Logs each start and each SIGTERM, and runs on for 30 s after SIGTERM.
  await writeFile(
    program,
    `#!/bin/sh\ntrap 'echo asked >> ${termLog}; sleep 30' TERM\necho start >> ${startLog}\nwhile :; do sleep 60 & wait; done\n`,
  );
  await chmod(program, 0o755);
  await add('tool.service', `[Service]\nExecStart=${program}\nRestart=always\nRestartSec=0\nStartLimitIntervalSec=0\nTimeoutStopSec=60\n`);
  await add('other.service', '[Service]\nExecStart=/bin/sleep 60\n');
  const { setService, serviceState } = services(command.file, command.args, { system: runtime, user: runtime });
  await systemctl('start', 'tool.service', 'other.service');
  await until('its start', async () => (await readFile(startLog, 'utf8')) !== '');
  const startTime = performance.now();
  expect(await setService({ name: 'tool.service' }, { running: false, enabled: false })).toBe(true);
  // Well below the 30 s the service would take, even on a slow machine.
  expect(performance.now() - startTime).toBeLessThan(25_000);
  expect(await readFile(termLog, 'utf8')).toBe('');
  expect(await serviceState({ name: 'tool.service' })).toMatchObject({ running: false });
  const startsBefore = await readFile(startLog, 'utf8');
  expect(await property('tool.service', 'ActiveState')).not.toBe('active');
  expect(await readFile(startLog, 'utf8')).toBe(startsBefore);
  expect(existsSync(join(runtime, 'tool.service.d'))).toBe(false);
  expect(await property('tool.service', 'Restart')).toBe('always');
  expect(await serviceState({ name: 'other.service' })).toMatchObject({ running: true });
});
