import type { FastifyInstance } from 'fastify';
import type { Listener } from '../../db/listen.ts';
import type { Call } from '../../http/admission.ts';
import type { Kernel } from '../../kernel.ts';
import { stopwatch } from '../../lib/clock.ts';
import { firstName } from '../../texts/formatting.ts';
import { maskedAddress } from '../../texts/mask-address.ts';
import { newLongPolls } from './long-polls.ts';
import { type RecipientsDeps, recipientsOf } from './notified.ts';
import { type PinHashDeps, pinHashes } from './pins.ts';
import { wakeOnEvents } from './poll-events.ts';
import { type DevicePollDeps, devicePolls } from './polls/device-polls.ts';
import { newestDefinitions } from './polls/newest-definitions.ts';
import { newOpenPolls } from './polls/open-polls.ts';
import { presenceOf } from './polls/presence.ts';
import { pollRoute } from './polls/route.ts';
import { type AgentDeps, agentRoutes } from './routes.ts';
import { deviceUse } from './use.ts';

interface AgentAsks
  extends Omit<AgentDeps, keyof Kernel | 'public_url' | 'noteUse' | 'definitions' | 'devices' | OfOthers>,
    Omit<DevicePollDeps, keyof Kernel | 'newest' | 'noteUse' | 'devices'>,
    Pick<PinHashDeps, 'sealedPinOf'>,
    Pick<RecipientsDeps, 'alertsOf' | 'deliveriesOf'> {
  listener: Listener;
  admission: { leave(call: Call): void };
  /** Counts a call that only waits apart from the others. */
  countWait(call: Call): void;
  definitions: AgentDeps['definitions'];
  devices: AgentDeps['devices'] & DevicePollDeps['devices'] & { accountIfUsedByOther(device: string): Promise<string | undefined> };
  holderOf(account: string): Promise<{ name: string; email: string }>;
  activeGuardians(account: string): Promise<{ name: string }[]>;
}
/** What is made here of what others offer. */
type OfOthers = 'holderOf' | 'guardianNamesOf' | 'recipientsOf' | 'pinOf' | 'isPin';

/** Transport between agents and server: their polls, policies and reports. */
export function agentFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'log' | 'sealer' | 'limit' | 'gates' | 'events' | 'settings'>,
  asks: AgentAsks,
) {
  const { db, clock, log, settings } = kernel;
  const { admission, countWait, listener, definitions, devices } = asks;
  const pins = pinHashes({ ...kernel, sealedPinOf: asks.sealedPinOf });
  const longPolls = newLongPolls(stopwatch);
  const newest = newestDefinitions(async () => {
    const { version, keys: list } = await definitions.newest();
    return { version, epoch: list.epoch };
  });
  const events = wakeOnEvents({
    ...{ log, listener, longPolls, changedOf: devices.changedOf },
    newestVersion: async () => (await newest.refresh()).version,
  });
  const use = deviceUse(db, clock, (trx, account, device) => kernel.events.emit(trx, 'policy_changed', { account, device }));
  const polls = devicePolls({ ...kernel, ...asks, newest: newest.get, noteUse: use.note });
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
        ...{ ...kernel, ...asks, definitions, devices, noteUse: use.note, public_url: settings.public_url },
        guardianNamesOf: async (account) => (await asks.activeGuardians(account)).map(({ name }) => firstName(name)),
        async holderOf(account) {
          const { name, email } = await asks.holderOf(account);
          return { first_name: firstName(name), masked_email: maskedAddress(email) };
        },
        pinOf: pins.of,
        isPin: pins.isRight,
        recipientsOf: recipientsOf({
          ...{ clock, alertsOf: asks.alertsOf, deliveriesOf: asks.deliveriesOf },
          async holderIfOther(device) {
            const account = await devices.accountIfUsedByOther(device);
            return account === undefined ? null : firstName((await asks.holderOf(account)).name);
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
