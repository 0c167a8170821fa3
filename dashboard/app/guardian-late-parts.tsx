// Loaded by the guardian's page, as one file, as `guardian-parts.tsx` is.
export { Helping } from '../features/appointments/helping.tsx';
export { StandingUpdateButton } from './standing-update-button.tsx';
