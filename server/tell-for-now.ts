import { deliveryStore } from './features/alerts/deliveries.ts';
import { teller } from './features/alerts/tell.ts';

export { deliveryStore, teller };
