interface Phone {
  phone_number: string | null;
  phone_number_verified: boolean;
  /** Left out for those whose page opens with a mail to them. */
  email_verified?: boolean;
}

/**
 * How to read someone's phone. `proved`: must a number be proved before it is used? Without that (FEATURE_PHONE_VERIFICATION=off) it counts as it
 * was saved, but never before the address is confirmed: people open accounts only to have texts sent.
 */
export const usablePhone =
  (proved: boolean) =>
  <Row extends Phone>(row: Row): Row =>
    proved || row.phone_number === null || row.email_verified === false ? row : { ...row, phone_number_verified: true };
