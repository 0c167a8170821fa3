import type { DiskScanState } from '../../ports.ts';
import { messages } from './messages.ts';

type Found = DiskScanState['found'][number];

export const nameOf = ({ name, certainty }: Pick<Found, 'name' | 'certainty'>) =>
  certainty === 'likely' ? messages.scan.looksLike(name) : name;

/** `AnyDesk, TeamViewer`: each name once, at most five; marked as likely only if all its findings are. */
export function namesOf(found: Pick<Found, 'name' | 'certainty'>[]): string {
  const sure = new Set(found.filter(({ certainty }) => certainty === 'certain').map(({ name }) => name));
  const names = [...new Set(found.map((one) => (sure.has(one.name) ? one.name : nameOf(one))))];
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
}
