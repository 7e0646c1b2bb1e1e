import { cleanText, parseBoundedJson } from '@latchkey/wire'
import * as z from 'zod'
import { parseSolanaAddress } from '../solana/address.ts'
import type { Token } from './token.ts'

const clean = (text: string) => cleanText(text, { maxLength: 80 })
const token = z.object({
  chainId: z.int(),
  address: z.union([
    z.string().regex(/^0x[0-9a-fA-F]{40}$/),
    z.string().refine((text) => parseSolanaAddress(text) !== undefined),
  ]),
  name: z.string().max(80).transform(clean).pipe(z.string()),
  symbol: z.string().max(40).transform(clean).pipe(z.string()),
  decimals: z.int().min(0).max(36),
})
const tokenList = z.object({ tokens: z.array(z.unknown()).max(50_000) })

/** The tokens of a list by the number that lists have for their chain. */
export type ParsedList = ReadonlyMap<number, readonly Token[]>

/**
 * Reads a list of the token list format (https://tokenlists.org). Leaves out invalid entries and
 * entries without decimals (an NFT, by the API's rule). Throws if `text` is not a token list.
 */
export function parseList(text: string): ParsedList {
  const list = tokenList.parse(parseBoundedJson(text))
  const byChain = new Map<number, Token[]>()
  for (const entry of list.tokens) {
    const parsed = token.safeParse(entry)
    if (!parsed.success || parsed.data.decimals === 0) continue
    const { chainId, address, name, symbol, decimals } = parsed.data
    const tokens = byChain.get(chainId) ?? []
    tokens.push({ address, name, symbol, decimals })
    byChain.set(chainId, tokens)
  }
  return byChain
}
