import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { linux } from '../os/linux/linux.ts';
import { agentForTest, serverForTest, temporaryFolder } from '../testing/agent.ts';
import { run } from '../testing/programs.ts';
import { until } from '../testing/until.ts';

/** A program under a name of its own, which contains the name of RustDesk's library as the real one does. */
async function ownBrand(folder: string, withLibrary: boolean): Promise<string> {
  const program = join(folder, 'bank-support');
  mkdirSync(join(folder, 'lib'), { recursive: true });
  copyFileSync('/bin/sleep', program);
  appendFileSync(program, 'librustdesk.so');
  if (withLibrary) writeFileSync(join(folder, 'lib/librustdesk.so'), '');
  return program;
}

it('[P12.7] a build of RustDesk under another name is ended by the library that it brings, and the same file without the library runs', async () => {
  const server = await serverForTest();
  const test = await agentForTest(server, { os: { ...linux({ PATH: process.env.PATH }), openWindow: () => true } });
  await test.linked();
  const [branded, bystander] = [await ownBrand(await temporaryFolder(), true), await ownBrand(await temporaryFolder(), false)];
  const bystanderProcess = run(bystander, ['60']);
  const brandedProcess = run(branded, ['60']);
  await until('its end', () => brandedProcess.signalCode === 'SIGKILL');
  await until('the report', () => server.sent.length === 1);
  expect(server.sent[0]).toMatchObject({ identifier: 'rustdesk', name: 'RustDesk', blocked: true, details: branded });
  expect(bystanderProcess.exitCode ?? bystanderProcess.signalCode).toBeNull();
});
