import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { median, type Row } from '@porchlight/dev/bench-row.ts';
import { callForChanges, callForPolicy } from '@porchlight/dev/drills/herd-calls.ts';
import { type Answered, type Load, loadOn, openLoop, percentile } from '@porchlight/dev/drills/open-loop.ts';
import { linkedDevice, registeredPerson } from '@porchlight/dev/people.ts';
import { startWorld } from '@porchlight/dev/world.ts';
import { findPostmaster } from '@porchlight/server/db/embedded/postmaster.ts';
import { urlOf } from '@porchlight/server/db/embedded/probe.ts';
import { openDb } from '@porchlight/server/db/open.ts';

const changes = { warmUp: 20, measured: 120, perSecond: 2 };
/** Devices that change in turns, so that each agent waits again long before its next change. */
const devices = 5;

/** A change on the dashboard of one server, until the agent that waits at another server on the same database has it. */
export async function bench(log: (line: string) => void): Promise<Row[]> {
  const env = { SECRET_KEY: randomUUID() };
  const first = await startWorld({ env });
  try {
    const postmaster = await findPostmaster(join(first.dataDir, 'postgres', 'cluster'));
    if (!postmaster) throw new Error('The database of the bench does not run.');
    const databaseUrl = urlOf(postmaster.socketFolder);
    const second = await startWorld({ env, databaseUrl });
    const [dashboard, agents] = [loadOn(first.url, 16), loadOn(second.url, 16)];
    try {
      const person = await registeredPerson(first);
      const linked: { uuid: string; token: string }[] = [];
      for (let n = 0; n < devices; n++) linked.push(await linkedDevice(first, person, `PC ${n}`));
      const versions = await policyVersions(databaseUrl);
      const waiting = linked.map(({ uuid, token }) => waitingAgent(agents, token, versions.get(uuid) ?? 0));
      let count = 0;
      const change = async (meant: number): Promise<Answered> => {
        const n = count % devices;
        count += 1;
        const answer = waiting[n]?.nextAnswer(meant);
        const path = `/web/devices/${linked[n]?.uuid}`;
        const body = { name: `PC ${n}, ${count}`, policy: 'strict' };
        const changed = await dashboard.send({ path, method: 'POST', token: person.token, body, meant });
        return changed.status === 200 && answer ? answer : changed;
      };
      await openLoop(changes.perSecond, changes.warmUp / changes.perSecond, change);
      const answers = await openLoop(changes.perSecond, changes.measured / changes.perSecond, change);
      const failed = answers.find(({ status, took }) => status !== 200 || took < 0);
      if (failed) throw new Error(`A change was not in force: status ${failed.status} after ${failed.took.toFixed(0)} ms.`);
      const latencies = answers.map(({ took }) => took);
      log(`${latencies.length} changes: median ${median(latencies).toFixed(0)} ms, slowest ${percentile(latencies, 1).toFixed(0)} ms`);
      const name = `change on one server until the agent that waits at another has it, p95 of ${latencies.length}`;
      return [{ name, value: percentile(latencies, 0.95), unit: 'ms', peer: null, peer_value: null, aim: { at_most: 300 } }];
    } finally {
      for (const load of [dashboard, agents]) load.close();
      await second.close();
    }
  } finally {
    await first.close();
  }
}

/** An agent that always waits for the next change, and then fetches it. */
function waitingAgent(agents: Load, token: string, version: number) {
  let known = version;
  const wait = async () => {
    const changed = await agents.send(callForChanges(token, known, 25));
    const { status } = changed.status === 200 ? await agents.send(callForPolicy(token)) : changed;
    return { status, at: performance.now() };
  };
  let answered = wait();
  return {
    /** The answer to the call that waits now. `took`: milliseconds since `meant`. */
    async nextAnswer(meant: number): Promise<Answered> {
      const { status, at } = await answered;
      known += 1;
      answered = wait();
      return { status, took: at - meant, retry_after: null };
    },
  };
}

async function policyVersions(databaseUrl: string): Promise<Map<string, number>> {
  const { db, close } = openDb(databaseUrl, 1);
  const rows = await db.selectFrom('devices').select(['uuid', 'policy_version']).execute().finally(close);
  return new Map(rows.map(({ uuid, policy_version }) => [uuid, policy_version]));
}
