import type { VaultState } from '@latchkey/wire'
import { createKeyWork } from '../../src/wallet/worker/createKeyWork.ts'
import type { Device } from '../addDevice.ts'

/**
 * What a server says of the user's wallets in place of `state`, to a browser that asks for `realm`.
 */
export type Lie = (state: VaultState, body: { readonly realm?: string }) => unknown

/** The same browser, whose server says of the user's wallets what it likes. */
export const lieTo = (device: Device, lie: Lie) =>
  createKeyWork({
    ...device,
    call: async (path, body) => {
      const result = await device.call(path, body)
      return path === '/api/wallet' ? lie(result as VaultState, body as { realm?: string }) : result
    },
  })
