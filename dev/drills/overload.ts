import { availableParallelism, loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { linkedDevice, type Person, registeredPerson } from '../people.ts';
import { callForPolicy } from './herd-calls.ts';
import { type LoadProcess, type LoadResult, startLoadProcess } from './load-process.ts';
import { acceptedDurations, type Load, loadOn, openLoop, percentile } from './open-loop.ts';
import { type WorldWithOwnMailServer, worldWithOwnMailServer } from './own-mail-server.ts';
import { alertReports } from './reported-alerts-open-loop.ts';
import { readingsOf, type ServerReadings } from './server-readings.ts';

/** Limits in milliseconds. `memory`: how many times the memory at the start. */
const limits = { accepted_p95: 1_000, mail: 5_000, recovered: 60_000, memory: 1.5, memory_after: 30_000 };
/** Alerts reported a second, beside everything else. */
const alertRate = 1;
/** Calls a second that this client can send; above that it would measure itself. */
const sentAtMost = 12_000;
/** Simultaneous calls for the server's capacity. */
const closedCalls = 16;
const measured_ms = 3_000;

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
  /** Megabytes. `after`: as soon as it is near that at the start, at the latest half a minute after the load. */
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
    // What all agents ask for at once after a change that concerns them all.
    const call = callForPolicy(on.token);
    // Longer than the compiler needs to warm up.
    await on.client.run({ kind: 'closed', call, at_once: closedCalls, ms: 2_000 });
    const { answers } = await on.client.run({ kind: 'closed', call, at_once: closedCalls, ms: measured_ms });
    const capacity = acceptedDurations(answers).length / (measured_ms / 1000);
    const rate = Math.min(sentAtMost, Math.round(capacity * 10));
    log(`the server answers ${Math.round(capacity)} calls a second, and gets ${rate}`);
    const result = await measureDuring(on, log, () => on.client.run({ kind: 'open', call, rate, seconds }));
    return { ...result, multiple: (result.accepted.length + result.refused + result.otherwise) / seconds / capacity };
  });
}

export async function measureHerd(agents: number, log: Log): Promise<OverloadResult & { served: number }> {
  return withServer(agents, async (on) => {
    const startedAt = performance.now();
    let served = 0;
    const result = await measureDuring(on, log, async () => {
      const returned = await on.client.run({ kind: 'return', token: on.token, agents });
      served = returned.served;
      log(`${served} of ${agents} agents have their policy after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
      return returned;
    });
    return { ...result, multiple: null, served };
  });
}

interface On {
  world: WorldWithOwnMailServer;
  person: Person;
  token: string;
  client: LoadProcess;
}

async function withServer<R>(connections: number, work: (on: On) => Promise<R>): Promise<R> {
  const world = await worldWithOwnMailServer();
  const client = startLoadProcess(world.url, connections);
  try {
    const person = await registeredPerson(world);
    const { token } = await linkedDevice(world, person);
    return await work({ world, person, token, client });
  } finally {
    await client.close();
    await world.close();
  }
}

/** Reports new threats during a load, on a schedule that does not wait for the mails, and retries like an agent. */
async function measureDuring(
  { world, person, token }: On,
  log: Log,
  run: () => Promise<LoadResult>,
): Promise<Omit<OverloadResult, 'multiple'>> {
  const server = readingsOf(world);
  const load = loadOn(world.url, 1);
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
      ending.signal,
    );
    const eventLoopDelay = monitorEventLoopDelay();
    eventLoopDelay.enable();
    const { answers, late } = await run();
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
    log(
      `the client was itself up to ${late.toFixed(0)} ms late, and the mail server, which reports the alerts as well, ${(eventLoopDelay.max / 1e6).toFixed(0)} ms`,
    );
    log(`report until mail accepted: ${result.mails.length} alerts, p50 ${ms(result.mails, 0.5)}, slowest ${ms(result.mails, 1)}`);
    log(`memory: ${memoryBefore} MB before, ${mostMemory} MB at most, ${memoryAfter} MB after; calm after ${recovered.toFixed(0)} ms`);
    return result;
  } finally {
    load.close();
    alerts.close();
  }
}

function problemsOf({ accepted, mails, memory, isCalm, withoutRetryAfter, otherwise }: Omit<OverloadResult, 'multiple'>): string[] {
  const [p95, slowest, growth] = [percentile(accepted, 0.95), percentile(mails, 1), memory.after / memory.before];
  return [
    ...(p95 <= limits.accepted_p95 ? [] : [`the p95 of what was accepted is ${p95.toFixed(0)} ms`]),
    ...(slowest <= limits.mail ? [] : [`a mail was accepted ${slowest.toFixed(0)} ms after its detection was reported`]),
    ...(growth <= limits.memory ? [] : [`half a minute later the server has ${growth.toFixed(1)} times the memory at the start`]),
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
