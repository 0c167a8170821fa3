import { z } from 'zod';
import { agentLimits } from './agent-limits.ts';
import { limits } from './limits.ts';
import { time, uuid } from './shapes.ts';

/**
 * What an agent reports of actions at the computer. The agent stores it until the server has it, so it may come days later; the server stores each once.
 * - `paused`: with the PIN, from `time` to `until` (P4.6). - `resumed`: before that was over.
 * - `pin_guessed`: so many wrong PINs that none is taken for a while (P2.6).
 * - `moved`: this computer belongs to another account now. - `undone`: somebody there took back that it belongs to this one (P10.8).
 * - `leaving`: an administrator of the computer wants it to leave the account a day after this is known. - `stays`: they do not. - `left`: it has left.
 * - `asked`: the user wants what was stopped. A wish only: it allows nothing.
 */
export const news = z.object({
  /** Made on the device; the server ignores a second report with the same one. */
  uuid,
  time,
  said: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('paused'), until: time }),
    z.object({ kind: z.literal('resumed') }),
    z.object({ kind: z.literal('pin_guessed') }),
    z.object({ kind: z.enum(['moved', 'undone', 'leaving', 'stays', 'left']) }),
    z.object({ kind: z.literal('asked'), name: z.string().min(1).max(limits.name_max) }),
  ]),
});
export type News = z.infer<typeof news>;

export const newsEndpoint = {
  'POST /agent/news': {
    summary: 'What was done at the computer: pauses, wrong PINs, wishes. Each is stored once and acknowledged by its id',
    access: 'device',
    body: z.object({ news: z.array(news).min(1).max(agentLimits.news_per_report) }),
    answer: z.object({ stored: z.array(uuid) }),
    errors: [],
  },
} as const;
