import * as z from 'zod'
import { token2022Program } from './address.ts'
import { requestSolana, type SolanaNodes } from './requestSolana.ts'

/**
 * The facts in a mint's own data; null if the mint does not state them. Strings are not cleaned.
 */
export type MintFacts = {
  readonly name: string | null
  readonly symbol: string | null
  readonly decimals: number | null
}

const metadata = z.object({
  extension: z.literal('tokenMetadata'),
  state: z.object({ mint: z.string(), name: z.string(), symbol: z.string() }),
})
const mint = z.object({
  owner: z.string(),
  data: z.object({
    parsed: z.object({
      type: z.literal('mint'),
      info: z.object({
        decimals: z.int().min(0).max(255),
        extensions: z.array(z.unknown()).optional(),
      }),
    }),
  }),
})
const answer = z.object({ value: z.array(z.unknown()) })

/**
 * Reads decimals, and name and symbol of Token-2022's metadata extension, in one request. Throws
 * RPC_UNAVAILABLE.
 */
export async function readMintFacts(
  nodes: SolanaNodes,
  mints: readonly string[],
): Promise<MintFacts[]> {
  const options = { encoding: 'jsonParsed', commitment: 'confirmed' }
  const [result] = await requestSolana(nodes, [
    { method: 'getMultipleAccounts', params: [mints, options] },
  ])
  const { data } = answer.safeParse(result)
  return mints.map((address, index) => parseMint(address, data?.value[index]))
}

function parseMint(address: string, entry: unknown): MintFacts {
  const { data } = mint.safeParse(entry)
  if (data === undefined) return { name: null, symbol: null, decimals: null }
  const { decimals, extensions = [] } = data.data.parsed.info
  const found = extensions.flatMap((extension) => metadata.safeParse(extension).data ?? [])
  const own = data.owner === token2022Program && found.find(({ state }) => state.mint === address)
  const { name, symbol } = own ? own.state : { name: null, symbol: null }
  return { name, symbol, decimals }
}
