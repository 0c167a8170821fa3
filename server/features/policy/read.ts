import type { AccountHolder } from '@porchlight/contract/agent.ts';
import type { BrowsingProtection } from '@porchlight/contract/browsing-protection.ts';
import type { UnlistedProtection } from '@porchlight/contract/unlisted-protection.ts';
import { type Compilable, sql } from 'kysely';
import { preparedQuery } from '../../db/prepared-query.ts';
import type { Kernel } from '../../kernel.ts';
import type { PolicyPart } from '../../ports.ts';
import type { AllowedEntry, DeviceForPolicy, DeviceRestrictions, PolicyContext } from './document.ts';
import type { UnlistedContext } from './unlisted.ts';

/** What features contribute to a policy. A new part is read once it has a line here and is part of the document. */
export interface PolicyParts {
  profile: PolicyPart<DeviceForPolicy['own']>;
  holder: PolicyPart<AccountHolder>;
  /** The first names of those who can be called. */
  guardians: PolicyPart<string[]>;
  plan: PolicyPart<boolean>;
  allow: PolicyPart<AllowedEntry[]>;
  browsing: PolicyPart<BrowsingProtection>;
  unlisted: PolicyPart<UnlistedProtection>;
  answers: PolicyPart<UnlistedContext['answers']>;
  incident: PolicyPart<{ open: boolean; unanswered: boolean; keeps_plan: boolean }>;
  recent: PolicyPart<{ restrictions: DeviceRestrictions; pin_shown: boolean }>;
  emergency_stop: PolicyPart<PolicyContext['emergency_stop']>;
  isolation: PolicyPart<PolicyContext['isolation']>;
  code_secret: PolicyPart<string | null>;
  appointment: PolicyPart<PolicyContext['appointment']>;
  pin: PolicyPart<PolicyContext['pin']>;
}

type Found = Record<keyof PolicyParts, unknown> & Omit<DeviceForPolicy, 'own'> & { account: string };

/** Reads in one statement what a device's policy depends on. `in_long_use`: the device gets the hash of the PIN. */
export function policyReader(
  { db, clock, knows_young_sites }: Pick<Kernel, 'db' | 'clock'> & { knows_young_sites: boolean },
  contributions: PolicyParts,
) {
  const found = Object.entries(contributions).map(([name, part]) => sql`${part.found} as ${sql.id(name)}`);
  const rowsOf = preparedQuery(
    db,
    (values: { device: string; now: string }): Compilable<Found> => ({
      compile: () =>
        sql<Found>`
          select d.uuid, d.account, d.name, d.policy, d.policy_version, d.resume, d.person, ${sql.join(found)}
          from devices d cross join (select ${values.now}::timestamptz as time) now
          where d.uuid = ${values.device}`.compile(db),
    }),
  );

  return async (
    uuid: string,
    { in_long_use, epoch }: { in_long_use: boolean; epoch: number },
  ): Promise<{ device: DeviceForPolicy; context: PolicyContext } | undefined> => {
    const now = clock.now();
    const [row] = await rowsOf({ device: uuid, now: now.toISOString() });
    if (!row) return undefined;
    const { account, person } = row;
    const read = async <P>(name: keyof PolicyParts, part: PolicyPart<P>) => part.read(row[name], { device: uuid, account, now });
    const guardians = await read('guardians', contributions.guardians);
    const holder = await read('holder', contributions.holder);
    const isOthers = person !== null && !person.is_holder;
    const incident = await read('incident', contributions.incident);
    return {
      device: { ...row, own: await read('profile', contributions.profile) },
      context: {
        ...{ epoch, holder, issued: now, incident: incident.open },
        ...(await read('recent', contributions.recent)),
        // When another person uses the computer, the policy also lists the holder as someone to call.
        relatives: isOthers ? [holder.first_name, ...guardians] : guardians,
        // The holder of somebody else's computer answers as a guardian does.
        has_guardian: guardians.length > 0 || isOthers,
        paid: (await read('plan', contributions.plan)) || incident.keeps_plan,
        allow: await read('allow', contributions.allow),
        browsing: await read('browsing', contributions.browsing),
        pin: in_long_use ? await read('pin', contributions.pin) : null,
        emergency_stop: await read('emergency_stop', contributions.emergency_stop),
        isolation: await read('isolation', contributions.isolation),
        code_secret: await read('code_secret', contributions.code_secret),
        appointment: await read('appointment', contributions.appointment),
        unlisted: {
          choice: await read('unlisted', contributions.unlisted),
          unanswered: incident.unanswered,
          asks_for_sites: incident.open || isOthers,
          young_sites: isOthers && knows_young_sites,
          answers: await read('answers', contributions.answers),
        },
      },
    };
  };
}
