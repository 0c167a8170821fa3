import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../../lib/call.ts';
import { reportHandledError } from '../../lib/handled-errors.ts';
import { paths } from '../../lib/paths.ts';
import { Illustration } from '../../ui/illustrations.tsx';
import { latePayment } from './late-payment.tsx';
import { paid } from './messages.ts';
import { paymentWaits } from './payment-poll.ts';
import { planKey } from './queries.ts';

/** Polls until the payment has activated a plan (2.133, 4.19 to 4.21). */
export function PaymentSuccessScreen() {
  const client = useQueryClient();
  const navigate = useNavigate();
  useEffect(() => {
    let timer: number | undefined;
    let left = false;
    const ask = async ([wait, ...laterWaits]: number[]) => {
      if (wait === undefined) {
        reportHandledError(new Error(paid.internal));
        return navigate(paths.home, { replace: true, state: latePayment });
      }
      await new Promise((resolve) => {
        timer = window.setTimeout(resolve, wait);
      });
      const plan = await call('GET /web/profile/sub').catch(() => null);
      if (left) return;
      if (!plan?.subscribed) return ask(laterWaits);
      client.setQueryData(planKey, plan);
      return navigate(paths.addDevice(), { replace: true });
    };
    void ask(paymentWaits());
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [client, navigate]);
  return (
    <div className="wrap narrow stack">
      <Illustration of="payment" />
      <div className="stack" role="status">
        <h1>{paid.wait}</h1>
        <p>{paid.lead}</p>
      </div>
    </div>
  );
}
