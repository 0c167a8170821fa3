import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../root.ts';

/** What a drill does otherwise than a page says, and why it has to. */
export interface Substitution {
  /** A text that the page must have exactly once. */
  page: string;
  drill: string;
  why: string;
}

/** The blocks of commands and files on a page of docs/operating, by heading, with the substitutions. Throws when one of them does not apply. */
export async function documentedSteps(page: string, substitutions: Substitution[]): Promise<Map<string, string[]>> {
  let text = await readFile(join(root, 'docs', 'operating', page), 'utf8');
  for (const { page: part, drill } of substitutions) {
    const parts = text.split(part);
    if (parts.length !== 2) throw new Error(`${page} has ${parts.length - 1} times and not once: ${part}`);
    text = parts.join(drill);
  }
  const steps = new Map<string, string[]>();
  let heading = '';
  let block: string[] | null = null;
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) {
      if (block) steps.set(heading, [...(steps.get(heading) ?? []), block.join('\n')]);
      block = block ? null : [];
    } else if (block) block.push(line);
    else if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
  }
  return steps;
}
