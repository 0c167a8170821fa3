import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { policyOf, pollOf } from './policy-of.ts';
import { detection, fakeAddress, linkedDevice, newcomer, person, type TestServer, testServer } from './world.ts';

/** One id from the proxy through the call and its jobs to the mail, in every line of the log. */

const refusedRecipients = new Set<string>();
const refusedForGood = new Set<string>();
let server: TestServer;
let withoutProxy: TestServer;
beforeAll(async () => {
  server = await testServer({}, undefined, {
    onMailStep(step, recipient) {
      if (step === 'rcpt' && refusedRecipients.has(recipient)) throw Object.assign(new Error(`no ${recipient}`), { responseCode: 452 });
      if (step === 'rcpt' && refusedForGood.has(recipient)) throw Object.assign(new Error('5.1.1 nobody'), { responseCode: 550 });
    },
  });
  withoutProxy = await testServer({ TRUST_PROXY: 'off' });
});
afterEach(() => refusedRecipients.clear());
afterAll(async () => {
  await server.close();
  await withoutProxy.close();
});

interface Line {
  msg: string;
  level: number;
  request?: string;
  job?: string;
  kind?: string;
  state?: string;
  route?: string;
}

const linesOf = (from: TestServer) =>
  from
    .logged()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
const linesWith = (id: string) => linesOf(server).filter(({ request }) => request === id);
const forgot = (to: TestServer, email: string, id: string) =>
  to.call('POST /forgot-password', { body: { email }, headers: { 'x-request-id': id, 'x-forwarded-for': fakeAddress() } });

test("[P7.3] the proxy's id of a call is in its answer, its line, the rows and lines of its jobs and of theirs, and its mail; another call has its own", async () => {
  const { email } = await newcomer(server);
  const { headers } = await forgot(server, email, '0f0e0d0c-0b0a-4908-8706-050403020101');
  await forgot(server, email, '0f0e0d0c-0b0a-4908-8706-050403020102');
  expect(headers['x-request-id']).toBe('0f0e0d0c-0b0a-4908-8706-050403020101');
  const mails = await server.mailsTo(email);
  expect(
    mails
      .map(({ request_id }) => request_id)
      .slice(0, 2)
      .toSorted(),
  ).toEqual(['0f0e0d0c-0b0a-4908-8706-050403020101', '0f0e0d0c-0b0a-4908-8706-050403020102']);
  const jobs = await server.db.selectFrom('jobs').select(['id', 'kind', 'request_id']).where('request_id', 'is not', null).execute();
  for (const id of ['0f0e0d0c-0b0a-4908-8706-050403020101', '0f0e0d0c-0b0a-4908-8706-050403020102']) {
    const ownJobs = jobs.filter(({ request_id }) => request_id === id);
    // The first job writes the mail, and queues it.
    expect(ownJobs.map(({ kind }) => kind).toSorted()).toEqual(['account_mail', 'mail']);
    const lines = linesWith(id);
    expect(lines.filter(({ msg }) => msg === 'call').map(({ route }) => route)).toEqual(['/api/forgot-password']);
    expect(
      lines
        .filter(({ msg }) => msg === 'job')
        .map(({ job, kind, state }) => [job, kind, state])
        .toSorted(),
    ).toEqual(ownJobs.map((job) => [job.id, job.kind, 'done']).toSorted());
  }
});

test('[P7.3] what is sent instead of a message that failed has the id of the call that caused the message', async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token);
  refusedForGood.add(email);
  await server.call('POST /agent/detections', {
    token: agent,
    body: { detections: [detection(server, { blocked: false })] },
    headers: { 'x-request-id': '0f0e0d0c0b0a49088706050403020103' },
  });
  await server.app.worker.idle();
  const jobs = await server.db.selectFrom('jobs').select('kind').where('request_id', '=', '0f0e0d0c0b0a49088706050403020103').execute();
  expect(jobs.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['mail', 'fallback']));
});

test('[P7.3] the failure of a mail that the mail server refuses has the id of the call', async () => {
  const { email } = await newcomer(server);
  refusedRecipients.add(email);
  await forgot(server, email, '0f0e0d0c0b0a49088706050403020104');
  await server.app.worker.idle();
  expect(linesWith('0f0e0d0c0b0a49088706050403020104').filter(({ msg }) => msg === 'a job failed')).toMatchObject([
    { kind: 'mail', status: 452 },
  ]);
  expect(linesWith('0f0e0d0c0b0a49088706050403020104').filter(({ state }) => state === 'again')).toMatchObject([
    { kind: 'mail', msg: 'job' },
  ]);
});

test.each(['short', 'chosen.by-caller', `${'0'.repeat(33)}`, '0f0e0d0c-0b0a-4908-8706-05040302010"', 'ann@example.org'])(
  '[P7.3] the malformed id %s is not taken, and the call gets an id of the server',
  async (id) => {
    const { headers, body } = await server.call('GET /no-such-call', { headers: { 'x-request-id': id } });
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    expect(body.request_id).toBe(headers['x-request-id']);
    expect(server.logged()).not.toContain(id);
  },
);

test('[P7.3] without a proxy in front nobody chooses the id of a call', async () => {
  const { headers } = await forgot(withoutProxy, 'nobody@example.org', '0f0e0d0c-0b0a-4908-8706-050403020105');
  expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  expect(withoutProxy.logged()).not.toContain('0f0e0d0c-0b0a-4908-8706-050403020105');
});

test("[P7.3] a waiting agent's call that the call of another wakes keeps its own id", async () => {
  const { token } = await person(server);
  const { uuid, agent } = await linkedDevice(server, token);
  const known = await policyOf(server, agent);
  const own = '0f0e0d0c0b0a49088706050403020106';
  const waiting = pollOf(server, agent, known, undefined, { 'x-request-id': own });
  const renamed = server.call(`POST /web/devices/${uuid}`, {
    token,
    body: { name: 'Attic PC', policy: 'strict' },
    headers: { 'x-request-id': '0f0e0d0c0b0a49088706050403020107' },
  });
  expect((await renamed).status).toBe(200);
  expect(await waiting).toMatchObject({ status: 200, body: { changed: true }, headers: { 'x-request-id': own } });
  const calls = linesWith('0f0e0d0c0b0a49088706050403020107').filter(({ msg }) => msg === 'call');
  expect(calls.map(({ route }) => route)).toEqual(['/api/web/devices/:uuid']);
});

test('[P7.3] jobs of the server itself have no id', async () => {
  await server.app.worker.idle();
  const rows = await server.db.selectFrom('jobs').select('request_id').where('kind', 'in', ['hourly', 'plan_night']).execute();
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ request_id }) => request_id !== null)).toEqual([]);
});
