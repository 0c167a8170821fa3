import { timingSafeEqual } from 'node:crypto';
import type { Sealer } from '../lib/seal.ts';
import type { Category } from './render/rendering.ts';

/** The emails that a link ends. `weekly_holder`: of the account with this uuid; the others: of the guardian with it. */
export interface Ending {
  what: 'guardian' | 'weekly_guardian' | 'weekly_holder';
  uuid: string;
}

const letters = { g: 'guardian', w: 'weekly_guardian', h: 'weekly_holder' } as const;

/** Links that end emails: an HMAC over what they end, so that none is stored and none can be guessed. */
export function unsubscribeLinks(sealer: Pick<Sealer, 'mac'>, public_url: string) {
  const tokenOf = ({ what, uuid }: Ending) => {
    const letter = Object.entries(letters).find(([, name]) => name === what)?.[0] ?? '';
    return `${letter}.${uuid}.${sealer.mac('unsubscribe', `${what}:${uuid}`)}`;
  };
  const urlOf = (ending: Ending) => `${public_url}/api/unsubscribe/${tokenOf(ending)}`;

  return {
    /** For emails to a guardian that are no notifications, as the invitation. */
    ofGuardian: (uuid: string): string => urlOf({ what: 'guardian', uuid }),

    /** Null for emails about one's own account. */
    ofNotification(category: Category, { account, guardian }: { account: string; guardian: string | null }): string | null {
      if (guardian !== null) return urlOf({ what: category === 'weekly' ? 'weekly_guardian' : 'guardian', uuid: guardian });
      return category === 'weekly' ? urlOf({ what: 'weekly_holder', uuid: account }) : null;
    },

    read(token: string): Ending | null {
      const [letter = '', uuid = ''] = token.split('.');
      const what = letters[letter as keyof typeof letters];
      if (!what) return null;
      const [given, right] = [Buffer.from(token), Buffer.from(tokenOf({ what, uuid }))];
      return given.length === right.length && timingSafeEqual(given, right) ? { what, uuid } : null;
    },
  };
}
