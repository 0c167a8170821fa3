import type { Program } from './steps.ts';

/** A scam of which a part is stopped: what the victim opens and starts, in order. */
export interface Scam {
  flow: number;
  /** What the caller has the victim do; a sentence without its end. */
  title: string;
  /** The page that the scam begins with, which gets no address. */
  page?: string;
  /** Programs that end, by the facts that their files have. */
  programs: [Program, ...Program[]];
  /** Sites of these programs, which get no address either. */
  sites: string[];
  /** The catalogue's name of the first program, which an allow list has too. */
  definition: string;
}

/** Programs of Windows itself have Microsoft’s signature, like thousands of harmless ones. */
const microsoft = { company: 'Microsoft Corporation', signer: 'Microsoft Windows' };

/** Those whose first program is one for remote control. */
export const scams: Scam[] = [
  {
    flow: 1,
    title: 'The caller behind a full-screen warning has the victim download and start AnyDesk',
    page: 'windows-security-alert24.pages.dev',
    programs: [
      {
        ...{ name: 'AnyDesk.exe', original_name: 'AnyDesk.exe', product: 'AnyDesk' },
        ...{ company: 'AnyDesk Software GmbH', signer: 'AnyDesk Software GmbH' },
      },
    ],
    sites: ['download.anydesk.com'],
    definition: 'AnyDesk',
  },
  {
    flow: 2,
    title: 'The caller has the victim type a six-digit code into a ScreenConnect page and start what it downloads',
    programs: [
      {
        name: 'ScreenConnect.WindowsClient.exe',
        path: 'C:\\Users\\Ann\\AppData\\Local\\Apps\\2.0\\7QKD\\scre..tion_25b0fbb6ef7eb094\\ScreenConnect.WindowsClient.exe',
        ...{ original_name: 'ScreenConnect.WindowsClient.exe', product: 'ScreenConnect', signer: 'ConnectWise, LLC' },
      },
    ],
    sites: ['helpdesk24.screenconnect.com', 'instance-k3v9x1-relay.screenconnect.com'],
    definition: 'ScreenConnect',
  },
  {
    flow: 3,
    title: 'The victim opens the “Social Security statement” of an email, which is a renamed ScreenConnect',
    programs: [
      // A copy of the sender's own server has no signature.
      {
        ...{ name: 'SSA_eStatement_4471.exe', original_name: 'ScreenConnect.ClientService.exe' },
        ...{ product: 'ScreenConnect', company: 'ScreenConnect Software' },
      },
      {
        name: 'ScreenConnect.ClientService.exe',
        path: 'C:\\Program Files (x86)\\ScreenConnect Client (9f2c)\\ScreenConnect.ClientService.exe',
        ...{ product: 'ScreenConnect', company: 'ScreenConnect Software' },
      },
    ],
    sites: ['instance-w8m2q7-relay.screenconnect.com'],
    definition: 'ScreenConnect',
  },
  {
    flow: 4,
    title: 'The victim opens the “invoice” of an email, which installs Atera and behind it seven more tools of IT departments',
    programs: [
      {
        name: 'AteraAgent.exe',
        path: 'C:\\Program Files\\ATERA Networks\\AteraAgent\\AteraAgent.exe',
        original_name: 'AteraAgent.exe',
      },
      { name: 'Invoice_2207.exe', original_name: 'SimpleHelpCustomer.exe', product: 'SimpleHelp Customer', signer: 'SimpleHelp Ltd' },
      { name: 'Document-viewer.exe', signer: 'Level Software, Inc.' },
      { name: 'Remittance.exe', original_name: 'action1_agent.exe', product: 'Action1', signer: 'Action1 Corporation' },
      { name: 'pdq-connect-agent.exe', product: 'PDQ Connect Agent', signer: 'PDQ.com Corporation' },
      { name: 'NinjaRMMAgent.exe', product: 'NinjaRMM Agent', signer: 'NinjaOne LLC' },
      { name: 'BASupSrvc.exe', original_name: 'BASupSrvc.exe', product: 'Take Control Agent', signer: 'N-ABLE TECHNOLOGIES LTD' },
      { name: 'CagService.exe', path: 'C:\\Program Files (x86)\\CentraStage\\CagService.exe', product: 'CentraStage' },
    ],
    sites: ['simple-help.com', 'level.io', 'server.action1.com', 'app.pdq.com', 'app.ninjarmm.com', 'rmm.datto.com'],
    definition: 'Atera',
  },
  {
    flow: 6,
    title: 'The caller has the victim press Ctrl, Windows and Q, which starts Quick Assist',
    programs: [
      {
        name: 'QuickAssist.exe',
        path: 'C:\\Program Files\\WindowsApps\\MicrosoftCorporationII.QuickAssist_2.0.35.0_x64__8wekyb3d8bbwe\\QuickAssist.exe',
        ...{ original_name: 'QuickAssist.exe', product: 'Quick Assist', company: 'Microsoft Corporation', signer: 'Microsoft Corporation' },
      },
    ],
    sites: ['remoteassistance.support.services.microsoft.com'],
    definition: 'Quick Assist',
  },
  {
    flow: 7,
    title: 'The caller has the victim start Windows Remote Assistance',
    programs: [{ name: 'msra.exe', path: 'C:\\Windows\\System32\\msra.exe', original_name: 'msra.exe', ...microsoft }],
    sites: [],
    definition: 'Windows Remote Assistance',
  },
  {
    flow: 8,
    title: 'The caller has the victim share this screen by the twelve digits of Chrome Remote Desktop',
    programs: [
      {
        name: 'remote_assistance_host.exe',
        path: 'C:\\Program Files (x86)\\Google\\Chrome Remote Desktop\\138.0\\remote_assistance_host.exe',
        ...{ original_name: 'remote_assistance_host.exe', product: 'Chrome Remote Desktop', company: 'Google LLC', signer: 'Google LLC' },
      },
    ],
    sites: ['remotedesktop.google.com'],
    definition: 'Chrome Remote Desktop',
  },
  {
    flow: 12,
    title: 'The caller who promises a refund has the victim start UltraViewer',
    programs: [
      { name: 'UltraViewer_setup.exe', product: 'UltraViewer', signer: 'DucFabulous Co., Ltd' },
      { name: 'UltraViewer_Desktop.exe', original_name: 'UltraViewer_Desktop.exe', product: 'UltraViewer' },
    ],
    sites: ['dl2.ultraviewer.net', 'www.ultraviewer.net'],
    definition: 'UltraViewer',
  },
  {
    flow: 14,
    title: 'The first of three callers has the victim start TeamViewer, before “the bank” and “the Federal Reserve” call',
    programs: [
      {
        ...{ name: 'TeamViewerQS.exe', original_name: 'TeamViewerQS.exe', product: 'TeamViewer QuickSupport' },
        signer: 'TeamViewer Germany GmbH',
      },
    ],
    sites: ['download.teamviewer.com'],
    definition: 'TeamViewer',
  },
  {
    flow: 20,
    title: 'The caller who means to disarm the computer has the victim start Supremo first',
    programs: [{ name: 'Supremo.exe', original_name: 'Supremo.exe', product: 'Supremo', signer: 'Nanosystems S.r.l.' }],
    sites: ['supremocontrol.com'],
    definition: 'Supremo',
  },
];
