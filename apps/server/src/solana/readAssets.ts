import * as z from 'zod'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import { splitObject } from '../scanJson.ts'
import { addressPattern, token2022Program, tokenProgram } from './address.ts'
import { requestSolana, type SolanaNodes } from './requestSolana.ts'

/** A token account of an owner; `amount` in base units. */
export type TokenAccount = {
  readonly address: string
  readonly program: string
  readonly mint: string
  readonly amount: bigint
  readonly decimals: number
}

/** What an address holds: lamports, and its token accounts of both programs. */
export type Assets = { readonly lamports: bigint; readonly tokenAccounts: readonly TokenAccount[] }

const address = z.string().regex(addressPattern)
const amount = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt)
const balance = z.object({ value: z.number().min(0).refine(Number.isInteger) })
const account = z.object({
  pubkey: address,
  account: z.object({
    owner: z.string(),
    data: z.object({
      parsed: z.object({
        info: z.object({
          mint: address,
          owner: z.string(),
          tokenAmount: z.object({ amount, decimals: z.int().min(0).max(255) }),
        }),
      }),
    }),
  }),
})
const accounts = z.object({ value: z.array(z.unknown()) })

const programs = [tokenProgram, token2022Program]
const commitment = 'confirmed'

/**
 * Reads SOL and the tokens of both programs in one request. Accounts that a node names but that belong to somebody else
 * or to another program, and those that are not of the format, are left out. Throws RPC_UNAVAILABLE.
 */
export async function readAssets(nodes: SolanaNodes, owner: string): Promise<Assets> {
  const [lamports, ...lists] = await requestSolana(nodes, [
    { method: 'getBalance', params: [owner, { commitment }] },
    ...programs.map((programId) => ({
      method: 'getTokenAccountsByOwner',
      params: [owner, { programId }, { commitment, encoding: 'jsonParsed' }],
    })),
  ])
  const native = balance.safeParse(lamports)
  if (!native.success) throw rpcUnavailable(nodes.chainId)
  const tokenAccounts = programs.flatMap((program, index) => {
    const list = accounts.safeParse(lists[index])
    if (!list.success) throw rpcUnavailable(nodes.chainId)
    return list.data.value.flatMap((entry) => parseAccount(entry, { owner, program }) ?? [])
  })
  const { value } = native.data
  // More than 2^53 lamports, which is nine million SOL, lose their last digits when they are parsed.
  const isExact = Number.isSafeInteger(value)
  return { lamports: isExact ? BigInt(value) : await readLamports(nodes, owner), tokenAccounts }
}

/** Reads a balance digit by digit. */
async function readLamports({ upstreams, chainId }: SolanaNodes, owner: string): Promise<bigint> {
  const params = JSON.stringify([owner, { commitment }])
  const answer = await upstreams.request(chainId, [{ method: 'getBalance', params }])
  const raw = 'replies' in answer ? answer.replies[0]?.result : undefined
  const digits = raw?.startsWith('{') ? new Map(splitObject(raw)).get('value') : undefined
  if (digits === undefined || !/^\d{1,20}$/.test(digits)) throw rpcUnavailable(chainId)
  return BigInt(digits)
}

function parseAccount(
  entry: unknown,
  { owner, program }: { readonly owner: string; readonly program: string },
): TokenAccount | undefined {
  const { data } = account.safeParse(entry)
  const info = data?.account.data.parsed.info
  if (info?.owner !== owner || data?.account.owner !== program) return undefined
  const { mint, tokenAmount } = info
  return { address: data.pubkey, program, mint, ...tokenAmount }
}
