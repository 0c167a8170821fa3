import { availableParallelism, loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { linkedDevice, type Person, registeredPerson } from '../people.ts';
import { callForChanges, callForPolicy } from './herd-calls.ts';
import { type Answered, acceptedDurations, type Load, loadOn, type OneCall, openLoop, percentile } from './open-loop.ts';
import { type WorldWithOwnMailServer, worldWithOwnMailServer } from './own-mail-server.ts';
import { alertReports } from './reported-alerts-open-loop.ts';
import { readingsOf, type ServerReadings } from './server-readings.ts';

/** Limits in milliseconds. `memory`: how many times the memory of before. */
const limits = { accepted_p95: 1_000, mail: 5_000, recovered: 60_000, memory: 1.5, memory_after: 30_000 };
/** Alerts reported a second, beside everything else. */
const alertRate = 1;
/** Calls a second that this client can send; above that it would measure itself. */
const sentAtMost = 2_500;
/** Simultaneous calls for the server's capacity. */
const closedCalls = 16;

type Log = (line: string) => void;

export interface OverloadResult {
  /** Calls offered, as a multiple of what the server answers without overload; null where that was not measured. */
  multiple: number | null;
  /** Milliseconds from the scheduled time of each call that was answered with 200. */
  accepted: number[];
  refused: number;
  /** Refusals without a Retry-After. */
  withoutRetryAfter: number;
  /** Calls answered neither with 200 nor with 503, and calls without an answer. */
  otherwise: number;
  /** Milliseconds from the scheduled time of each report during the load until its email was accepted. */
  mails: number[];
  /** Megabytes. `after`: as soon as it is near that of before, at the latest half a minute after the load. */
  memory: { before: number; most: number; after: number };
  isCalm: boolean;
}

export async function overloadDrill(seconds: number, log: Log): Promise<string[]> {
  return problemsOf(await measureOverload(seconds, log));
}

/** All agents reconnect within two seconds and retry when the server says, with jitter. */
export async function herdDrill(agents: number, log: Log): Promise<string[]> {
  const { served, ...result } = await measureHerd(agents, log);
  return served === agents ? problemsOf(result) : [...problemsOf(result), `${agents - served} agents did not get their policy`];
}

/** Offers ten times the calls that the server can answer, as far as this client can send them. */
export async function measureOverload(seconds: number, log: Log): Promise<OverloadResult> {
  return withServer(600, async (on) => {
    const page = (meant = performance.now()) => on.load.send({ path: '/web/devices', token: on.person.token, meant });
    // Longer than the compiler needs to warm up.
    await closedLoop(page, closedCalls, 2_000);
    const capacity = await closedLoop(page, closedCalls, 3_000);
    const rate = Math.min(sentAtMost, Math.round(capacity * 10));
    log(`the server answers ${Math.round(capacity)} calls a second, and gets ${rate}`);
    const startedAt = performance.now();
    let sendingFor = 0;
    const result = await measureDuring(on, log, async () => {
      const answers = await openLoop(rate, seconds, page, () => {
        sendingFor = performance.now() - startedAt;
      });
      return answers;
    });
    return { ...result, multiple: (result.accepted.length + result.refused + result.otherwise) / (sendingFor / 1000) / capacity };
  });
}

export async function measureHerd(agents: number, log: Log): Promise<OverloadResult & { served: number }> {
  return withServer(agents, async (on) => {
    const connect = async (): Promise<Answered[]> => {
      const answers: Answered[] = [];
      // After a failure an agent asks without waiting, and fetches its policy when it learns of a change.
      const calls = [callForChanges(on.token, 0, 0), callForPolicy(on.token, 0)];
      await sleep(Math.random() * 2_000);
      for (let tries = 0; tries < 20; tries++) {
        const answer = await on.load.send(calls[0] as OneCall);
        answers.push(answer);
        if (answer.status === 200) calls.shift();
        if (calls.length === 0) return answers;
        if (answer.status === 200) continue;
        const delayMs = (answer.retry_after ?? 1) * 1000;
        await sleep(delayMs + Math.random() * delayMs);
      }
      return answers;
    };
    const startedAt = performance.now();
    let served = 0;
    const result = await measureDuring(on, log, async () => {
      const answersByAgent = await Promise.all(Array.from({ length: agents }, connect));
      served = answersByAgent.filter((agentAnswers) => agentAnswers.filter(({ status }) => status === 200).length === 2).length;
      log(`${served} of ${agents} agents have their policy after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
      return answersByAgent.flat();
    });
    return { ...result, multiple: null, served };
  });
}

interface On {
  world: WorldWithOwnMailServer;
  person: Person;
  token: string;
  load: Load;
}

async function withServer<R>(connections: number, work: (on: On) => Promise<R>): Promise<R> {
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

/** Reports new threats during a load, on a schedule that does not wait for the mails, and retries like an agent. */
async function measureDuring(
  { world, person, token, load }: On,
  log: Log,
  run: () => Promise<Answered[]>,
): Promise<Omit<OverloadResult, 'multiple'>> {
  const server = readingsOf(world);
  const alerts = alertReports({ urls: [world.url], mailbox: world.mailbox }, token, [person.email]);
  try {
    // The first alert opens an incident, which the others are added to.
    await alerts.report();
    await alerts.allAccepted(60_000);
    const memoryBefore = await server.memory();
    const [answered_before, processor_before] = [(await server.answered()).length, await server.processor()];
    let mostMemory = memoryBefore;
    const ending = new AbortController();
    const startedAt = performance.now();
    const reporting = openLoop(
      alertRate,
      3_600,
      async (meant) => {
        mostMemory = Math.max(mostMemory, await server.memory());
        return alerts.report(meant);
      },
      undefined,
      ending.signal,
    );
    const eventLoopDelay = monitorEventLoopDelay();
    eventLoopDelay.enable();
    const answers = await run();
    const [duration, processor] = [performance.now() - startedAt, (await server.processor()) - processor_before];
    const endedAt = performance.now();
    ending.abort();
    await reporting;
    await alerts.allAccepted(120_000);
    eventLoopDelay.disable();
    const isCalm = await waitForCalm(load, person);
    const recovered = performance.now() - endedAt;
    const memoryAfter = await waitForMemory(server, memoryBefore, endedAt + limits.memory_after);
    const serverDurations = (await server.answered()).slice(answered_before);
    const countStatus = (status: number) => answers.filter((one) => one.status === status).length;
    const result = {
      accepted: acceptedDurations(answers),
      refused: countStatus(503),
      withoutRetryAfter: answers.filter(({ status, retry_after }) => status === 503 && !retry_after).length,
      otherwise: answers.length - countStatus(200) - countStatus(503),
      mails: await alerts.latencies(startedAt),
      memory: { before: memoryBefore, most: mostMemory, after: memoryAfter },
      isCalm,
    };
    const ms = (values: number[], share: number) => `${percentile(values, share).toFixed(0)} ms`;
    const refusals = answers.filter(({ status }) => status === 503).map(({ took }) => took);
    log(`${answers.length} calls: ${result.accepted.length} answered, ${result.refused} refused with 503, ${result.otherwise} otherwise`);
    log(
      `this computer's load is ${loadavg()[0]?.toFixed(0)} on ${availableParallelism()} processors; the aims are for one that has nothing else to do`,
    );
    log(`accepted: p50 ${ms(result.accepted, 0.5)}, p95 ${ms(result.accepted, 0.95)}; refused: p95 ${ms(refusals, 0.95)}`);
    log(
      `measured in the server: p50 ${ms(serverDurations, 0.5)}, p95 ${ms(serverDurations, 0.95)}; it used ${Math.round((processor / duration) * 100)} % of a processor`,
    );
    log(`the client, which is the mail server as well, was itself up to ${(eventLoopDelay.max / 1e6).toFixed(0)} ms late`);
    log(`report until mail accepted: ${result.mails.length} alerts, p50 ${ms(result.mails, 0.5)}, slowest ${ms(result.mails, 1)}`);
    log(`memory: ${memoryBefore} MB before, ${mostMemory} MB at most, ${memoryAfter} MB after; calm after ${recovered.toFixed(0)} ms`);
    return result;
  } finally {
    alerts.close();
  }
}

function problemsOf({ accepted, mails, memory, isCalm, withoutRetryAfter, otherwise }: Omit<OverloadResult, 'multiple'>): string[] {
  const [p95, slowest, growth] = [percentile(accepted, 0.95), percentile(mails, 1), memory.after / memory.before];
  return [
    ...(p95 <= limits.accepted_p95 ? [] : [`the p95 of what was accepted is ${p95.toFixed(0)} ms`]),
    ...(slowest <= limits.mail ? [] : [`a mail was accepted ${slowest.toFixed(0)} ms after its detection was reported`]),
    ...(growth <= limits.memory ? [] : [`half a minute later the server has ${growth.toFixed(1)} times the memory of before`]),
    ...(isCalm ? [] : ['a minute later the server still refuses calls']),
    ...(withoutRetryAfter === 0 ? [] : [`${withoutRetryAfter} refusals did not say when to come back`]),
    ...(otherwise === 0 ? [] : [`${otherwise} calls were answered neither with 200 nor with 503`]),
  ];
}

async function waitForCalm(load: Load, person: Person): Promise<boolean> {
  for (const end = performance.now() + limits.recovered; performance.now() < end; await sleep(200)) {
    if ((await load.send({ path: '/web/devices', token: person.token })).status === 200) return true;
  }
  return false;
}

async function waitForMemory(server: ServerReadings, memoryBefore: number, end: number): Promise<number> {
  for (;;) {
    const memory = await server.memory();
    if (memory <= memoryBefore * limits.memory || performance.now() >= end) return memory;
    await sleep(1_000);
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
