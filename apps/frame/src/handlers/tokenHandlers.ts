import {
  type FrameAddedToken,
  type FrameProtocol,
  type Handlers,
  LatchkeyError,
  readAssetsRoute,
} from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { createCallsAccess } from '../requests/calls/callsAccess.ts'
import type { FrameAccount } from './createAccount.ts'

type Answers = Pick<Handlers<FrameProtocol>, 'APP_GET_TOKENS' | 'APP_REMOVE_TOKEN'>

/**
 * Shows the page at `origin` the tokens that the user has added there, and removes one. `admit`
 * counts questions to our server.
 */
export function tokenHandlers(
  { session, store }: Pick<FrameContext, 'session' | 'store'>,
  account: Pick<FrameAccount, 'getSharedAddresses' | 'getChain'>,
  { origin, admit }: { readonly origin: string; readonly admit: () => void },
): Answers {
  const open = async (signal: AbortSignal) => {
    const addresses = await account.getSharedAddresses(signal)
    if (!addresses) throw new LatchkeyError('UNAUTHORIZED')
    const { eip155: address } = addresses
    return { address, watched: createCallsAccess(store, { origin, account: address }).watched }
  }
  return {
    APP_GET_TOKENS: async ({ chainId }, { signal }) => {
      const { id } = account.getChain(chainId)
      const { address, watched } = await open(signal)
      const tokens = [...(await watched.read(id))]
      if (tokens.length === 0) return { tokens: [] }
      admit()
      const body = { chainId: id, address, tokens }
      const { assets, suspects = [] } = await session.call(readAssetsRoute, body, { signal })
      const find = <One extends { address: string | null }>(list: readonly One[], token: string) =>
        list.find((one) => one.address?.toLowerCase() === token)
      return {
        tokens: tokens.map((token): FrameAddedToken => {
          const found = find(suspects, token) ?? find(assets, token)
          if (!found) return { address: token }
          const { name, symbol, price: _, ...facts } = found
          const isBait = 'mark' in found && found.mark === 'bait'
          return { ...facts, address: token, ...(!isBait && { name, symbol }) }
        }),
      }
    },
    APP_REMOVE_TOKEN: async ({ chainId, address }, { signal }) => {
      const { watched } = await open(signal)
      await watched.remove(account.getChain(chainId).id, address)
      return {}
    },
  }
}
