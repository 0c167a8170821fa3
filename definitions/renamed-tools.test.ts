import { expect, test } from 'vitest';
import { readCatalogue } from './catalogue.ts';
import type { ProgramSeen } from './format.ts';
import { compileSet, matchProgram } from './match.ts';

const set = compileSet({ version: 1, issued: '2026-01-01T00:00:00.000Z', definitions: readCatalogue() });

/** What a rename does not change of the tools that scammers use: mostly one mark each, the weakest that is public. */
const renamedTools: [identifier: string, facts: Omit<Partial<ProgramSeen>, 'os' | 'name'>][] = [
  ['anydesk', { signer: 'AnyDesk Software GmbH' }],
  ['anydesk', { signer: 'philandro Software GmbH' }],
  ['anydesk', { product: 'AnyDesk' }],
  ['teamviewer', { signer: 'TeamViewer Germany GmbH' }],
  ['teamviewer', { original_name: 'TeamViewer_Desktop.exe', product: 'TeamViewer' }],
  ['ultraviewer', { signer: 'DUC FABULOUS CO.,LTD' }],
  ['ultraviewer', { product: 'UltraViewer' }],
  ['screenconnect', { signer: 'ConnectWise, LLC' }],
  ['screenconnect', { original_name: 'ScreenConnect.WindowsClient.exe', product: 'ScreenConnect', company: 'ScreenConnect Software' }],
  ['screenconnect', { signer: 'Unknown Person', product: 'ScreenConnect' }],
  ['rustdesk', { product: 'RustDesk', company: 'Purslane Ltd' }],
  ['rustdesk', { original_name: 'banksupport.exe', product: 'BankSupport', company: 'Purslane Tech Pte. Ltd.' }],
  ['rustdesk', { original_name: 'banksupport.exe', product: 'BankSupport', company: 'Bank', description: 'RustDesk Remote Desktop' }],
  ['rustdesk', { original_name: 'banksupport.exe', product: 'BankSupport', company: 'Bank', libraries: ['librustdesk.dll'] }],
  ['screenconnect', { original_name: 'support.exe', product: 'Bank', company: 'Bank', libraries: ['ScreenConnect.Core.dll'] }],
  ['supremo', { signer: 'Nanosystems S.r.l.' }],
  ['zoho-assist', { signer: 'ZOHO Corporation Private Limited', product: 'Zoho Assist' }],
  ['splashtop', { signer: 'Splashtop Inc.' }],
  ['logmein-rescue', { original_name: 'LMI_Rescue.exe', signer: 'LogMeIn, Inc.' }],
  ['goto-resolve', { product: 'GoToAssist', signer: 'GoTo Technologies USA, LLC' }],
  ['ammyy-admin', { signer: 'Ammyy LLC' }],
  ['aeroadmin', { signer: 'AeroAdmin LLC' }],
  ['atera', { signer: 'Atera Networks Ltd' }],
  ['syncro', { signer: 'Servably, Inc.' }],
  ['ninjaone', { signer: 'NinjaRMM, LLC' }],
  ['action1', { signer: 'Action1 Corporation' }],
  ['simplehelp', { signer: 'SimpleHelp Ltd' }],
  ['netsupport', { signer: 'NetSupport Ltd.' }],
  ['meshcentral', { original_name: 'meshagent.exe' }],
  ['remote-utilities', { signer: 'Remote Utilities LLC' }],
  ['hoptodesk', { product: 'HopToDesk' }],
  ['dwservice', { product: 'DWAgent' }],
  ['getscreen', { product: 'Getscreen.me' }],
  ['remotepc', { signer: 'IDrive, Inc.', product: 'RemotePC' }],
  ['pulseway', { signer: 'MMSOFT Design Ltd.' }],
  ['pdq-connect', { signer: 'PDQ.com Corporation' }],
  ['level', { signer: 'Level Software, Inc.' }],
  ['datto-rmm', { signer: 'Datto, LLC' }],
  ['datto-rmm', { signer: 'Datto Inc' }],
  ['kaseya-vsa', { signer: 'Kaseya US LLC' }],
  ['beyondtrust', { signer: 'BeyondTrust Corporation' }],
  ['fleetdeck', { signer: 'FleetDeck Inc' }],
];

test.each(renamedTools)('[P12.7] %s is found in invoice.exe by %o', (identifier, facts) => {
  expect(matchProgram({ os: 'windows', name: 'invoice.exe', ...facts }, set)?.identifier).toBe(identifier);
});
