import type { FakeCommand } from './fake-system.ts';

export interface Given {
  commands?: FakeCommand[];
  files?: Record<string, string>;
}
/** What a row must take for as expected, for not as expected, and for neither. Outputs in the form of the real commands. */
export interface Case {
  good: Given[];
  bad: Given[];
  unknown: Given[];
}

export const given = (...commands: FakeCommand[]): Given => ({ commands });
export const file = (path: string, text: string): Given => ({ files: { [path]: text } });
export const connected: Case = { good: [{}], bad: [], unknown: [] };
export const foreign = given(['', 'Etwas anderes steht hier.']);

export const policiesText = [
  '    DefaultNotificationsSetting    REG_DWORD    0x2',
  '    DnsOverHttpsMode    REG_SZ    off',
  '    RemoteAccessHostAllowRemoteSupportConnections    REG_DWORD    0x0',
  '    RemoteAccessHostAllowRemoteAccessConnections    REG_DWORD    0x0',
].join('\r\n');
export const noKey: FakeCommand = ['', 'ERROR: The system was unable to find the specified registry key or value.', 1];

export const names = (open: FakeCommand[], listed: FakeCommand[]): Given => ({ commands: [...listed, ...open] });
