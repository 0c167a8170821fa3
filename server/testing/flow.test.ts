import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from './world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** The files of the product in which a function ran while `work` did, relative to the repository. */
async function filesOf(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    // What ran until now is forgotten by taking it.
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

/** Every call and every job goes through these, whatever it is about: they belong to no flow. */
const floor = /^server\/(lib|db|jobs)\//;

test('a detection, on its way from the call of the agent to the mail server, crosses few files', async () => {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token, 'Bob');
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const report = async () => {
    await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });
    await server.app.worker.idle();
  };
  const files = (await filesOf(report)).filter((file) => file.startsWith('server/') && !file.startsWith('server/testing/'));
  expect((await server.mailsTo(email)).length + (await server.mailsTo(bob.email)).length).toBeGreaterThan(1);
  const own = files.filter((file) => !floor.test(file));
  if (process.env.FLOW) process.stdout.write(`${files.length} files, ${own.length} without the floor\n${files.toSorted().join('\n')}\n`);
  expect(own.length, own.join('\n')).toBeLessThanOrEqual(30);
});
