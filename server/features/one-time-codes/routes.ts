import { randomUUID } from 'node:crypto';
import {
  type CodePurpose,
  type CodeSecret,
  oneTimeCodeEndpoints,
  oneTimeCodes,
  type ShownCode,
  windowOf,
} from '@porchlight/contract/one-time-codes.ts';
import type { oneTimeCode } from '@porchlight/definitions/one-time-code.ts';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import { bind } from '../../http/bind.ts';
import { isNearAgent } from '../../http/weakening-call.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import type { DeviceOwnership, DeviceWords } from '../../ports.ts';
import { firstName } from '../../texts/formatting.ts';
import type { StoppedProgram } from './stopped-programs.ts';
import type { OneTimeCodeStore } from './store.ts';

/** Codes per guardian and hour, with refused ones: enough for a family in trouble, too few to guess the texted code. */
const codeLimit = { max: 20, per: 3_600_000 };

/** A guardian who opens a code. */
export interface CodeOpener {
  kind: 'guardian';
  account: string;
  /** The guardian's uuid, and the first name. */
  person: string;
  name: string;
  accepted: Date;
  /** From `callerOf`. */
  ip: string;
  browser_near: boolean;
}

type UseTextedCode = ((trx: Trx) => Promise<unknown>) | null;

export interface OneTimeCodeDeps extends Pick<Kernel, 'db' | 'clock' | 'gates' | 'limit' | 'notify'> {
  store: OneTimeCodeStore;
  ownsDevice: DeviceOwnership;
  codeOf: typeof oneTimeCode;
  /** Not within a transaction that locks the device. */
  secretOf(device: string): Promise<CodeSecret | null>;
  stoppedPrograms(device: string): Promise<StoppedProgram[]>;
  /** An active guardian; throws `guardian_inactive` and `guardian_link_dead`. */
  activeGuardian(uuid: string): Promise<{ uuid: string; account: string; name: string; accepted: Date }>;
  checkTextedCode(opener: CodeOpener, code: string | undefined): Promise<UseTextedCode>;
  /** Throws the refusal of a guardian who may not say yes at this device (P10.2). */
  requireProof(trx: Trx, opener: CodeOpener, device: string, useTextedCode: UseTextedCode): Promise<void>;
  /** The uuid of the open incident at the device. */
  incidentAt(trx: Trx, account: string, device: string): Promise<string | null>;
  /** Adds it to the time line of the incident. */
  noteShown(trx: Trx, incident: string, opener: CodeOpener, time: Date): Promise<unknown>;
  deviceWords: DeviceWords;
}

interface CodeRequest {
  device: string;
  purpose: CodePurpose;
  identifier?: string | undefined;
  code?: string | undefined;
}

/** One-time codes that guardians open (P10.7). */
export function oneTimeCodeRoutes(app: FastifyInstance, deps: OneTimeCodeDeps): void {
  const { db, clock, store } = deps;

  /** Null for a purpose that is about no program. */
  const programOf = async ({ device, purpose, identifier }: CodeRequest): Promise<StoppedProgram | null> => {
    if (purpose !== 'allow') return null;
    return (await deps.stoppedPrograms(device)).find((program) => program.identifier === identifier) ?? fail('not_found');
  };

  const open = async (opener: CodeOpener, request: CodeRequest): Promise<ShownCode> => {
    const { account, person: guardian, name: by } = opener;
    const { purpose } = request;
    if (!(await deps.ownsDevice(account, request.device))) fail('not_found');
    const program = await programOf(request);
    const { secret } = (await deps.secretOf(request.device)) ?? fail('not_found');
    const useTextedCode = await deps.checkTextedCode(opener, request.code);
    return db.transaction().execute(async (trx) => {
      const { uuid: device, name: device_name } = (await store.lockDevice(trx, account, request.device)) ?? fail('not_found');
      await deps.requireProof(trx, opener, device, useTextedCode);
      const time = clock.now();
      const window = windowOf(time.getTime());
      const subject = { device, purpose, program: program?.identifier ?? '' };
      const number = (await store.takeNumber(trx, subject, window, guardian)) ?? fail('codes_spent');
      const incident = await deps.incidentAt(trx, account, device);
      if (incident !== null) await deps.noteShown(trx, incident, opener, time);
      const words = await deps.deviceWords(trx, account, device);
      const about = { id: randomUUID(), incident, device: device_name, ...words, time };
      await deps.notify(trx, account, {
        kind: 'code_shown',
        facts: { ...about, purpose, program: program?.name ?? null, by, by_person: guardian },
      });
      return {
        ...{ code: deps.codeOf(secret, subject, window, number), purpose, device_name, program: program?.name ?? null },
        // The agent takes codes of the window before, too.
        until: new Date((window + 2) * oneTimeCodes.window).toISOString(),
      };
    });
  };

  bind(app, deps.gates, oneTimeCodeEndpoints, {
    'POST /guardian/:id/codes': async ({ guardian, body, ip, request }) => {
      const { account, name, accepted } = await deps.activeGuardian(guardian);
      await deps.limit('one-time-code', guardian, codeLimit);
      const browser_near = isNearAgent(request);
      return open({ kind: 'guardian', account, person: guardian, name: firstName(name), accepted, ip, browser_near }, body);
    },
  });
}
