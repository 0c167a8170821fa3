import { type GivenSettings, knownSettings, settingNames } from './known.ts';
import { missingSettings } from './missing.ts';
import { type OperatorTexts, operatorTexts, templateTexts } from './template.ts';
import { unknownSettings } from './unknown.ts';

/** Lists every wrong setting with the expected value. */
export class BadConfig extends Error {}

type Env = Record<string, string | undefined>;

/** An empty setting counts as not set. Throws `BadConfig` with all errors. */
export function readSettings(env: Env, texts: () => OperatorTexts = operatorTexts): GivenSettings {
  const settings = settingsIn(env);
  const errors = [...wrongSettings(env), ...missingSettings(settings)];
  if (settings.NODE_ENV === 'production') errors.push(...templateTexts(texts()));
  if (errors.length) throw new BadConfig(errors.join('\n'));
  return settings;
}

export function wrongSettings(env: Env): string[] {
  const settings = Object.entries(settingsIn(env)) as [(typeof settingNames)[number], string][];
  return [
    ...settings.filter(([name, text]) => !knownSettings[name].ok(text)).map(([name]) => `${name} should be ${knownSettings[name].should}.`),
    ...unknownSettings(env),
  ];
}

function settingsIn(env: Env): GivenSettings {
  return Object.fromEntries(settingNames.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
}
