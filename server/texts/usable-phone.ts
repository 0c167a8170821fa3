interface Phone {
  phone_number: string | null;
  phone_number_verified: boolean;
  /** Undefined for guardians, whose page opens by a link in an email to them. */
  email_verified?: boolean;
}

/**
 * `mustBeVerified`: only a verified number is usable. Otherwise a saved number is, once the email address is confirmed: attackers open accounts
 * only to cause SMS.
 */
export const usablePhone =
  (mustBeVerified: boolean) =>
  <Row extends Phone>(row: Row): Row =>
    mustBeVerified || row.phone_number === null || row.email_verified === false ? row : { ...row, phone_number_verified: true };
