import { bytesToHex, decodeBase64, encodeBase58, LatchkeyError } from '@latchkey/wire'
import { readBytes } from '@latchkey/wire/solana'
import * as z from 'zod/mini'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { programs } from './programs.ts'

/** An account as a node reports it. */
export type AccountState = {
  readonly owner: string
  readonly lamports: bigint
  readonly data: Uint8Array
}
export type Accounts = ReadonlyMap<string, AccountState | undefined>

const state = z.nullable(
  z.object({
    owner: z.string(),
    lamports: z.number().check(z.nonnegative()),
    data: z.tuple([z.string(), z.literal('base64')]),
  }),
)
export const accountStates = z.array(state)
const answer = z.object({ value: accountStates })
const maxPerCall = 100

/**
 * Reads the accounts at addresses from our RPC. Throws ANSWER_INVALID and the errors of our RPC.
 */
export async function readAccountStates(
  { read, chain, signal }: Pick<ApprovalRequest, 'read' | 'chain' | 'signal'>,
  addresses: Iterable<string>,
): Promise<Accounts> {
  const wanted = [...new Set(addresses)]
  const found = new Map<string, AccountState | undefined>()
  for (let at = 0; at < wanted.length; at += maxPerCall) {
    const some = wanted.slice(at, at + maxPerCall)
    const options = { encoding: 'base64', commitment: 'confirmed' }
    const said = z.safeParse(
      answer,
      await read(chain, 'getMultipleAccounts', [some, options], signal),
    )
    if (!said.success) throw new LatchkeyError('ANSWER_INVALID')
    for (const [address, one] of zipStates(some, said.data.value)) found.set(address, one)
  }
  return found
}

/** Pairs addresses with states. Throws ANSWER_INVALID unless each address has one. */
export function zipStates(
  addresses: readonly string[],
  states: z.infer<typeof accountStates>,
): [string, AccountState | undefined][] {
  if (states.length !== addresses.length) throw new LatchkeyError('ANSWER_INVALID')
  return addresses.map((address, index) => {
    const said = states[index]
    if (!said) return [address, undefined]
    const data = decodeBase64(said.data[0])
    if (!data) throw new LatchkeyError('ANSWER_INVALID')
    return [address, { owner: said.owner, lamports: BigInt(Math.floor(said.lamports)), data }]
  })
}

export type TokenAccountState = {
  readonly program: string
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  readonly delegate: string | undefined
  /** How much the delegate can take. */
  readonly delegated: bigint
}

const isTokenProgram = (owner: string) => owner === programs.token || owner === programs.token2022
const accountLength = 165
const mintLength = 82

/** A token account of the Token or the Token-2022 program; undefined for any other account. */
export function parseTokenAccount(
  account: AccountState | undefined,
): TokenAccountState | undefined {
  const { owner = '', data = new Uint8Array() } = account ?? {}
  const isLong = data.length > accountLength && data[accountLength] === 2
  if (!isTokenProgram(owner) || (data.length !== accountLength && !isLong)) return undefined
  const reader = readBytes(data)
  const [mint, holder, amount] = [reader.key(), reader.key(), reader.u64()]
  const hasDelegate = reader.u32() === 1
  const delegate = reader.key()
  if (reader.u8() === 0) return undefined
  reader.take(12)
  const delegated = reader.u64()
  return {
    program: owner,
    mint,
    owner: holder,
    amount,
    delegate: hasDelegate ? delegate : undefined,
    delegated,
  }
}

/**
 * Offsets in the accounts that a wallet can hold, by program: `keys` of the holders, `rights` of
 * everything that controls the account.
 */
const holders: Readonly<
  Record<string, { keys: readonly number[]; rights: readonly [number, number][] }>
> = {
  // Keys: the owner. Rights: the owner, and who may close the account.
  [programs.token]: {
    keys: [32],
    rights: [
      [32, 64],
      [129, accountLength],
    ],
  },
  [programs.token2022]: {
    keys: [32],
    rights: [
      [32, 64],
      [129, accountLength],
    ],
  },
  // Keys: staker, withdrawer, custodian. Rights: all of these and the lock.
  [programs.stake]: { keys: [12, 44, 92], rights: [[12, 124]] },
  // The authority of a nonce account.
  [programs.system]: { keys: [8], rights: [[8, 40]] },
}

/** Whether the wallet holds a token, stake or nonce account, according to the node. */
export function isHeldBy(account: AccountState | undefined, own: string): boolean {
  const { owner = '', data = new Uint8Array() } = account ?? {}
  const keys = Object.hasOwn(holders, owner) ? (holders[owner]?.keys ?? []) : []
  return keys.some(
    (at) => at + 32 <= data.length && encodeBase58(data.subarray(at, at + 32)) === own,
  )
}

/** Serializes everything that decides who holds an account and how much data it has. */
export function formatRights({ owner, data }: AccountState): string {
  const rights = Object.hasOwn(holders, owner) ? (holders[owner]?.rights ?? []) : []
  const parts = rights.map(([from, to]) => bytesToHex(data.subarray(from, to)))
  return [owner, data.length, ...parts].join()
}

/** The decimals of a Token or Token-2022 mint; undefined for any other account. */
export function parseDecimals(account: AccountState | undefined): number | undefined {
  const { owner = '', data = new Uint8Array() } = account ?? {}
  const isLong = data.length > accountLength && data[accountLength] === 1
  if (!isTokenProgram(owner) || (data.length !== mintLength && !isLong)) return undefined
  return data[45] === 1 ? data[44] : undefined
}
