import type { Person } from '@porchlight/contract/devices.ts';
import type { WrittenEmail } from '../texts/email.ts';

export const people = {
  me: { name: '', phone_number: '', is_holder: true },
  Mum: { name: 'Mum', phone_number: '', is_holder: false },
  'Mum with a number': { name: 'Mum', phone_number: '+12025550143', is_holder: false },
  'someone without a name': { name: '', phone_number: '', is_holder: false },
  nobody: null,
} as const satisfies Record<string, Person | null>;

/** An email as read aloud, one paragraph a line and without our address; then the SMS. */
export function readAloud(email: WrittenEmail, text: string | null): string {
  const blocks = email.text
    .trim()
    .split('\n\n')
    .filter((block) => !block.startsWith('Nobody from '));
  const lines = blocks.map((block) => block.replace(/:\nhttps?:\S+$/, ' →').replace('\n', ': '));
  return [`Subject: ${email.subject}`, ...lines, `Text: ${text ?? 'none'}`].join('\n');
}
