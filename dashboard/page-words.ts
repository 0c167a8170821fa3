import { brand } from '@porchlight/contract/brand.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { periodInWords, retention } from '@porchlight/contract/retention.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { day } from '@porchlight/contract/time.ts';

/** The app's footer without app-only parts, with room for the update button. */
function footer(version: string): string {
  const { name, support } = brand;
  return `<footer><div class="wrap">
    <span>Worried right now? <a href="/dashboard/help-now">I think I am being scammed</a></span>
    <span>${support.title} <a href="mailto:${support.email}">${support.email}</a> · <a href="tel:${support.phone.replaceAll('-', '')}">${support.phone}</a></span>
    <span><a href="/terms-of-service">Terms</a> · <a href="/privacy-policy">Privacy</a> · © ${new Date().getFullYear()} ${name} · Version ${version}</span>
    <div role="status" id="newer"></div>
  </div></footer>`;
}

/** What the server deletes and when, by its own numbers (P14.4). */
function retentionList(): string {
  const lines = Object.values(retention).map((period) => `<li><strong>${periodInWords(period)}:</strong> ${period.about}</li>`);
  return `<ul>${lines.join('\n')}</ul>`;
}

/** One a night, as docs/operating/backup.md proposes. */
const backups_stored = 14;

/** By their names in the pages, where they are written as `{{name}}`. */
const words: Record<string, (version: string) => string> = {
  footer,
  name: () => brand.name,
  retention: retentionList,
  deletion_wait: () => `${serverLimits.deletion_wait / day} days`,
  backups: () => `${backups_stored} days`,
  trial: () => `${limits.trial_days} days`,
};

/** Fills in the words that come from values of the contract, so that a page cannot have another number than the server. */
export const fillPageWords = (html: string, version: string): string =>
  html.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => words[name]?.(version) ?? whole);
