import { type WrittenEmail, writeEmail } from '../../lib/email.ts';

export function newCodeEmail(device: string, dashboard_url: string, uuid: string): WrittenEmail {
  return writeEmail({
    subject: `${device} needs a new code`,
    heading: `${device} needs a new code`,
    paragraphs: [
      'Someone opened the link you sent to protect this computer. The code in it works for 7 days, and that time is over.',
      'Press the button and make a new code. Then send the new link.',
      'Didn’t send anyone a link? You can ignore this email.',
    ],
    button: { label: 'Make a new code', url: `${dashboard_url}/devices/${uuid}` },
  });
}
