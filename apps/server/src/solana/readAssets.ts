import { randomBytes } from 'node:crypto'
import { decodeBase58, encodeBase58 } from '@latchkey/wire'
import * as z from 'zod'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import { splitObject } from '../scanJson.ts'
import { solanaAddressPattern, token2022Program, tokenProgram } from './address.ts'
import { requestEachOfSolana, requestSolana, type SolanaNodes } from './requestSolana.ts'

/** A token account of an owner; `amount` in base units. */
export type TokenAccount = {
  readonly address: string
  readonly program: string
  readonly mint: string
  readonly amount: bigint
}

/** The assets of an address: lamports, and its token accounts of both programs. */
export type Assets = {
  readonly lamports: bigint
  readonly tokenAccounts: readonly TokenAccount[]
  /**
   * False if the nodes do not list the token accounts of a program: anyone can open any number of
   * them for an address.
   */
  readonly isComplete: boolean
}

const balance = z.object({ value: z.number().min(0).refine(Number.isInteger) })
/** Token accounts of both programs begin with mint, owner and amount; the rest is not requested. */
const dataSlice = { offset: 0, length: 72 }
const base64Length = (dataSlice.length / 3) * 4

const programs = [tokenProgram, token2022Program]
const commitment = 'confirmed'

/**
 * Reads SOL and the tokens of both programs in one request. Accounts that a node names but that
 * belong to another owner or to another program, and malformed accounts, are left out. Throws
 * RPC_UNAVAILABLE if not even the SOL can be read.
 */
export async function readAssets(nodes: SolanaNodes, owner: string): Promise<Assets> {
  const ownerBytes = decodeBase58(owner) ?? new Uint8Array()
  const [lamports, ...lists] = await requestEachOfSolana(nodes, [
    { method: 'getBalance', params: [owner, { commitment }] },
    ...programs.map((program) => toListCall(program, owner)),
  ])
  const native = balance.safeParse(lamports && 'result' in lamports && lamports.result)
  if (!native.success) throw rpcUnavailable(nodes.chainId)
  const tokenAccounts = programs.flatMap((program, index) => {
    const list = lists[index]
    if (list === undefined || 'unreadable' in list) return []
    const { value } = asRecord(list.result)
    if (!Array.isArray(value)) throw rpcUnavailable(nodes.chainId)
    return parseAccounts(value, { ownerBytes, program })
  })
  const unread = programs.filter((_, index) => 'unreadable' in (lists[index] ?? {}))
  // Is this list at fault, or the nodes? A random address has no token accounts.
  const nobody = encodeBase58(randomBytes(32))
  await requestSolana(
    nodes,
    unread.map((program) => toListCall(program, nobody)),
  )
  const { value } = native.data
  // More than 2^53 lamports, which is nine million SOL, lose their last digits when they are
  // parsed.
  const isExact = Number.isSafeInteger(value)
  const exact = isExact ? BigInt(value) : await readLamports(nodes, owner)
  return { lamports: exact, tokenAccounts, isComplete: unread.length === 0 }
}

const toListCall = (programId: string, owner: string) => ({
  method: 'getTokenAccountsByOwner',
  params: [owner, { programId }, { commitment, encoding: 'base64', dataSlice }],
})

/** Reads a balance digit by digit. */
async function readLamports({ upstreams, chainId }: SolanaNodes, owner: string): Promise<bigint> {
  const params = JSON.stringify([owner, { commitment }])
  const answer = await upstreams.request(chainId, [{ method: 'getBalance', params }])
  const raw = 'replies' in answer ? answer.replies[0]?.result : undefined
  const digits = raw?.startsWith('{') ? new Map(splitObject(raw)).get('value') : undefined
  if (digits === undefined || !/^\d{1,20}$/.test(digits)) throw rpcUnavailable(chainId)
  return BigInt(digits)
}

type Expected = { readonly ownerBytes: Uint8Array; readonly program: string }

function parseAccounts(entries: readonly unknown[], expected: Expected): TokenAccount[] {
  const found: TokenAccount[] = []
  for (const entry of entries) {
    const account = parseAccount(entry, expected)
    if (account !== undefined) found.push(account)
  }
  return found
}

/** By hand: with a schema, a hundred accounts take longer than anything else in the request. */
function parseAccount(entry: unknown, { ownerBytes, program }: Expected): TokenAccount | undefined {
  const { pubkey, account } = asRecord(entry)
  const { owner, data } = asRecord(account)
  const [text, encoding] = Array.isArray(data) ? data : []
  if (typeof pubkey !== 'string' || !solanaAddressPattern.test(pubkey)) return undefined
  if (owner !== program || encoding !== 'base64') return undefined
  if (typeof text !== 'string' || text.length !== base64Length) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== dataSlice.length || bytes.compare(ownerBytes, 0, 32, 32, 64) !== 0)
    return undefined
  const mint = readMint(text, bytes)
  return { address: pubkey, program, mint, amount: bytes.readBigUInt64LE(64) }
}

const maxMints = 20_000
/** The length of the base64 that contains an account's mint: the first 32 bytes. */
const mintLength = Math.ceil((32 * 4) / 3)
const mints = new Map<string, string>()

/**
 * Many accounts hold the same tokens, and base58 is the slowest part, so addresses of mints are
 * cached.
 */
function readMint(text: string, bytes: Uint8Array): string {
  const start = text.slice(0, mintLength)
  const known = mints.get(start)
  if (known !== undefined) return known
  const mint = encodeBase58(bytes.subarray(0, 32))
  if (mints.size >= maxMints) mints.delete(mints.keys().next().value ?? '')
  mints.set(start, mint)
  return mint
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
