// What the page is before and after the guardian is active; one file, since each adds its name to the first load.
export { Ended } from './ended.tsx';
export { Invitation } from './invitation.tsx';
