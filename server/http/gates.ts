import type { IncomingMessage } from 'node:http';
import type { Access } from '@porchlight/contract/endpoint.ts';
import type { FastifyRequest } from 'fastify';
import { fail } from '../lib/errors.ts';
import { callerOf } from './caller-of.ts';
import type { XsrfTokens } from './xsrf.ts';

/** `removed_from`: the account of a device that was removed less than 24 hours ago. */
export type DeviceOrRemoved = { device: string; removed_from: null } | { device: null; removed_from: string };

/** Returns the caller, or throws a refusal. */
export type Gates = Record<Access, (request: FastifyRequest) => Promise<object>>;

interface Session {
  account: string;
  session: string;
  email_verified: boolean;
}

export interface GateDeps {
  sessionOf(token: string): Promise<Session | null>;
  /** With the account's plan, in one statement. */
  memberOf(token: string): Promise<(Session & { has_plan: boolean }) | null>;
  hasPlan(account: string): Promise<boolean>;
  deviceOf(token: string): Promise<{ device: string } | 'removed' | null>;
  /** The account from which the token's device was removed less than 24 hours ago. */
  removedFrom(token: string): Promise<string | null>;
  /** Notes the network of a device's call, from `callerOf` (P10.2). */
  noteDeviceNetwork(device: string, caller: string): Promise<void>;
  guardianOf(id: string, cookie: string): Promise<{ guardian: string; session: string } | null>;
  xsrf: Pick<XsrfTokens, 'fits'>;
  email_check: boolean;
}

export const guardianCookie = 'guardian_session';

export function gates(deps: GateDeps): Gates {
  const found = async <S extends Session>(request: FastifyRequest, find: (token: string) => Promise<S | null>): Promise<S> => {
    const token = bearer(request);
    return (token && (await find(token))) || fail('unauthorized');
  };
  const requireConfirmed = ({ email_verified }: Session) => {
    if (deps.email_check && !email_verified) fail('email_unverified');
  };
  const callerIn = ({ account, session }: Session) => ({ account, session });
  /** A call that the server makes for an account has no session. */
  const ofOwnCall = ({ ownCall }: FastifyRequest) => ownCall && { account: ownCall.account, session: '' };
  const device = async (request: FastifyRequest) => {
    const token = bearer(request);
    const ofToken = token ? await deps.deviceOf(token) : null;
    if (ofToken === 'removed') fail('device_removed');
    if (ofToken === null) fail('unauthorized');
    await deps.noteDeviceNetwork(ofToken.device, callerOf(request.address));
    return ofToken;
  };
  return {
    public: async () => ({}),
    account: async (request) => ofOwnCall(request) ?? callerIn(await found(request, deps.sessionOf)),
    confirmed: async (request) => {
      const own = ofOwnCall(request);
      if (own) return own;
      const session = await found(request, deps.sessionOf);
      requireConfirmed(session);
      return callerIn(session);
    },
    member: async (request) => {
      const own = ofOwnCall(request);
      if (own) return (await deps.hasPlan(own.account)) ? own : fail('not_subscribed');
      const session = await found(request, deps.memberOf);
      requireConfirmed(session);
      if (!session.has_plan) fail('not_subscribed');
      return callerIn(session);
    },
    device,
    device_or_removed: async (request) => {
      const token = bearer(request);
      const removed_from = token ? await deps.removedFrom(token) : null;
      if (removed_from !== null) return { device: null, removed_from } satisfies DeviceOrRemoved;
      return { ...(await device(request)), removed_from: null } satisfies DeviceOrRemoved;
    },
    guardian: async (request) => {
      const { id } = request.params as { id?: string };
      const cookie = request.cookies[guardianCookie] ?? '';
      const foundGuardian = id && cookie ? await deps.guardianOf(id, cookie) : null;
      if (!foundGuardian) fail('guardian_link_dead');
      if (request.method !== 'GET' && !deps.xsrf.fits(request, cookie)) fail('forbidden');
      return foundGuardian;
    },
  };
}

/** The token of the Authorization header. */
export function bearer({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const match = /^Bearer ([\w-]{20,100})$/.exec(headers.authorization ?? '');
  return match?.[1] ?? null;
}
