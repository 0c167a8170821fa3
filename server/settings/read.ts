import { type Given, known, names } from './known.ts';
import { missingSettings } from './missing.ts';
import { type OperatorTexts, operatorTexts, templateTexts } from './template.ts';
import { unknownSettings } from './unknown.ts';

/** What is wrong with the settings, each named, with what to do. */
export class BadConfig extends Error {}

type Env = Record<string, string | undefined>;

/** `env`: as process.env; an empty value counts as not set. Throws `BadConfig`, which names everything that is wrong at once. */
export function readSettings(env: Env, texts: () => OperatorTexts = operatorTexts): Given {
  const given = settingsIn(env);
  const wrong = [...wrongSettings(env), ...missingSettings(given)];
  if (given.NODE_ENV === 'production') wrong.push(...templateTexts(texts()));
  if (wrong.length) throw new BadConfig(wrong.join('\n'));
  return given;
}

/** What is not what it should be, and what is no setting at all: for every program, whatever it needs. */
export function wrongSettings(env: Env): string[] {
  const given = Object.entries(settingsIn(env)) as [(typeof names)[number], string][];
  return [
    ...given.filter(([name, text]) => !known[name].ok(text)).map(([name]) => `${name} should be ${known[name].should}.`),
    ...unknownSettings(env),
  ];
}

function settingsIn(env: Env): Given {
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
