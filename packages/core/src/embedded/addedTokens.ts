import {
  type Balance,
  type ChainId,
  type FrameAddedToken,
  isError,
  parseChainId,
  toFrameChain,
} from '@latchkey/wire'
import { formatAddress } from '../account/address.ts'
import type { App } from '../app.ts'
import { isConnected } from '../state.ts'
import { fromSmallestUnit } from '../units.ts'
import { getFrame } from './frame/getFrame.ts'
import { hasLogin } from './login/hasLogin.ts'

/**
 * A token that the user has added to the embedded wallet on this site. `address` is CAIP-10.
 * Unreadable values are omitted, and so are the name and symbol of a token that is `bait`; a `copy`
 * has the name or symbol of another token.
 */
export type AddedToken = Pick<FrameAddedToken, 'name' | 'symbol' | 'iconUrl' | 'mark'> & {
  readonly address: string
  readonly quantity?: Balance['quantity']
}

/**
 * The tokens that the user has added on this site to the connected embedded wallet; empty for any
 * other wallet. Throws the errors of the frame.
 */
export async function getAddedTokens(
  app: App,
  { chainId, signal }: { chainId: ChainId; signal?: AbortSignal },
): Promise<readonly AddedToken[]> {
  const { namespace } = parseChainId(chainId)
  const connection = app.store.getState().connections[namespace]
  if (!isConnected(connection) || !hasLogin(app, connection.connectorId)) return []
  const frame = await getFrame(app)
  const options = { ...(signal && { signal }) }
  const asked = { chainId: toFrameChain(chainId) }
  const { tokens } = await frame.request('APP_GET_TOKENS', asked, options).catch(noneElsewhere)
  const toToken = async ({ address, decimals, balance, ...facts }: FrameAddedToken) => ({
    ...facts,
    address: `${chainId}:${await formatAddress(app, { namespace, address })}`,
    ...(decimals !== undefined &&
      balance !== undefined && {
        quantity: {
          decimals: String(decimals),
          numeric: fromSmallestUnit(BigInt(balance), decimals),
        },
      }),
  })
  return Promise.all(tokens.map(toToken))
}

/** The wallet has no list for a network that it does not have. */
function noneElsewhere(error: unknown): { tokens: FrameAddedToken[] } {
  if (isError(error, 'CHAIN_NOT_SUPPORTED')) return { tokens: [] }
  throw error
}

/** Removes a token (CAIP-10) from the list of added tokens. Throws the errors of the frame. */
export async function removeAddedToken(
  app: App,
  { chainId, address }: { chainId: ChainId; address: string },
): Promise<void> {
  const token = address.split(':').at(-1) ?? ''
  const frame = await getFrame(app)
  await frame.request('APP_REMOVE_TOKEN', { chainId: toFrameChain(chainId), address: token })
}
