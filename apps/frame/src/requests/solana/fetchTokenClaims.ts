import { maxNamedTokens, readTokenNamesRoute } from '@latchkey/wire'
import type * as z from 'zod/mini'
import type { FrameChain } from '../../chains.ts'
import { postWithoutProof } from '../../pages/postWithoutProof.ts'
import { sanitizeName } from '../sanitizeName.ts'

/**
 * Our server's data about tokens, by address: names, which their creators chose, and the price of a
 * whole unit in dollars. The native currency has no address (null).
 */
export type TokenClaims = {
  readonly names: ReadonlyMap<string, string>
  readonly prices: ReadonlyMap<string | null, number>
}

/** Fetches token data from our server. The result is empty if the server does not answer. */
export type FetchTokenClaims = (
  chain: FrameChain,
  addresses: readonly string[],
) => Promise<TokenClaims>

type TokenNamesResult = z.output<(typeof readTokenNamesRoute)['result']>

const timeoutMs = 2_000
const nothing: TokenNamesResult = { tokens: [] }

/** Never throws, and waits at most two seconds. */
export const fetchTokenClaims: FetchTokenClaims = async ({ id }, addresses) => {
  const body = { chainId: id, addresses: addresses.slice(0, maxNamedTokens) }
  const late = new Promise<TokenNamesResult>((resolve) =>
    setTimeout(() => resolve(nothing), timeoutMs),
  )
  return toClaims(
    await Promise.race([postWithoutProof(readTokenNamesRoute, body).catch(() => nothing), late]),
  )
}

/** Converts the server's response. */
const toClaims = ({ tokens, prices = [] }: TokenNamesResult): TokenClaims => ({
  names: new Map(
    tokens.map(({ address, name, symbol }) => [
      address,
      [name, symbol && `(${symbol})`]
        .flatMap((text) => (text ? [sanitizeName(text)] : []))
        .join(' '),
    ]),
  ),
  prices: new Map(prices.map(({ token, usd }) => [token, usd])),
})
