import { readFile } from 'node:fs/promises'
import * as z from 'zod'

/** A token of a token list. `address` is as the list writes it. */
export type Token = {
  readonly address: `0x${string}`
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

const token = z.object({
  chainId: z.int(),
  address: z.templateLiteral(['0x', z.string().regex(/[0-9a-fA-F]{40}/)]),
  name: z.string().min(1).max(80),
  symbol: z.string().min(1).max(40),
  decimals: z.int().min(0).max(36),
})
const tokenList = z.object({ tokens: z.array(z.unknown()) })

/**
 * The tokens of one chain in files of the token list format (https://tokenlists.org), each address once. Entries that
 * are not of the format and those without decimals (an NFT, by the API's rule) are left out. Throws when a file is no list.
 */
export async function readTokens(paths: readonly string[], reference: string): Promise<Token[]> {
  const byAddress = new Map<string, Token>()
  for (const path of paths) {
    const list = tokenList.parse(JSON.parse(await readFile(path, 'utf8')))
    for (const entry of list.tokens) {
      const parsed = token.safeParse(entry)
      if (!parsed.success || String(parsed.data.chainId) !== reference) continue
      const key = parsed.data.address.toLowerCase()
      if (parsed.data.decimals > 0 && !byAddress.has(key)) byAddress.set(key, parsed.data)
    }
  }
  return [...byAddress.values()]
}
