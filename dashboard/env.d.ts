/** The version of the dashboard, put in by the build. */
declare const __VERSION__: string;
declare module 'virtual:brand.css';
