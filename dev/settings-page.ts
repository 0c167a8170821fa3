import type { Setting, SettingGroup } from '@porchlight/server/settings/setting.ts';

/** The page of settings and the example of `.env`, from the table that also checks the settings. `npm run check -- --write-docs` writes both. */

const lineWidth = 140;

const generated = (comment: (text: string) => string) =>
  comment('Written from server/settings/groups/ by: npm run check -- --write-docs. Edits here are lost.');

export function settingsPage(groups: SettingGroup[]): string {
  const parts = groups.map(({ title, intro, settings }) =>
    [`## ${title}`, ...(intro ? [intro] : []), [...tableHead, ...Object.entries(settings).map(tableRow)].join('\n')].join('\n\n'),
  );
  return `${[generated((text) => `<!-- ${text} -->`), pageHead, ...parts].join('\n\n')}\n`;
}

const pageHead = `# Settings

All settings are optional, except where \`NODE_ENV=production\` insists on one. They come from the environment, or from a file \`.env\` in the folder of
Porchlight ([\`.env.example\`](../../.env.example) is one to copy). The service of [small.md](small.md) reads \`/etc/porchlight/env\`, the containers of [container.md](container.md) read \`packaging/container/.env\`.
An empty setting counts as one that is not set.

Settings are read once, before anything else happens. Every one that is wrong, missing or misspelled is named, all at once, with what would be right, and nothing starts.`;

const tableHead = ['| setting | without it | meaning |', '| --- | --- | --- |'];

function tableRow([name, setting]: [string, Setting]): string {
  const { usual, without, meaning } = setting;
  const withoutIt = [usual === undefined ? '' : `\`${usual}\``, without ?? ''].filter(Boolean).join(', ');
  return `| \`${name}\` | ${escapeCell(withoutIt)} | ${escapeCell(meaning)} |`;
}

const escapeCell = (text: string) => text.replaceAll('|', '\\|');

export function envExample(groups: SettingGroup[]): string {
  const head = [
    generated((text) => `# ${text}`),
    '# Copy this file to .env and take the # off the lines you want. None is needed.',
    '# docs/operating/settings.md says what holds without each setting.',
  ].join('\n');
  const parts = groups.map(({ title, settings }) =>
    [
      `# ---- ${title} ----`,
      ...Object.entries(settings).map(([name, { meaning, example }]) => `${commented(meaning)}\n#${name}=${example}`),
    ].join('\n\n'),
  );
  return `${[head, ...parts].join('\n\n')}\n`;
}

/** Lines of a comment, none longer than `lineWidth` unless one word is. */
function commented(text: string): string {
  const lines: string[] = [];
  let line = '#';
  for (const word of text.replaceAll('`', '').split(' ')) {
    if (line.length + word.length >= lineWidth && line !== '#') {
      lines.push(line);
      line = '#';
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}
