import type { Balance } from '@latchkey/wire'
import type { Network } from '../networks.ts'
import type { Request } from './request.ts'

/** The list that a wallet keeps of what its account holds, where a namespace has such lists. */
export type AssetActions = {
  /**
   * What the account holds on the network, native first; undefined where the wallet keeps no list.
   * Throws WALLET_ANSWER_INVALID, and what the wallet throws.
   */
  read(parameters: {
    wallet: Request
    address: string
    network: Network
    approvedMethods: readonly string[] | undefined
    /**
     * Where our server has the picture of a token: by its CAIP-10 id, or by the symbol of the
     * network's own currency.
     */
    getImageUrl: (token: string) => string
  }): Promise<readonly Balance[] | undefined>
}
