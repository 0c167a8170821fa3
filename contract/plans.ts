/** What people call the plans, by the ids of their prices (2.132). The operator's own prices are named by the setting STRIPE_PLANS. */
export const planNames: Readonly<Record<string, string>> = {
  price_individual_monthly: 'Individual',
  price_individual_yearly: 'Individual',
  price_family_monthly: 'Friends & Family',
  price_family_yearly: 'Friends & Family',
  price_dev_monthly: 'Dev Subscription',
  price_dev_yearly: 'Dev Subscription',
};

/** For those who work on the product: sold only with NODE_ENV=development. */
export const devPlan = 'Dev Subscription';
