import { z } from 'zod';
import { agentLimits } from './agent-limits.ts';
import { appointmentEnd } from './appointments.ts';
import { limits } from './limits.ts';
import { time, uuid } from './shapes.ts';

/** Files that a user can write, and that the agent reads; `scan`: what was found in all of them. */
export const userFileSource = z.enum(['download_folders', 'autostart', 'menu', 'units', 'flatpaks', 'cron', 'scan', 'browsers']);
export type UserFileSource = z.infer<typeof userFileSource>;

/**
 * An event at the computer. The agent stores it until the server has it, so it may arrive days later.
 * - `paused`: with the PIN, from `time` to `until` (P4.6). - `resumed`: before that was over. - `pin_guessed`: enough wrong PINs to lock it (P2.6).
 * - `moved`: to another account. - `undone`: somebody undid the move to this account (P10.8).
 * - `leaving`: an administrator wants the computer to leave the account in a day. - `stays`: that was withdrawn.
 * - `asked`: the user requests something that was stopped, which allows nothing by itself.
 * - `help`: the user pressed *I need help now*, and remote-control programs are ended (P9.5).
 * - `new_program`: a program from the internet ran for the first time, and did not have to wait (P12.3).
 * - `opened_site`: somebody at the computer opened a paused site for an hour (P16.2).
 * - `isolation`: whether a network isolation is in force there now, and how often it was set again because somebody had taken it away (P10.6).
 *   Reported when it is not so, and when that changes.
 * - `allowed`: a one-time code allowed a program until `until` (P10.7). - `reconnected`: the user ended the network isolation (P10.6).
 * - `helped`: an appointment ended, and its program with it (P15.1).
 * - `left_out`: the agent got stuck at these files, was started again, and leaves them out for a day.
 */
export const agentEvent = z.object({
  /** The agent makes the id; the server ignores repeated ones. */
  uuid,
  time,
  reported: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('paused'), until: time }),
    z.object({ kind: z.literal('resumed') }),
    z.object({ kind: z.literal('pin_guessed') }),
    z.object({ kind: z.enum(['moved', 'undone', 'leaving', 'stays', 'left']) }),
    z.object({ kind: z.literal('asked'), name: z.string().min(1).max(limits.name_max) }),
    z.object({ kind: z.enum(['help', 'reconnected', 'new_program']) }),
    z.object({ kind: z.literal('opened_site'), site: z.string().min(1).max(253) }),
    z.object({ kind: z.literal('left_out'), source: userFileSource }),
    z.object({ kind: z.literal('isolation'), isolation: uuid, in_force: z.boolean(), put_back: z.number().int().min(0).max(100_000) }),
    z.object({ kind: z.literal('allowed'), name: z.string().min(1).max(limits.name_max), until: time }),
    z.object({ kind: z.literal('helped'), appointment: uuid, end: appointmentEnd }),
  ]),
});
export type AgentEvent = z.infer<typeof agentEvent>;

export const agentEventEndpoint = {
  'POST /agent/events': {
    summary: 'What was done at the computer: pauses, wrong PINs, wishes. Each is stored once and acknowledged by its id',
    access: 'device',
    body: z.object({ events: z.array(agentEvent).min(1).max(agentLimits.events_per_report) }),
    answer: z.object({ stored: z.array(uuid) }),
    errors: [],
  },
} as const;
