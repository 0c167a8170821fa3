import { type AccountHolder, type AgentInfo, type agentEndpoints } from '@porchlight/contract/agent.ts';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import type { Trx } from '../../db/open.ts';
import type { Handlers } from '../../http/bind.ts';
import type { CodeGuard } from '../../http/code-guard.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';

export interface EnrolmentDeps extends Pick<Kernel, 'db' | 'limit'> {
  guard: Pick<CodeGuard, 'lookUp'>;
  codes: {
    find(code: string): Promise<{ used: Date | null; expires: Date } | undefined>;
    /** The code's account; undefined when invalid. A redeemed code is valid for its own enrolment until the agent has its token. */
    whose(code: string, enrol_id: string | null): Promise<{ account: string; device_name: string } | undefined>;
    useUp(trx: Trx, code: string): Promise<string | null>;
    redeemedByLostEnrolment(trx: Trx, code: string, enrol_id: string): Promise<string | null>;
    newDeviceToken(trx: Trx, device: string): Promise<string>;
  };
  devices: { markInstalled(trx: Trx, uuid: string, info: AgentInfo, enrol_id: string): Promise<unknown> };
  holderOf(account: string): Promise<AccountHolder>;
  /** Stores when the account's first device connected; later ones change nothing (P10.2). */
  noteConnected(trx: Trx, account: string): Promise<unknown>;
}

type Enrolment = Pick<Handlers<typeof agentEndpoints>, 'POST /agent/enrol' | 'POST /agent/whose'>;

/** A code connects an agent with an account. */
export function enrolmentRoutes(deps: EnrolmentDeps): Enrolment {
  const { db, limit, codes, devices } = deps;

  /** Returns what `find` found; fails with the reason if it found nothing. Attempts with unknown codes are limited. */
  const lookUp = async <T extends object>(ip: string, code: string, find: () => Promise<T | null>) => {
    const result = await deps.guard.lookUp(ip, async () => {
      const foundDevice = await find();
      if (foundDevice !== null) return { found: foundDevice };
      const deadCode = await codes.find(code);
      return deadCode ? { dead: deadCode } : null;
    });
    if (!result) return fail('code_unknown');
    return result.found ?? fail(result.dead?.used ? 'code_used' : 'code_expired');
  };
  return {
    'POST /agent/enrol': async ({ body, ip }) => {
      await limit('code', ip, { max: 10, per: 60_000 });
      const code = readDeviceCode(body.code) ?? fail('code_unknown');
      const enrol = async (trx: Trx) => {
        const { enrol_id } = body;
        const uuid = (await codes.useUp(trx, code)) ?? (await codes.redeemedByLostEnrolment(trx, code, enrol_id));
        if (!uuid) return null;
        const { name, account } = await trx
          .selectFrom('devices')
          .select(['name', 'account'])
          .where('uuid', '=', uuid)
          .executeTakeFirstOrThrow();
        // Locks the account before the device, as when devices are added, to avoid deadlocks.
        await deps.noteConnected(trx, account);
        const agent_token = await codes.newDeviceToken(trx, uuid);
        await devices.markInstalled(trx, uuid, body.info, enrol_id);
        return { agent_token, device: { uuid, name }, account };
      };
      const { account, ...answer } = await lookUp(ip, code, () => db.transaction().execute(enrol));
      return { ...answer, holder: await deps.holderOf(account) };
    },

    'POST /agent/whose': async ({ body, ip }) => {
      await limit('code', ip, { max: 10, per: 60_000 });
      const code = readDeviceCode(body.code) ?? fail('code_unknown');
      const codeOwner = async () => (await codes.whose(code, body.enrol_id ?? null)) ?? null;
      const { account, device_name } = await lookUp(ip, code, codeOwner);
      return { holder: await deps.holderOf(account), device_name };
    },
  };
}
