import type { Balance } from '@latchkey/wire'
import type { Network } from '../networks.ts'
import type { Request } from './request.ts'

/** The asset list of a wallet, in namespaces with such lists. */
export type AssetActions = {
  /**
   * The account's assets on the network, native first; undefined if the wallet keeps no list.
   * Throws WALLET_ANSWER_INVALID and the wallet's errors.
   */
  read(parameters: {
    wallet: Request
    address: string
    network: Network
    approvedMethods: readonly string[] | undefined
    /**
     * The URL of a token's image on our server: by its CAIP-10 id, or by the symbol of the native
     * currency.
     */
    getImageUrl: (token: string) => string
  }): Promise<readonly Balance[] | undefined>
}
