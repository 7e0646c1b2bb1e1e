/** Whether the browser reports that it has no network connection. */
export const isBrowserOffline = (): boolean => globalThis.navigator?.onLine === false
