import { maxNamedTokens, readTokenNames } from '@latchkey/wire'
import type * as z from 'zod/mini'
import type { FrameChain } from '../../chains.ts'
import { postWithoutProof } from '../../pages/postWithoutProof.ts'
import { sanitizeName } from '../sanitizeName.ts'

/**
 * What our server says of tokens, by address: names, which their creators chose, and what a whole
 * unit costs in dollars, of the native currency without an address.
 */
export type TokenClaims = {
  readonly names: ReadonlyMap<string, string>
  readonly prices: ReadonlyMap<string | null, number>
}

/** Asks our server about tokens. Nothing is known if it does not answer. */
export type FetchTokenClaims = (
  chain: FrameChain,
  addresses: readonly string[],
) => Promise<TokenClaims>

type Answer = z.output<(typeof readTokenNames)['result']>

const timeoutMs = 2_000
const nothing: Answer = { tokens: [] }

/** See the type. Never throws, and waits two seconds at most. */
export const fetchTokenClaims: FetchTokenClaims = async ({ id }, addresses) => {
  const body = { chainId: id, addresses: addresses.slice(0, maxNamedTokens) }
  const late = new Promise<Answer>((resolve) => setTimeout(() => resolve(nothing), timeoutMs))
  return toClaims(
    await Promise.race([postWithoutProof(readTokenNames, body).catch(() => nothing), late]),
  )
}

/** The server's answer as it is used. */
export const toClaims = ({ tokens, prices = [] }: Answer): TokenClaims => ({
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
