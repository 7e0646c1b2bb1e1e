import { decodeBase64, LatchkeyError } from '@latchkey/wire'
import type { Address } from '@solana/kit'
import type { Actions } from '../actions.ts'
import type { Request } from '../request.ts'
import { isSolanaAddress } from './addresses.ts'

/** An account as a node describes it. */
export type AccountData = {
  lamports: bigint
  /** The program that owns the account. */
  owner: Address
  executable: boolean
  data: Uint8Array
}

/** The commitment of our requests to nodes: blocks that a supermajority has voted for. */
export const commitment = 'confirmed'

/** How many blocks a transaction with the newest block hash stays valid. */
export const lifetimeBlocks = 150n

/** The current block height, the unit of a transaction's lifetime. */
export const readHeight = async (node: Request): Promise<bigint> =>
  toCount(await node('getBlockHeight', [{ commitment }]))

/** Whether a node serves a network, whose id is the start of its genesis hash (CAIP-2). */
export const isNodeOf: Actions['isNodeOf'] = async ({ node, network }) =>
  String(await node('getGenesisHash', [])).slice(0, 32) === network.id

/**
 * The accounts at addresses, in the same order; undefined for an address without an account. Throws
 * ANSWER_INVALID.
 */
export async function readAccountData(
  node: Request,
  addresses: readonly Address[],
): Promise<(AccountData | undefined)[]> {
  const answer = await node('getMultipleAccounts', [addresses, { encoding: 'base64', commitment }])
  const accounts = toValue(answer)
  if (!Array.isArray(accounts) || accounts.length !== addresses.length) throw invalidResponse()
  return accounts.map((account) => (account === null ? undefined : toAccount(account)))
}

/** A wallet's accounts for a token, for both token programs. Throws ANSWER_INVALID. */
export async function readTokenAccounts(
  node: Request,
  { owner, mint }: { owner: Address; mint: Address },
): Promise<{ address: Address; account: AccountData }[]> {
  const settings = { encoding: 'base64', commitment }
  const accounts = toValue(await node('getTokenAccountsByOwner', [owner, { mint }, settings]))
  if (!Array.isArray(accounts)) throw invalidResponse()
  return accounts.map((entry: unknown) => {
    const { pubkey, account } = (entry ?? {}) as { pubkey?: unknown; account?: unknown }
    return { address: toAddress(pubkey), account: toAccount(account) }
  })
}

/** Parses a count that JSON encodes as a number. Throws ANSWER_INVALID. */
export function toCount(value: unknown): bigint {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return BigInt(value)
  throw invalidResponse()
}

/** The value of a response that also names its slot. */
export const toValue = (answer: unknown): unknown =>
  (answer as { value?: unknown } | null | undefined)?.value

/** The error for a transfer that would fail or be lost. The reason is shown to the user. */
export const nodeRefused = (reason: string): LatchkeyError =>
  new LatchkeyError('TRANSFER_REFUSED', { data: { reason } })

export const invalidResponse = (): LatchkeyError => new LatchkeyError('ANSWER_INVALID')

function toAccount(value: unknown): AccountData {
  const { lamports, owner, executable, data } = (value ?? {}) as Record<string, unknown>
  const text = Array.isArray(data) && data[1] === 'base64' ? data[0] : undefined
  const bytes = typeof text === 'string' ? decodeBase64(text) : undefined
  if (!bytes) throw invalidResponse()
  return {
    lamports: toCount(lamports),
    owner: toAddress(owner),
    executable: executable === true,
    data: bytes,
  }
}

function toAddress(value: unknown): Address {
  if (typeof value === 'string' && isSolanaAddress(value)) return value
  throw invalidResponse()
}
