import type { ChainId, SwapToken } from '@latchkey/wire'
import { nativeAddress, parseAddress } from '../evm/address.ts'
import { badRequest, HttpFailure } from '../http/failure.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import type { GetListedTokens } from '../tokens/listedTokens.ts'
import { type GetTokenFacts, toToken } from '../tokens/tokenFacts.ts'
import type { GetTokenIcon } from '../tokens/tokenIcons.ts'

export type SwapTokenDeps = Pick<Services, 'config' | 'kv' | 'log' | 'clock'> & {
  readonly upstreams: Upstreams
  readonly getListed: GetListedTokens
  readonly getFacts: GetTokenFacts
  readonly getTokenIcon: GetTokenIcon
}

type Query = { readonly chainId: ChainId; readonly address: string | undefined }

/**
 * The tokens of a network that users can choose, the native currency first. With `address`, only
 * that token, under its own name if no list contains it. Throws {@link HttpFailure}.
 */
export async function readSwapTokens(
  { config, getListed, getFacts, getTokenIcon }: SwapTokenDeps,
  { chainId, address }: Query,
): Promise<{ tokens: SwapToken[] }> {
  const listed = (await getListed(chainId)).tokens
  const native = config.chains[chainId]?.nativeCurrency
  const known = new Map(native ? [[nativeAddress, { ...native, address: nativeAddress }]] : [])
  for (const [key, token] of listed) known.set(key, token)
  const describe = (token: {
    name: string
    symbol: string
    address: string
    decimals: number
  }) => ({
    name: token.name,
    symbol: token.symbol,
    address: `${chainId}:${token.address.toLowerCase()}`,
    decimals: token.decimals,
    logoUri: getTokenIcon(token.symbol) || null,
    eip2612: null,
  })
  if (address === undefined) return { tokens: [...known.values()].map(describe) }
  const key = parseAddress(address.split(':').at(-1))
  if (key === undefined) throw new HttpFailure(badRequest('address', 'The address is not valid'))
  const token = known.get(key) ?? toToken(key, (await getFacts(chainId, [key])).get(key))
  return { tokens: token ? [describe(token)] : [] }
}
