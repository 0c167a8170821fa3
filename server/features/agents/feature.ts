import type { FastifyInstance } from 'fastify';
import type { Listener } from '../../db/listen.ts';
import type { Call } from '../../http/admission.ts';
import type { Kernel } from '../../kernel.ts';
import { stopwatch } from '../../lib/clock.ts';
import { type RecipientsDeps, recipientsOf } from './notified.ts';
import { type DevicePollDeps, devicePolls } from './polls/device-polls.ts';
import { newLongPolls } from './polls/long-polls.ts';
import { newestDefinitions } from './polls/newest-definitions.ts';
import { newOpenPolls } from './polls/open-polls.ts';
import { wakeOnEvents } from './polls/poll-events.ts';
import { presenceOf } from './polls/presence.ts';
import { pollRoute } from './polls/route.ts';
import { type AgentDeps, agentRoutes } from './routes.ts';

interface AgentAsks
  extends Omit<AgentDeps, keyof Kernel | 'public_url' | 'devices' | 'recipientsOf'>,
    Omit<DevicePollDeps, keyof Kernel | 'newest' | 'devices'>,
    Pick<RecipientsDeps, 'alertsOf' | 'deliveriesOf'> {
  listener: Listener;
  admission: { leave(call: Call): void };
  /** Counts a call that only waits apart from the others. */
  countWait(call: Call): void;
  devices: AgentDeps['devices'] & DevicePollDeps['devices'] & { accountIfUsedByOther(device: string): Promise<string | undefined> };
}

/** Transport between agents and server: their polls, policies and reports. */
export function agentFeature(kernel: Pick<Kernel, 'db' | 'clock' | 'log' | 'limit' | 'gates' | 'settings'>, asks: AgentAsks) {
  const { clock, log, settings } = kernel;
  const { admission, countWait, listener, definitions, devices } = asks;
  const longPolls = newLongPolls(stopwatch);
  const newest = newestDefinitions(async () => {
    const { version, keys: list } = await definitions.newest();
    return { version, epoch: list.epoch };
  });
  const events = wakeOnEvents({
    ...{ log, listener, longPolls, changedOf: devices.changedOf },
    newest: newest.refresh,
  });
  const polls = devicePolls({ ...kernel, ...asks, newest: newest.get });
  const presence = presenceOf({ waiting: longPolls.devices, present: polls.backend.present, now: longPolls.moment, log });
  let closePolls = () => {};
  return {
    agentsWaiting: longPolls.count,
    writePresence: presence.write,
    polls: polls.backend,
    routes(http: FastifyInstance) {
      const openPolls = newOpenPolls({
        ...{ longPolls, headers: http.headersOfAll, random: Math.random, began: presence.began, ended: presence.ended },
      });
      closePolls = openPolls.close;
      pollRoute(http, {
        ...{ polls, longPolls, openPolls, presence },
        waits(call) {
          countWait(call);
          admission.leave(call);
        },
      });
      agentRoutes(http, {
        ...{ ...kernel, ...asks, definitions, devices, public_url: settings.public_url },
        recipientsOf: recipientsOf({
          ...{ clock, alertsOf: asks.alertsOf, deliveriesOf: asks.deliveriesOf },
          async holderIfOther(device) {
            const account = await devices.accountIfUsedByOther(device);
            return account === undefined ? null : (await asks.holderOf(account)).first_name;
          },
        }),
      });
    },
    async close() {
      events.close();
      closePolls();
      await presence.close();
    },
  };
}
