/**
 * Mail, calendar and message pages whose notifications stay where browsers are protected (P15.5), as exact origins. The list comes with the
 * agent and never with the feed of definitions, which must not allow anything (P16.1).
 */
export const notificationOrigins: { name: string; origins: string[] }[] = [
  { name: 'AOL Mail', origins: ['https://mail.aol.com'] },
  { name: 'Discord', origins: ['https://discord.com'] },
  { name: 'Element', origins: ['https://app.element.io'] },
  { name: 'Facebook Messenger', origins: ['https://www.messenger.com'] },
  { name: 'Fastmail', origins: ['https://app.fastmail.com'] },
  { name: 'Gmail', origins: ['https://mail.google.com'] },
  { name: 'GMX', origins: ['https://bap.navigator.gmx.net', 'https://navigator-bs.gmx.com', 'https://navigator.gmx.net'] },
  { name: 'Google Calendar', origins: ['https://calendar.google.com'] },
  { name: 'Google Chat', origins: ['https://chat.google.com'] },
  { name: 'Google Messages', origins: ['https://messages.google.com'] },
  { name: 'Google Voice', origins: ['https://voice.google.com'] },
  { name: 'Hey', origins: ['https://app.hey.com'] },
  { name: 'iCloud', origins: ['https://www.icloud.com'] },
  { name: 'mail.com', origins: ['https://navigator-lxa.mail.com'] },
  {
    name: 'Microsoft Teams',
    origins: ['https://teams.cloud.microsoft', 'https://teams.live.com', 'https://teams.microsoft.com'],
  },
  {
    name: 'Outlook',
    origins: ['https://outlook.cloud.microsoft', 'https://outlook.live.com', 'https://outlook.office.com', 'https://outlook.office365.com'],
  },
  { name: 'Proton', origins: ['https://calendar.proton.me', 'https://mail.proton.me'] },
  { name: 'Slack', origins: ['https://app.slack.com'] },
  { name: 'Telegram', origins: ['https://web.telegram.org'] },
  { name: 'Threema', origins: ['https://web.threema.ch'] },
  { name: 'Tuta', origins: ['https://app.tuta.com'] },
  { name: 'WEB.DE', origins: ['https://bap.navigator.web.de', 'https://navigator.web.de'] },
  { name: 'WhatsApp', origins: ['https://web.whatsapp.com'] },
  { name: 'Wire', origins: ['https://app.wire.com'] },
  { name: 'Yahoo', origins: ['https://calendar.yahoo.com', 'https://mail.yahoo.com'] },
  { name: 'Zoho', origins: ['https://calendar.zoho.com', 'https://mail.zoho.com', 'https://mail.zoho.eu'] },
];
