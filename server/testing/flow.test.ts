import { randomUUID } from 'node:crypto';
import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buysByCalls, linksByCalls, registersByCalls } from './calls-of-people.ts';
import { incidentFamily } from './incident-family.ts';
import { policyOf } from './policy-of.ts';
import { statementsDuring } from './statements-during.ts';
import { activeGuardian, detection, guardsByCalls, person, type TestServer, testServer, usedDevice } from './world.ts';

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

/** Product files of the server in which a function ran, without those of every call and job. */
async function crossedBy(work: () => Promise<unknown>): Promise<string[]> {
  const files = (await filesOf(work)).filter((file) => file.startsWith('server/') && !file.startsWith('server/testing/'));
  if (process.env.FLOW) process.stdout.write(`${files.length} files\n${files.toSorted().join('\n')}\n`);
  return files.filter((file) => !infrastructure.test(file));
}

/** A remote-control program also opens an incident, which wakes the device's long poll, since its lock is in force, and begins an escalation. */
test.each([
  ['DeceptiveUtility', 36],
  ['RemoteControl', 53],
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
  const files = await crossedBy(report);
  expect((await server.mailsTo(email)).length + (await server.mailsTo(bob.email)).length).toBeGreaterThan(1);
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(most);
});

/** What `work` costs: the files that it crosses, and its statements. */
async function costOf(work: () => Promise<unknown>): Promise<{ files: string[]; statements: string[] }> {
  let files: string[] = [];
  const statements = await statementsDuring(async () => {
    files = await crossedBy(work);
  });
  return { files, statements };
}

/** What a call that waits costs, and the yes to it, with the emails of each, since their jobs run beside the call. */
async function costsOfWaiting() {
  const ann = await incidentFamily(server);
  await ann.stops();
  // The first call and the first answer cache what every call and email needs.
  const earlier = await ann.weaker();
  await ann.answer(earlier.body.request, 'yes');
  await server.app.worker.idle();
  let request: unknown;
  const asked = await costOf(async () => {
    const refused = await ann.allow();
    expect(refused.body).toMatchObject({ code: 'held', by_server: true });
    request = refused.body.request;
    await server.app.worker.idle();
  });
  const yes = await costOf(async () => {
    expect(await ann.answer(request, 'yes')).toMatchObject({ status: 200, body: { state: 'yes' } });
    await server.app.worker.idle();
  });
  return { asked, yes };
}

test('[P14.5] a call that waits, and the yes to it, cross few files and take few statements', async () => {
  // What runs every few minutes may run beside one of them, and only adds.
  const costs = [await costsOfWaiting(), await costsOfWaiting(), await costsOfWaiting()];
  const least = (of: (cost: (typeof costs)[number]) => string[]) => costs.map(of).toSorted((a, b) => a.length - b.length)[0] ?? [];
  for (const [most, found] of [
    [52, least(({ asked }) => asked.files)],
    [59, least(({ asked }) => asked.statements)],
    [41, least(({ yes }) => yes.files)],
    [29, least(({ yes }) => yes.statements)],
  ] as const)
    expect(found.length, found.join('\n')).toBeLessThanOrEqual(most);
});

/** A device of long use, in an incident that a guardian is on. */
async function troubledDevice() {
  const { token } = await person(server);
  const bob = await activeGuardian(server, token);
  const { agent } = await usedDevice(server, token);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server, { category: 'RemoteControl' })] } });
  const [incident] = (await server.call('GET /web/incidents', { token })).body.items as unknown as { uuid: string }[];
  const onIt = { headers: { ...bob.session, 'x-forwarded-for': '198.51.100.7' }, body: { answer: 'on_it' } };
  expect((await server.call(`POST /guardian/${bob.uuid}/incidents/${incident?.uuid}`, onIt)).status).toBe(200);
  // Makes the hash of the PIN and the secret of the codes.
  await policyOf(server, agent);
  return agent;
}

test('[P14.5] a policy is read in at most eight statements, in an incident as well, and of what was published only the newest', async () => {
  const agent = await troubledDevice();
  let body: object = {};
  const statements = await statementsDuring(async () => {
    ({ body } = await server.call('GET /agent/policy', { token: agent }));
  });
  const { payload } = (body as { policy: { payload: string } }).policy;
  const policy = { lock: true, pin: { n: expect.any(Number) }, code_secret: expect.any(String), relatives: ['Bob'] };
  expect(JSON.parse(payload)).toMatchObject(policy);
  expect(statements.length, statements.join('\n\n')).toBeLessThanOrEqual(8);
  for (const statement of statements.filter((one) => /order by "version"/.test(one))) expect(statement).toContain('limit');
});
