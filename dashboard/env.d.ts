/** The build inserts the version. */
declare const __VERSION__: string;
declare module 'virtual:brand.css';
