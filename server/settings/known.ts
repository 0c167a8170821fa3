import { agent } from './groups/agent.ts';
import { analytics, chat, errorReports } from './groups/integrations.ts';
import { email, push, texts } from './groups/notifications.ts';
import { operation } from './groups/operation.ts';
import { payments, sites, switches } from './groups/product.ts';
import { data, load, roles, server } from './groups/server.ts';
import type { Setting } from './setting.ts';

// Must not import packages: the settings are checked before they are installed.

/** All settings, in the order of the page and of error messages. */
export const settingGroups = [
  server,
  data,
  email,
  texts,
  push,
  payments,
  sites,
  switches,
  chat,
  errorReports,
  analytics,
  operation,
  roles,
  load,
  agent,
];

type NamesIn<Settings> = Settings extends unknown ? keyof Settings : never;
export type SettingName = NamesIn<(typeof settingGroups)[number]['settings']>;
export type GivenSettings = Partial<Record<SettingName, string>>;

export const knownSettings: Record<SettingName, Setting> = Object.assign({}, ...settingGroups.map(({ settings }) => settings));

export const settingNames = Object.keys(knownSettings) as SettingName[];
