import type { VaultState } from '@latchkey/wire'
import { createKeyWork } from '../../src/wallet/worker/createKeyWork.ts'
import type { Device } from '../addDevice.ts'

/**
 * Returns the wallets that a server shows in place of `state`, to a browser that requests `realm`.
 */
export type Lie = (state: VaultState, body: { readonly realm?: string }) => unknown

/** The same browser with a server that returns `lie` for the user's wallets. */
export const respondFalsely = (device: Device, lie: Lie) =>
  createKeyWork({
    ...device,
    call: async (path, body) => {
      const result = await device.call(path, body)
      return path === '/api/wallet' ? lie(result as VaultState, body as { realm?: string }) : result
    },
  })
