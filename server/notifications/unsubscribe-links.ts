import { timingSafeEqual } from 'node:crypto';
import type { Sealer } from '../secrets/seal.ts';
import type { Category } from './render/rendering.ts';

/** `uuid`: of the account for `weekly_holder`, otherwise of the guardian. */
export interface OptOut {
  what: 'guardian' | 'weekly_guardian' | 'weekly_holder';
  uuid: string;
}

const prefixes = { g: 'guardian', w: 'weekly_guardian', h: 'weekly_holder' } as const;

/** An HMAC authenticates the links, so that they need not be stored and cannot be guessed. */
export function unsubscribeLinks(sealer: Pick<Sealer, 'mac'>, public_url: string) {
  const tokenOf = ({ what, uuid }: OptOut) => {
    const prefix = Object.entries(prefixes).find(([, name]) => name === what)?.[0] ?? '';
    return `${prefix}.${uuid}.${sealer.mac('unsubscribe', `${what}:${uuid}`)}`;
  };
  const urlOf = (optOut: OptOut) => `${public_url}/api/unsubscribe/${tokenOf(optOut)}`;

  return {
    /** For emails that are not notifications, such as the invitation. */
    ofGuardian: (uuid: string): string => urlOf({ what: 'guardian', uuid }),

    /** Null for emails about one's own account. */
    ofNotification(category: Category, { account, guardian }: { account: string; guardian: string | null }): string | null {
      if (guardian !== null) return urlOf({ what: category === 'weekly' ? 'weekly_guardian' : 'guardian', uuid: guardian });
      return category === 'weekly' ? urlOf({ what: 'weekly_holder', uuid: account }) : null;
    },

    read(token: string): OptOut | null {
      const [emailKind = '', uuid = ''] = token.split('.');
      const optOutKind = prefixes[emailKind as keyof typeof prefixes];
      if (!optOutKind) return null;
      const [givenToken, expectedToken] = [Buffer.from(token), Buffer.from(tokenOf({ what: optOutKind, uuid }))];
      return givenToken.length === expectedToken.length && timingSafeEqual(givenToken, expectedToken) ? { what: optOutKind, uuid } : null;
    },
  };
}
