import { LatchkeyError } from '@latchkey/wire'

/** Ledger's USB vendor id, by which the browser filters devices. */
const vendorId = 0x2c97

/** The part of WebHID that is used here, because TypeScript's types do not include it. */
type Hid = {
  getDevices(): Promise<readonly { vendorId: number }[]>
  requestDevice(options: { filters: readonly { vendorId: number }[] }): Promise<readonly object[]>
}

/** The browser's WebHID; undefined if the browser does not support it. */
export const getHid = (): Hid | undefined =>
  typeof navigator === 'undefined' ? undefined : (navigator as { hid?: Hid }).hid

/**
 * Has the user choose a Ledger in the browser's picker, unless a device was chosen before. Call it
 * in a click. Throws WALLET_NOT_READY if the browser has no WebHID or the user chose no device.
 */
export async function chooseDevice(): Promise<void> {
  const hid = getHid()
  if (!hid)
    throw fail('This browser cannot reach a Ledger. Use Chrome, Edge or Brave on a computer')
  const known = await hid.getDevices()
  if (known.some((device) => device.vendorId === vendorId)) return
  const chosen = await hid.requestDevice({ filters: [{ vendorId }] }).catch((cause: unknown) => {
    throw fail('The browser did not show its list of devices. Try again', cause)
  })
  if (chosen.length === 0)
    throw fail('No Ledger was chosen. Plug it in, unlock it, and choose it in the browser’s list')
}

const fail = (reason: string, cause?: unknown) =>
  new LatchkeyError('WALLET_NOT_READY', { data: { reason }, cause })
