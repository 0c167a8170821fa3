import type { Channel, DeliveryTrouble } from '../alerts.ts';

const reasons: Record<Channel, Partial<Record<DeliveryTrouble, string>> & { refused: string }> = {
  mail: {
    refused: 'The address does not take our email. Check with them whether it is still right.',
    no_address: 'This address does not exist. Ask them for the right one.',
    ours: 'The email did not get through yet. The fault is ours, not theirs. It goes out as soon as it can.',
    gave_up: 'The email did not get through for a whole day. Check the address with them.',
    trying: 'The email did not get through yet. We keep trying for a day.',
  },
  sms: {
    opted_out: 'The number asked us not to send texts. To get them again, text START to us from that phone.',
    refused: 'The number takes no texts. Check with them whether it is still right.',
    country: 'We do not send texts to that country. Emails still go out.',
    budget: 'There were too many texts that day, so this one was not sent. Emails still went out.',
    undelivered: 'The text did not reach the phone. Check with them whether the number is still right.',
    ours: 'The text did not get through yet. The fault is ours, not theirs. It goes out as soon as it can.',
    gave_up: 'The text did not get through for a whole day. Check the number with them.',
    trying: 'The text did not get through yet. We keep trying for a day.',
  },
  push: {
    refused: 'Their browser takes no notifications anymore. They can switch them on again on their page.',
    ours: 'The notification did not get through yet. The fault is ours, not theirs. It goes out as soon as it can.',
    too_late: 'The notification did not get through for an hour, so we did not send it.',
    gave_up: 'The notification did not get through for an hour, so we did not send it.',
    trying: 'The notification did not get through yet. We keep trying for an hour.',
  },
};

/** Why a delivery did not arrive, and what helps. */
export const deliveryReason = (channel: Channel, why: DeliveryTrouble): string => reasons[channel][why] ?? reasons[channel].refused;
