import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errors } from '@porchlight/contract/errors.ts';
import { expect, onTestFinished, test } from 'vitest';
import { codeInFile } from '../cli/code-file.ts';
import { openStore } from '../state/store.ts';
import { agentForTest, serverForTest, temporaryFolder } from '../testing/agent.ts';
import { runAgent } from '../testing/process.ts';
import { until } from '../testing/until.ts';
import { linkAtStart } from './link-at-start.ts';

/** Starts the agent as a Linux package does: with the free plan, and the code that the package left. */
async function asPackage(folder: string) {
  const [server, packageFolder] = [await serverForTest(), await temporaryFolder()];
  const code = join(packageFolder, 'code');
  await writeFile(code, 'Porchlight [ABCD-EFGH].deb\n');
  const run = runAgent(server, folder, ['--free'], '', [], { AGENT_CODE_FILE: code });
  onTestFinished(async () => {
    run.child.kill('SIGTERM');
    await run.ended;
  });
  await until('the code to be gone', async () => (await codeInFile(code)) === null, 30_000);
  return { server, run };
}

test('[P10.8] the code in the name of a Linux package links a new computer at once', async () => {
  const folder = await temporaryFolder();
  const { server, run } = await asPackage(folder);
  expect([server.enrolled, run.output()]).toEqual([['ABCD-EFGH'], expect.not.stringContaining('window')]);
  const store = await openStore(folder);
  expect([(await store.identity())?.device.uuid, await store.freePlan()]).toEqual([server.device, 'chosen']);
});

test('[P10.8] a package’s code on a computer with the free plan asks the user first', async () => {
  const folder = await temporaryFolder();
  await (await openStore(folder)).setFreePlan('chosen');
  const { server } = await asPackage(folder);
  expect([server.enrolled, await (await openStore(folder)).identity()]).toEqual([[], null]);
});

test('a code at the start waits for a server of the same protocol, and says why', async () => {
  const server = await serverForTest();
  server.protocol += 1;
  const agent = await agentForTest(server);
  const sentences: string[] = [];
  const linking = linkAtStart(agent.agent, { code: 'ABCD-EFGH', free: true }, (sentence) => void sentences.push(sentence));
  await until('a refusal', () => sentences.length > 0);
  server.protocol -= 1;
  await linking;
  expect(sentences).toEqual([errors.agent_outdated.words]);
  expect((await agent.store.identity())?.device.uuid).toBe(server.device);
});
