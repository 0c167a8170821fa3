import { randomUUID } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { linkedDevice, type Person, registeredPerson } from '../people.ts';
import { type Answered, acceptedDurations, type Load, loadOn, openLoop, percentile } from './open-loop.ts';
import { worldWithOwnMailServer } from './own-mail-server.ts';
import { readingsOf, type ServerReadings } from './server-readings.ts';

/** Limits in milliseconds and megabytes. */
const limits = { accepted_p95: 1_000, mail: 5_000, recovered: 60_000, memory_kept: 200 };

type Log = (line: string) => void;
type OwnWorld = Awaited<ReturnType<typeof worldWithOwnMailServer>>;

/** Overloads the server with at most 2,500 calls a second, which this client can send. */
export async function overloadDrill(seconds: number, log: Log): Promise<string[]> {
  return withServer(600, async ({ world, person, token, load }) => {
    const page = (meant?: number) => load.send({ path: '/web/devices', token: person.token, ...(meant === undefined ? {} : { meant }) });
    const capacity = await closedLoop(page, 16, 3_000);
    const rate = Math.min(2_500, Math.round(capacity * 10));
    log(`the server answers ${Math.round(capacity)} calls a second, and gets ${rate}`);
    return measureDuring(world, person, token, load, log, () => openLoop(rate, seconds, page));
  });
}

/** All agents reconnect within two seconds and retry when the server says, with jitter. */
export async function herdDrill(agents: number, log: Log): Promise<string[]> {
  return withServer(agents, async ({ world, person, token, load }) => {
    const poll = async (): Promise<Answered[]> => {
      const answers: Answered[] = [];
      await sleep(Math.random() * 2_000);
      for (let tries = 0; tries < 20; tries++) {
        const answer = await load.send({ path: '/agent/policy?known=0&known_definitions=0&wait=0', token });
        answers.push(answer);
        if (answer.status === 200) return answers;
        const delayMs = (answer.retry_after ?? 1) * 1000;
        await sleep(delayMs + Math.random() * delayMs);
      }
      return answers;
    };
    const startedAt = performance.now();
    let servedAgents = 0;
    const problems = await measureDuring(world, person, token, load, log, async () => {
      const answersByAgent = await Promise.all(Array.from({ length: agents }, poll));
      servedAgents = answersByAgent.filter((agentAnswers) => agentAnswers.at(-1)?.status === 200).length;
      log(`${servedAgents} of ${agents} agents have their policy after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
      return answersByAgent.flat();
    });
    return servedAgents === agents ? problems : [...problems, `${agents - servedAgents} agents did not get their policy`];
  });
}

async function withServer(
  connections: number,
  work: (on: { world: OwnWorld; person: Person; token: string; load: Load }) => Promise<string[]>,
): Promise<string[]> {
  const world = await worldWithOwnMailServer();
  const load = loadOn(world.url, connections);
  try {
    const person = await registeredPerson(world);
    const { token } = await linkedDevice(world, person);
    return await work({ world, person, token, load });
  } finally {
    load.close();
    await world.close();
  }
}

/** Reports a new threat every two seconds during a drill, and retries like an agent. */
async function measureDuring(
  world: OwnWorld,
  person: Person,
  token: string,
  load: Load,
  log: Log,
  run: () => Promise<Answered[]>,
): Promise<string[]> {
  const server = readingsOf(world);
  const memoryBefore = await server.memory();
  const [answered_before, processor_before] = [(await server.answered()).length, await server.processor()];
  let running = true;
  let mostMemory = memoryBefore;
  const mails: number[] = [];
  const reporting = (async () => {
    while (running) {
      mails.push(await alert(world, person, token));
      mostMemory = Math.max(mostMemory, await server.memory());
      await sleep(2_000);
    }
  })();
  const eventLoopDelay = monitorEventLoopDelay();
  eventLoopDelay.enable();
  const startedAt = performance.now();
  const answers = await run();
  const [duration, processor] = [performance.now() - startedAt, (await server.processor()) - processor_before];
  running = false;
  await reporting;
  eventLoopDelay.disable();
  const endedAt = performance.now();
  const isCalm = await waitForCalm(load, person);
  const recovered = performance.now() - endedAt;
  await waitForMemory(server, memoryBefore);
  const memoryGrowth = (await server.memory()) - memoryBefore;
  const serverDurations = (await server.answered()).slice(answered_before);
  const p95 = percentile(acceptedDurations(answers), 0.95);
  const countStatus = (status: number) => answers.filter((one) => one.status === status).length;
  const otherCount = answers.length - countStatus(200) - countStatus(503);
  const slowest = Math.max(...mails);
  const withoutRetryAfter = answers.filter(({ status, retry_after }) => status === 503 && !retry_after).length;
  log(`${answers.length} calls: ${countStatus(200)} answered, ${countStatus(503)} refused with 503, ${otherCount} otherwise`);
  log(
    `this computer's load is ${loadavg()[0]?.toFixed(0)} on ${availableParallelism()} processors; the aims are for one that has nothing else to do`,
  );
  log(`accepted: p50 ${percentile(acceptedDurations(answers), 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms (aim ${limits.accepted_p95})`);
  log(
    `measured in the server: p50 ${percentile(serverDurations, 0.5).toFixed(0)} ms, p95 ${percentile(serverDurations, 0.95).toFixed(0)} ms; it used ${Math.round((processor / duration) * 100)} % of a processor`,
  );
  log(`the drill, which is the client and the mail server as well, was itself up to ${(eventLoopDelay.max / 1e6).toFixed(0)} ms late`);
  log(
    `refused: p95 ${percentile(
      answers.filter(({ status }) => status === 503).map(({ took }) => took),
      0.95,
    ).toFixed(0)} ms`,
  );
  log(
    `report until mail accepted: ${mails.length} alerts, p50 ${percentile(mails, 0.5).toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms (aim ${limits.mail})`,
  );
  log(
    `memory: ${memoryBefore} MB before, ${mostMemory} MB at most, ${memoryBefore + memoryGrowth} MB within a minute after (aim ${memoryBefore + limits.memory_kept}); calm after ${recovered.toFixed(0)} ms`,
  );
  return [
    ...(p95 <= limits.accepted_p95 ? [] : [`the p95 of what was accepted is ${p95.toFixed(0)} ms`]),
    ...(slowest <= limits.mail ? [] : [`a mail was accepted ${slowest.toFixed(0)} ms after its detection was reported`]),
    ...(memoryGrowth <= limits.memory_kept ? [] : [`a minute later the server keeps ${memoryGrowth} MB more than before`]),
    ...(isCalm ? [] : ['a minute later the server still refuses calls']),
    ...(withoutRetryAfter === 0 ? [] : [`${withoutRetryAfter} refusals did not say when to come back`]),
    ...(otherCount === 0 ? [] : [`${otherCount} calls were answered neither with 200 nor with 503`]),
  ];
}

/** Reports a detection; returns milliseconds until the mail server accepts its email. */
async function alert(world: OwnWorld, person: Person, token: string): Promise<number> {
  const load = loadOn(world.url, 1);
  const mailAccepted = new Promise<void>((resolve) =>
    world.watch((step, recipient) => step === 'taken' && recipient === person.email && resolve()),
  );
  const uuid = randomUUID();
  const common = { name: 'Remote helper', category: 'RemoteControl', details: '', blocked: true, certainty: 'certain' };
  const body = { detections: [{ uuid, time: new Date().toISOString(), identifier: `overload-${uuid}`, ...common }] };
  const startedAt = performance.now();
  for (;;) {
    const { status, retry_after } = await load.send({ path: '/agent/detections', method: 'POST', token, body });
    if (status === 200) break;
    await sleep((retry_after ?? 0.5) * 1000);
  }
  await mailAccepted;
  load.close();
  return performance.now() - startedAt;
}

async function waitForCalm(load: Load, person: Person): Promise<boolean> {
  for (const end = performance.now() + limits.recovered; performance.now() < end; await sleep(200)) {
    if ((await load.send({ path: '/web/devices', token: person.token })).status === 200) return true;
  }
  return false;
}

async function waitForMemory(server: ServerReadings, memoryBefore: number): Promise<void> {
  for (const end = performance.now() + limits.recovered; performance.now() < end; await sleep(1_000)) {
    if ((await server.memory()) - memoryBefore <= limits.memory_kept) return;
  }
}

async function closedLoop(call: () => Promise<Answered>, at_once: number, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let doneCalls = 0;
  const callOnce = async () => {
    while (performance.now() < end) if ((await call()).status === 200) doneCalls += 1;
  };
  await Promise.all(Array.from({ length: at_once }, callOnce));
  return doneCalls / (ms / 1000);
}
