import { type Config, readConfig } from '../../config.ts';
import { type SettingName, settingNames } from '../../settings/known.ts';
import { BadConfig } from '../../settings/read.ts';

export interface UsableSettings {
  /** The settings that are right; in the place of each other one is its default. */
  config: Config;
  /** A sentence for each error. */
  errors: string[];
  /** Settings that are wrong or missing. What depends on them cannot be checked: a default would be another server. */
  broken: ReadonlySet<SettingName>;
}

/** Settings that are read only together. */
const together = /^(TWILIO|STRIPE|CHAT|ANALYTICS)_/;

/** Never throws for wrong settings, so that everything else can still be checked. */
export function usableSettings(env: NodeJS.ProcessEnv): UsableSettings {
  try {
    return { config: readConfig(env), errors: [], broken: new Set() };
  } catch (reason) {
    if (!(reason instanceof BadConfig)) throw reason;
    const errors = reason.message.split('\n');
    const broken = new Set(errors.flatMap(settingOf));
    return { config: readConfig(withoutBroken(env, broken)), errors, broken };
  }
}

/** Each sentence about a setting begins with its name. */
const settingOf = (sentence: string): SettingName[] => settingNames.filter((name) => name === sentence.split(' ')[0]);

/** Without NODE_ENV, because production requires settings. */
function withoutBroken(env: NodeJS.ProcessEnv, broken: ReadonlySet<SettingName>): NodeJS.ProcessEnv {
  const brokenGroups = [...broken].flatMap((name) => together.exec(name)?.[1] ?? []);
  const isUsable = (name: SettingName) => {
    const group = together.exec(name)?.[1];
    return !broken.has(name) && name !== 'NODE_ENV' && !(group && brokenGroups.includes(group));
  };
  return Object.fromEntries(settingNames.filter(isUsable).map((name) => [name, env[name]]));
}
