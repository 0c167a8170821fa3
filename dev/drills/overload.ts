import { randomUUID } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { linkedDevice, type Person, registeredPerson } from '../people.ts';
import { type Answered, accepted, type Load, loadOn, openLoop, percentile } from './open-loop.ts';
import { worldWithOwnMailServer } from './own-mail-server.ts';
import { readingsOf, type ServerReadings } from './server-readings.ts';

/** What is aimed at, in milliseconds and megabytes. */
const aims = { accepted_p95: 1_000, mail: 5_000, recovered: 60_000, memory_kept: 200 };

type Log = (line: string) => void;
type OwnWorld = Awaited<ReturnType<typeof worldWithOwnMailServer>>;

/** Ten times as many calls of the dashboard as the server can answer, for so many seconds. At most 2,500 a second, so that we ourselves keep up. */
export async function overloadDrill(seconds: number, log: Log): Promise<string[]> {
  return withServer(600, async ({ world, person, token, load }) => {
    const page = (meant?: number) => load.send({ path: '/web/devices', token: person.token, ...(meant === undefined ? {} : { meant }) });
    const capacity = await closedLoop(page, 16, 3_000);
    const rate = Math.min(2_500, Math.round(capacity * 10));
    log(`the server answers ${Math.round(capacity)} calls a second, and gets ${rate}`);
    return during(world, person, token, load, log, () => openLoop(rate, seconds, page));
  });
}

/** So many agents come back within two seconds, as after a restart; each comes again when it was told to, with jitter, until it has its policy. */
export async function herdDrill(agents: number, log: Log): Promise<string[]> {
  // Each has a connection of its own, and all come at once.
  return withServer(agents, async ({ world, person, token, load }) => {
    const poll = async (): Promise<Answered[]> => {
      const all: Answered[] = [];
      await sleep(Math.random() * 2_000);
      for (let tries = 0; tries < 20; tries++) {
        const answer = await load.send({ path: '/agent/policy?known=0&known_definitions=0&wait=0', token });
        all.push(answer);
        if (answer.status === 200) return all;
        const said = (answer.retry_after ?? 1) * 1000;
        await sleep(said + Math.random() * said);
      }
      return all;
    };
    const began = performance.now();
    let served = 0;
    const wrong = await during(world, person, token, load, log, async () => {
      const each = await Promise.all(Array.from({ length: agents }, poll));
      served = each.filter((all) => all.at(-1)?.status === 200).length;
      log(`${served} of ${agents} agents have their policy after ${((performance.now() - began) / 1000).toFixed(1)} s`);
      return each.flat();
    });
    return served === agents ? wrong : [...wrong, `${agents - served} agents did not get their policy`];
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

/** Runs a load; meanwhile a new threat is reported every other second, as an agent does it: again when it is refused. */
async function during(
  world: OwnWorld,
  person: Person,
  token: string,
  load: Load,
  log: Log,
  run: () => Promise<Answered[]>,
): Promise<string[]> {
  const server = readingsOf(world);
  const before = await server.memory();
  const [answered_before, processor_before] = [(await server.answered()).length, await server.processor()];
  let running = true;
  let most = before;
  const mails: number[] = [];
  const reporting = (async () => {
    while (running) {
      mails.push(await alert(world, person, token));
      most = Math.max(most, await server.memory());
      await sleep(2_000);
    }
  })();
  const ourselves = monitorEventLoopDelay();
  ourselves.enable();
  const began = performance.now();
  const all = await run();
  const [ran, processor] = [performance.now() - began, (await server.processor()) - processor_before];
  running = false;
  await reporting;
  ourselves.disable();
  const over = performance.now();
  const calm = await calmAgain(load, person);
  const recovered = performance.now() - over;
  await memoryIsBack(server, before);
  const kept = (await server.memory()) - before;
  const inside = (await server.answered()).slice(answered_before);
  const p95 = percentile(accepted(all), 0.95);
  const count = (status: number) => all.filter((one) => one.status === status).length;
  const other = all.length - count(200) - count(503);
  const slowest = Math.max(...mails);
  const unsaid = all.filter(({ status, retry_after }) => status === 503 && !retry_after).length;
  log(`${all.length} calls: ${count(200)} answered, ${count(503)} refused with 503, ${other} otherwise`);
  log(
    `this computer's load is ${loadavg()[0]?.toFixed(0)} on ${availableParallelism()} processors; the aims are for one that has nothing else to do`,
  );
  log(`accepted: p50 ${percentile(accepted(all), 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms (aim ${aims.accepted_p95})`);
  log(
    `measured in the server: p50 ${percentile(inside, 0.5).toFixed(0)} ms, p95 ${percentile(inside, 0.95).toFixed(0)} ms; it used ${Math.round((processor / ran) * 100)} % of a processor`,
  );
  log(`the drill, which is the client and the mail server as well, was itself up to ${(ourselves.max / 1e6).toFixed(0)} ms late`);
  log(
    `refused: p95 ${percentile(
      all.filter(({ status }) => status === 503).map(({ took }) => took),
      0.95,
    ).toFixed(0)} ms`,
  );
  log(
    `report until mail accepted: ${mails.length} alerts, p50 ${percentile(mails, 0.5).toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms (aim ${aims.mail})`,
  );
  log(
    `memory: ${before} MB before, ${most} MB at most, ${before + kept} MB within a minute after (aim ${before + aims.memory_kept}); calm after ${recovered.toFixed(0)} ms`,
  );
  return [
    ...(p95 <= aims.accepted_p95 ? [] : [`the p95 of what was accepted is ${p95.toFixed(0)} ms`]),
    ...(slowest <= aims.mail ? [] : [`a mail was accepted ${slowest.toFixed(0)} ms after its detection was reported`]),
    ...(kept <= aims.memory_kept ? [] : [`a minute later the server keeps ${kept} MB more than before`]),
    ...(calm ? [] : ['a minute later the server still refuses calls']),
    ...(unsaid === 0 ? [] : [`${unsaid} refusals did not say when to come back`]),
    ...(other === 0 ? [] : [`${other} calls were answered neither with 200 nor with 503`]),
  ];
}

/** Milliseconds from the first try to report a new threat until the mail server has taken the mail. */
async function alert(world: OwnWorld, person: Person, token: string): Promise<number> {
  const load = loadOn(world.url, 1);
  const taken = new Promise<void>((resolve) => world.watch((step, to) => step === 'taken' && to === person.email && resolve()));
  const uuid = randomUUID();
  const common = { name: 'Remote helper', category: 'RemoteControl', details: '', blocked: true, certainty: 'certain' };
  const body = { detections: [{ uuid, time: new Date().toISOString(), identifier: `overload-${uuid}`, ...common }] };
  const before = performance.now();
  for (;;) {
    const { status, retry_after } = await load.send({ path: '/agent/detections', method: 'POST', token, body });
    if (status === 200) break;
    await sleep((retry_after ?? 0.5) * 1000);
  }
  await taken;
  load.close();
  return performance.now() - before;
}

/** Is a call answered again, within the aim? */
async function calmAgain(load: Load, person: Person): Promise<boolean> {
  for (const end = performance.now() + aims.recovered; performance.now() < end; await sleep(200)) {
    if ((await load.send({ path: '/web/devices', token: person.token })).status === 200) return true;
  }
  return false;
}

async function memoryIsBack(server: ServerReadings, before: number): Promise<void> {
  for (const end = performance.now() + aims.recovered; performance.now() < end; await sleep(1_000)) {
    if ((await server.memory()) - before <= aims.memory_kept) return;
  }
}

/** So many calls a second when so many are under way at a time. */
async function closedLoop(call: () => Promise<Answered>, at_once: number, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let done = 0;
  const one = async () => {
    while (performance.now() < end) if ((await call()).status === 200) done += 1;
  };
  await Promise.all(Array.from({ length: at_once }, one));
  return done / (ms / 1000);
}
