/** Plan names by price id (2.132). The setting STRIPE_PLANS names the operator's own prices. */
export const planNames: Readonly<Record<string, string>> = {
  price_individual_monthly: 'Individual',
  price_individual_yearly: 'Individual',
  price_family_monthly: 'Friends & Family',
  price_family_yearly: 'Friends & Family',
  price_dev_monthly: 'Dev Subscription',
  price_dev_yearly: 'Dev Subscription',
};

/** Only with NODE_ENV=development. */
export const devPlan = 'Dev Subscription';
