import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { FastifyRequest } from 'fastify';
import type { CountedFor, GiveBack, Limit, Rate } from '../../http/rate-limit.ts';
import type { Browsers } from './browsers.ts';

/** What is tried: a password, or after the right one a code (P13.1). */
type Tried = 'password' | 'code';

/** `known` and `unknown`: what one browser or network may try. `strangers`: what all that the account does not know may try together. */
interface TryLimits {
  each: string;
  all: string;
  known: Rate;
  unknown: Rate;
  strangers: Rate;
}

const {
  login_tries,
  login_tries_within,
  login_tries_elsewhere,
  login_tries_elsewhere_within,
  login_code_tries,
  login_code_tries_within,
  login_code_tries_elsewhere,
  login_code_tries_elsewhere_within,
} = serverLimits;

const tryLimits: Record<Tried, TryLimits> = {
  password: {
    each: 'login-email',
    all: 'login-elsewhere',
    known: { max: login_tries, per: login_tries_within },
    unknown: { max: login_tries, per: login_tries_elsewhere_within },
    strangers: { max: login_tries_elsewhere, per: login_tries_elsewhere_within },
  },
  code: {
    each: 'login-code',
    all: 'login-code-elsewhere',
    known: { max: login_code_tries, per: login_code_tries_within },
    unknown: { max: login_code_tries, per: login_code_tries_within },
    strangers: { max: login_code_tries_elsewhere, per: login_code_tries_elsewhere_within },
  },
};

/** From where somebody logs in. `browser`: null if the account does not know it. */
export interface LoginOrigin {
  browser: string | null;
  network: boolean;
  ip: string;
}

/**
 * Tries are counted per known browser, otherwise per network, so that strangers do not lock out the owner. Unknown networks share
 * another limit, so that many networks do not allow many guesses; a password reset by email makes the owner's browser known.
 */
export function loginTries({ limit, giveBack, browsers }: { limit: Limit; giveBack: GiveBack; browsers: Browsers }) {
  const countedFor = (email: string, { browser, ip }: LoginOrigin): CountedFor => [
    email,
    browser === null ? `from ${ip}` : `at ${browser}`,
  ];
  const isStranger = ({ browser, network }: LoginOrigin) => browser === null && !network;

  return {
    originOf: async (request: FastifyRequest, email: string, ip: string): Promise<LoginOrigin> => ({
      ...(await browsers.familiarityOf(request, email, ip)),
      ip,
    }),

    /** Throws `too_many`, and `login_guarded` to strangers. */
    async count(tried: Tried, email: string, origin: LoginOrigin): Promise<void> {
      const { each, all, known, unknown, strangers } = tryLimits[tried];
      await limit(each, countedFor(email, origin), isStranger(origin) ? unknown : known);
      if (isStranger(origin)) await limit(all, email, strangers, 'login_guarded');
    },

    /** For a try that comes again: a log-in in two requests costs one try of each kind. */
    async giveBack(tried: Tried, email: string, origin: LoginOrigin): Promise<void> {
      const { each, all } = tryLimits[tried];
      await giveBack(each, countedFor(email, origin));
      if (isStranger(origin)) await giveBack(all, email);
    },
  };
}
