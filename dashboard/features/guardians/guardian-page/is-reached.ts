import type { GuardianView } from '@porchlight/contract/guardians.ts';

export function isReached({ mail, sms, phone_number_verified, phone_number_opted_out }: GuardianView): boolean {
  return mail || (sms && phone_number_verified && !phone_number_opted_out);
}
