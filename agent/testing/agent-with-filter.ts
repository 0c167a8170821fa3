import { noUnlistedPolicy, type UnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { agentForTest, serverForTest } from './agent.ts';
import { ask, queryFor, unusedPort, upstreamForTest } from './dns.ts';
import { commandWithoutSystem } from './dns-command.ts';
import { until } from './until.ts';

export async function filterPlan() {
  const [upstream, port] = [await upstreamForTest(), await unusedPort()];
  const own = { address: '127.0.0.1', port };
  return { command: commandWithoutSystem, own, page: null, system: false, upstream: [upstream.socketAddress] };
}

/** A linked agent whose DNS filter is a process of its own, as on a real computer. */
export async function agentWithFilter() {
  const [server, sites] = [await serverForTest(), await filterPlan()];
  const { own } = sites;
  const test = await agentForTest(server, { sites });
  await test.linked();
  const set = async (change: Partial<UnlistedPolicy>, others = {}) => {
    server.setPolicy({ unlisted: { ...noUnlistedPolicy, money: { unanswered: false, sites: [], open: [] }, ...change }, ...others });
    await until('the policy', () => server.policy_in_force === server.policy.version);
  };
  /** A busy computer loses packets, and the filter may just begin: both are no answer. */
  const address = (name: string) =>
    until(`an answer about ${name}`, () =>
      ask(own, queryFor(name), 1000).then(
        ({ addresses }) => ({ first: addresses[0] }),
        () => null,
      ),
    );
  const isClosed = async (name: string) => (await address(name)).first !== '192.0.2.1';
  return {
    ...{ server, test, sites, set, isClosed },
    closes: (name: string) => until(`${name} to get no address`, () => isClosed(name)),
    opens: (name: string) => until(`${name} to get its address`, async () => !(await isClosed(name))),
  };
}
