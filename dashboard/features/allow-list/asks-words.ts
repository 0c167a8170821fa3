import type { AllowListEntry } from '@porchlight/contract/allow-list.ts';
import { inWords } from '../../lib/dates.ts';
import { messages } from './messages.ts';

/** What happens to an allowed program in its first hour (P9.1); null afterwards. */
export function asksWords({ asks_until }: Pick<AllowListEntry, 'asks_until'>, now: Date): string | null {
  const until = asks_until && new Date(asks_until);
  return until && until > now ? messages.asks(inWords(until, now)) : null;
}
