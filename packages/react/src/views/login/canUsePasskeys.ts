/**
 * Whether the browser has passkeys and the secure frame may use them: on a host name, not an IP
 * address.
 */
export const canUsePasskeys = (frameUrl: string | undefined): boolean =>
  'PublicKeyCredential' in globalThis &&
  globalThis.isSecureContext &&
  !/^(\d+\.){3}\d+$|^\[/.test(new URL(frameUrl ?? '', globalThis.location.href).hostname)
