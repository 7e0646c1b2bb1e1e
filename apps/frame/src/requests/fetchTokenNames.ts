import { maxNamedTokens, readTokenNames } from '@latchkey/wire'
import type { FrameChain } from '../chains.ts'
import { postWithoutProof } from '../pages/postWithoutProof.ts'
import { sanitizeName } from './sanitizeName.ts'

/** What our server calls tokens, by address: their creators chose these names. Empty if the server does not answer. */
export type FetchTokenNames = (
  chain: FrameChain,
  addresses: readonly string[],
) => Promise<ReadonlyMap<string, string>>

/** See the type. Never throws. */
export const fetchTokenNames: FetchTokenNames = async ({ id }, addresses) => {
  const asked = addresses.slice(0, maxNamedTokens)
  if (asked.length === 0) return new Map()
  const body = { chainId: id, addresses: asked }
  const { tokens } = await postWithoutProof(readTokenNames, body).catch(() => ({ tokens: [] }))
  return new Map(
    tokens.map(({ address, name, symbol }) => [
      address,
      [name, symbol && `(${symbol})`]
        .flatMap((text) => (text ? [sanitizeName(text)] : []))
        .join(' '),
    ]),
  )
}
