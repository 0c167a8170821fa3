import { randomUUID } from 'node:crypto';
import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buysByCalls, linksByCalls, registersByCalls } from './calls-of-people.ts';
import { detection, guardsByCalls, type TestServer, testServer } from './world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** Product files in which a function ran during `work`, relative to the repository. */
async function filesOf(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    // Discards the coverage measured so far.
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const root = new URL('../../', import.meta.url).href;
    const ran = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0));
    return ran.flatMap(({ url }) => (url.startsWith(root) ? [url.slice(root.length).replace(/\?.*$/, '')] : []));
  } finally {
    session.disconnect();
  }
}

/** Infrastructure of every call and job, which does not count. */
const infrastructure = /^server\/(lib|http|secrets|texts|db|jobs|features\/metrics)\//;

/** A remote-control program also opens an incident, which wakes the device's long poll, since its lock is in force, and begins an escalation. */
test.each([
  ['DeceptiveUtility', 35],
  ['RemoteControl', 50],
] as const)('the code between an agent’s report of a %s and the mail server is in at most %i files', async (category, most) => {
  // Calls and their emails before the report have cached what every call and email needs.
  const { token, email } = await registersByCalls(server, 'Ann Example', `${randomUUID()}@example.org`);
  await buysByCalls(server, token);
  const bob = await guardsByCalls(server, token, 'Bob', `${randomUUID()}@example.org`);
  const { agent } = await linksByCalls(server, token, 'Den PC');
  const report = async () => {
    await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server, { category })] } });
    await server.app.worker.idle();
  };
  const files = (await filesOf(report)).filter((file) => file.startsWith('server/') && !file.startsWith('server/testing/'));
  expect((await server.mailsTo(email)).length + (await server.mailsTo(bob.email)).length).toBeGreaterThan(1);
  const featureFiles = files.filter((file) => !infrastructure.test(file));
  if (process.env.FLOW)
    process.stdout.write(`${files.length} files, ${featureFiles.length} without the floor\n${files.toSorted().join('\n')}\n`);
  expect(featureFiles.length, featureFiles.join('\n')).toBeLessThanOrEqual(most);
});
