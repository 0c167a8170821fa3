import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Authority } from '../../incident-ports.ts';
import type { PolicyPart } from '../../ports.ts';
import { ends_after } from './store.ts';

/** An open incident of the account. `here`: at the device. `on_it`: who answered with *I’m on it* at the device since it opened, or opened again. */
interface FoundIncident {
  here: boolean;
  opened: string;
  had_plan: boolean;
  on_it: string[] | null;
}

/** `keeps_plan`: an open incident of the account keeps the policy of the plan that it opened with (P10.1). */
export interface IncidentInPolicy {
  open: boolean;
  /** Nobody who may has answered it (P12.6). */
  unanswered: boolean;
  keeps_plan: boolean;
}

interface PolicyPartDeps {
  db: Db;
  authority: Pick<Authority, 'mayEndEscalation'>;
}

/** What a policy says of the device's open incident. */
export function incidentInPolicy({ db, authority }: PolicyPartDeps): PolicyPart<IncidentInPolicy, FoundIncident[] | null> {
  return {
    found: sql`(
      select jsonb_agg(
        jsonb_build_object('here', i.device = d.uuid, 'opened', i.opened, 'had_plan', i.had_plan, 'on_it', (
          select jsonb_agg(distinct e.person) from incident_events e
          where e.incident = i.uuid and i.device = d.uuid and e.kind = 'on_it' and e.person is not null and e.time >= coalesce(
            (select max(r.time) from incident_events r where r.incident = i.uuid and r.kind = 'reopened'), i.opened)))
        order by i.opened desc)
      from incidents i
      where i.account = d.account and i.over is null and i.last_opener > now.time - interval '${sql.raw(String(ends_after))} milliseconds')`,
    async read(found, { account, device }) {
      const here = found?.find((incident) => incident.here);
      const isAnswered = async ({ opened, on_it }: FoundIncident) => {
        for (const person of on_it ?? []) {
          if (await authority.mayEndEscalation({ account, device, opened: new Date(opened) }, person, db)) return true;
        }
        return false;
      };
      return {
        open: here !== undefined,
        unanswered: here !== undefined && !(await isAnswered(here)),
        keeps_plan: found?.some(({ had_plan }) => had_plan) ?? false,
      };
    },
  };
}
