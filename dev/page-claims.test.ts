import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandTable } from '@porchlight/server/cli/commands.ts';
import { settingNames } from '@porchlight/server/settings/known.ts';
import { expect, test } from 'vitest';
import { root } from './root.ts';
import { filesBelow } from './walk.ts';

/** What the pages for operators claim about commands, settings and messages. Decisions are left out, because they describe their own time. */
const readText = (file: string) => readFileSync(join(root, file), 'utf8');
const pages = ['README.md', 'CONTRIBUTING.md', ...filesBelow('docs', /\.md$/).filter((file) => !file.startsWith('docs/decisions/'))];
const operatorPages = pages.filter((file) => file.startsWith('docs/operating/') && file !== 'docs/operating/settings.md');

/** Lines of code blocks, and code within lines. */
function codeIn(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```/gm)].flatMap(([, block = '']) => block.split('\n'));
  const inline = [...text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...blocks, ...inline];
}

/** What is wrong with the words after `npm run porchlight --`; null for a command of the table with known options. */
function problemOf(typed: string): string | null {
  const words = typed.split(/\s+/).filter((word) => word !== '');
  const named = commandTable.commands
    .filter(({ name }) => name.split(' ').every((word, index) => word === words[index]))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  if (!named) return `there is no command "${typed}"`;
  const unknown = words.filter((word) => word.startsWith('--')).filter((word) => !`${named.usage}\n${named.help}`.includes(word));
  return unknown.length ? `"${named.name}" has no ${unknown.join(', ')}` : null;
}

const started = /(?:npm run (?:-s )?porchlight --|sudo porchlight|node dev\/porchlight\.mjs) ([^|`…]+)/;
const withoutComment = (code: string) => code.replace(/\s+#.*$/, '').trim();

test('every command of the operator on a page exists, with its options', () => {
  const groups = new Set(commandTable.commands.map(({ name }) => name.split(' ')[0]));
  const problems = pages.flatMap((page) =>
    codeIn(readText(page)).flatMap((code) => {
      const typed = started.exec(withoutComment(code))?.[1]?.trim();
      // In the tables only the words of the command are written.
      const bare = operatorPages.includes(page) && /^[a-z-]+ [a-z-]/.test(code) && groups.has(code.split(' ')[0]) ? code : undefined;
      const command = typed ?? bare;
      if (command === undefined || /^(help|COMMAND|"\$@")/.test(command)) return [];
      const problem = problemOf(command.replaceAll(/"[^"]*"/g, 'TEXT'));
      return problem ? [`${page}: ${problem}`] : [];
    }),
  );
  expect(problems).toEqual([]);
});

test('a command that does not exist, and an option that a command does not have, are found', () => {
  expect(problemOf('mail list --all')).toBeNull();
  expect(problemOf('mail burn')).toBe('there is no command "mail burn"');
  expect(problemOf('mail retry --twice')).toBe('"mail retry" has no --twice');
});

test('every npm script on a page is in package.json', () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
  const named = pages.flatMap((page) => codeIn(readText(page)).flatMap((code) => /npm run (?:-s )?([\w-]+)/.exec(code)?.[1] ?? []));
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
});

/** Names in capital letters that are no settings of Porchlight. */
const otherNames = ['POSTGRES_PASSWORD', 'NODE_OPTIONS'];

test('every setting on a page exists', () => {
  const named = operatorPages.flatMap((page) =>
    codeIn(readText(page)).flatMap((code) =>
      [...code.matchAll(/(?:^|[\s`/])([A-Z]+(?:_[A-Z]+)+)(?==|$|[/.])/g)].map(([, name = '']) => name),
    ),
  );
  expect(named.length).toBeGreaterThan(30);
  expect([...new Set(named)].filter((name) => !(settingNames as string[]).includes(name) && !otherNames.includes(name))).toEqual([]);
});

test('every message that the page of symptoms quotes is in the source', () => {
  const section = readText('docs/operating/when-something-is-wrong.md').split('## The server does not start')[1]?.split('\n## ')[0] ?? '';
  const parts = [...section.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/\*([^*]+)\*/g)].flatMap(([, message = '']) => message.split('…').map((part) => part.trim())),
  );
  const source = [...filesBelow('server', /(?<!\.test)\.ts$/), 'dev/setup.mjs'].map(readText).join('\n');
  expect(parts.filter(Boolean).length).toBeGreaterThan(10);
  expect(parts.filter((part) => !source.includes(part))).toEqual([]);
});
