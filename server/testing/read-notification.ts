import { type Notification, render } from '../notifications/render/render.ts';
import { lateMail, lateText } from '../texts/late-message.ts';
import { readAloud } from './read-aloud.ts';

const holder = { uuid: 'account', name: 'Ann Example', dashboard_url: 'https://x.test' };
const guardian = { uuid: 'guardian', name: 'Bob Example', holder_name: 'Ann Example', link: 'https://x.test/guardian/g/key' };

/** A notification as its reader gets it; `late`: three hours after the event. `none` if the reader gets no email. */
export function readNotification(notification: Notification, reader: 'the holder' | 'the guardian', late = false): string {
  const rendered = render(notification);
  const { email, sms, late: lateTexts } = reader === 'the holder' ? rendered.toHolder(holder) : rendered.toGuardian(guardian);
  const { happened } = rendered.delivery;
  if (!email) return 'none';
  if (!late || !happened) return readAloud(email, sms);
  const now = new Date(happened.time.getTime() + 3 * 3_600_000);
  const event = { time: happened.time.toISOString(), time_zone: happened.time_zone };
  const lateEmail = lateMail(email, { ...event, ...(lateTexts ? { late_email: lateTexts.email } : {}) }, now);
  return readAloud(lateEmail, sms && lateText(sms, { ...event, ...(lateTexts ? { text: lateTexts.sms } : {}) }, now));
}
