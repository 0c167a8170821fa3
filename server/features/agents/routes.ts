import { agentEndpoints, type DevicePolicy } from '@porchlight/contract/agent.ts';
import type { CodeSecret } from '@porchlight/contract/one-time-codes.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { SignedDocument, SignedFeed } from '@porchlight/contract/shapes.ts';
import { signDocument } from '@porchlight/definitions/signature.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../http/bind.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import type { SigningKeys } from '../../secrets/signing-keys.ts';
import { type EnrolmentDeps, enrolmentRoutes } from './enrolment.ts';
import { type ReportDeps, reportRoutes } from './reports.ts';

interface Known {
  epoch: number;
  version: number;
}

export interface AgentDeps extends EnrolmentDeps, ReportDeps, Pick<Kernel, 'gates'> {
  public_url: string;
  keys: SigningKeys;
  devices: EnrolmentDeps['devices'] &
    ReportDeps['devices'] & {
      accountOf(uuid: string): Promise<string | undefined>;
    };
  /** Undefined for a removed device. `epoch`: of the definitions. */
  policyOf(device: string, epoch: number): Promise<DevicePolicy | undefined>;
  definitions: {
    feed(known: Known): Promise<SignedFeed>;
    keysAfter(known: Known): Promise<SignedDocument[]>;
    newest(): Promise<{ version: number; keys: Known }>;
    rootKey(): Promise<string>;
  };
  codeSecretOf(device: string): Promise<CodeSecret | null>;
  isPin(account: string, typed: string): Promise<boolean>;
}

export function agentRoutes(app: FastifyInstance, deps: AgentDeps): void {
  const { clock, gates, limit, keys, devices, definitions } = deps;

  const newerFeed = async (query: { known: number; known_keys: number; known_epoch: number }) => {
    const { version, keys: list } = await definitions.newest();
    return version > query.known || list.epoch > query.known_epoch ? definitions.feed(knownIn(query)) : null;
  };

  const accountOf = async (device: string): Promise<string> => {
    await devices.seen(device);
    return (await devices.accountOf(device)) ?? fail('device_removed');
  };
  bind(app, gates, agentEndpoints, {
    ...enrolmentRoutes(deps),
    ...reportRoutes(deps),
    'GET /agent/server': async () => ({
      public_url: deps.public_url,
      keys: {
        link: (await keys.link()).public_key,
        policy: (await keys.policy()).public_key,
        definitions: await definitions.rootKey(),
      },
    }),

    'GET /agent/free-plan': async ({ query }) => ({
      definitions: await newerFeed(query),
      ...(query.nonce && { time: signDocument({ time: clock.now().toISOString(), nonce: query.nonce }, await keys.policy()) }),
    }),

    'GET /agent/keys': async ({ query }) => ({ keys: await definitions.keysAfter(knownIn(query)) }),

    'GET /agent/policy': async ({ device }) => {
      await devices.seen(device);
      const { version, keys: list } = await definitions.newest();
      const policy = (await deps.policyOf(device, list.epoch)) ?? fail('device_removed');
      return { policy: signDocument(policy, await keys.policy()), definitions_version: version, keys: list };
    },

    'GET /agent/definitions': ({ query }) => definitions.feed(knownIn(query)),

    'GET /agent/code-secret': async ({ device }) => (await deps.codeSecretOf(device)) ?? fail('device_removed'),

    'POST /agent/pin': async ({ body, ...caller }) => {
      const account = caller.removed_from ?? (await accountOf(caller.device));
      const { pin_tries, pin_tries_per, pin_tries_day } = serverLimits;
      // PIN attempts are counted before the check and per account, so that additional devices give no additional attempts.
      await limit('device-pin', account, { max: pin_tries, per: pin_tries_per });
      await limit('device-pin-day', account, { max: pin_tries_day, per: 86_400_000 });
      return { right: await deps.isPin(account, body.pin) };
    },
  });
}

const knownIn = (query: { known_keys: number; known_epoch: number }): Known => ({ epoch: query.known_epoch, version: query.known_keys });
