import { decodeBase58, encodeBase58 } from '@latchkey/wire'
import * as z from 'zod'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import { requestSolana, type SolanaNodes } from '../../solana/requestSolana.ts'

/** An entry of an address's list of signatures. */
export type SignatureEntry = {
  readonly signature: string
  readonly slot: bigint
  readonly minedAtMs: number
  readonly failed: boolean
  /** Whether it can no longer be rolled back. */
  readonly final: boolean
}

/** The requested part of a list: entries older than `before` and newer than `until`. */
export type ListQuery = {
  readonly address: string
  readonly before?: string | undefined
  readonly until?: string | undefined
}

const signatureBytes = 64
/** The largest signature. Base58 strings of this length sort like the numbers that they encode. */
const largest = encodeBase58(new Uint8Array(signatureBytes).fill(0xff))
/**
 * Whether a string has at most the bytes of a signature. Only a string with leading zeros has to be
 * decoded, which is slow.
 */
const isShort = (text: string) =>
  text.startsWith('1')
    ? (decodeBase58(text)?.length ?? 0) <= signatureBytes
    : text.length < largest.length || text <= largest

const entry = z.object({
  signature: z
    .string()
    .regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/)
    .refine(isShort),
  slot: z.int().min(0),
  blockTime: z.int().min(0).max(1e11).nullish(),
  err: z.unknown(),
  confirmationStatus: z.string().nullish(),
})
/**
 * The most entries of one list, and of all lists that are read together: anyone can open many token
 * accounts for an address.
 */
const maxEntries = { ofOne: 1_000, ofAll: 5_000 }
const list = z.array(entry).max(maxEntries.ofOne)
const listsPerRequest = 25

/**
 * Reads lists of signatures, the newest first in each, up to 1,000 entries, and fewer of each if
 * there are many lists. A node may give fewer; only an empty list is the end. Throws
 * RPC_UNAVAILABLE, also for lists that are malformed or out of order.
 */
export async function readSignatures(
  nodes: SolanaNodes,
  { queries, nowMs }: { readonly queries: readonly ListQuery[]; readonly nowMs: number },
): Promise<SignatureEntry[][]> {
  const found: SignatureEntry[][] = []
  const limit = Math.min(maxEntries.ofOne, Math.ceil(maxEntries.ofAll / queries.length))
  for (let start = 0; start < queries.length; start += listsPerRequest) {
    const part = queries.slice(start, start + listsPerRequest)
    const results = await requestSolana(
      nodes,
      part.map(({ address, before, until }) => ({
        method: 'getSignaturesForAddress',
        params: [address, { limit, before, until, commitment: 'confirmed' }],
      })),
    )
    for (const result of results) found.push(parseList(nodes, result, nowMs))
  }
  return found
}

function parseList({ chainId }: SolanaNodes, result: unknown, nowMs: number): SignatureEntry[] {
  const { data } = list.safeParse(result)
  const ordered = data?.every(({ slot }, index) => slot <= (data[index - 1]?.slot ?? slot))
  if (data === undefined || !ordered) throw rpcUnavailable(chainId)
  return data.map(({ signature, slot, blockTime, err, confirmationStatus }) => ({
    signature,
    slot: BigInt(slot),
    minedAtMs: typeof blockTime === 'number' ? blockTime * 1000 : nowMs,
    failed: err !== null && err !== undefined,
    final: confirmationStatus === 'finalized',
  }))
}
