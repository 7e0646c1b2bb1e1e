import type { Address, Lamports } from '@solana/kit'
import type { LiteSVM } from 'litesvm'
import { isTokenProgram, readTokenAccount } from '../parse/readToken.ts'

/** An account that exists. */
export type Account = {
  readonly lamports: number
  readonly owner: string
  readonly data: Uint8Array
  readonly executable: boolean
}

/** An account in a line of the journal: address, lamports, owner, base64 data, executable. */
export type SavedAccount = readonly [string, number, string, string, boolean]

/** The accounts of the virtual machine, and the token accounts of each owner. */
export type AccountStore = {
  get(address: string): Account | undefined
  /** Writes an account directly, without a transaction. */
  set(address: string, account: Account): void
  /** Must be called for each account that a transaction changed. */
  note(address: string): void
  /** Token accounts of an owner in the order of their creation. */
  tokenAccountsOf(owner: string): readonly string[]
}

/** {@link AccountStore} of a virtual machine. */
export function createAccountStore(svm: LiteSVM): AccountStore {
  const tokenAccounts = new Map<string, Set<string>>()
  const owners = new Map<string, string>()
  const get = (address: string) => {
    const account = svm.getAccount(address as Address)
    if (!account.exists || account.lamports === 0n) return undefined
    const { lamports, programAddress: owner, executable } = account
    return {
      lamports: Number(lamports),
      owner: String(owner),
      data: new Uint8Array(account.data),
      executable,
    }
  }
  const note = (address: string) => {
    const account = get(address)
    const token = account && isTokenProgram(account.owner) && readTokenAccount(account.data)
    const owner = token ? token.owner : undefined
    const before = owners.get(address)
    if (before === owner) return
    if (before) tokenAccounts.get(before)?.delete(address)
    owners.delete(address)
    if (!owner) return
    owners.set(address, owner)
    const held = tokenAccounts.get(owner) ?? new Set()
    tokenAccounts.set(owner, held.add(address))
  }
  return {
    get,
    note,
    set: (address, { lamports, owner, data, executable }) => {
      svm.setAccount({
        address: address as Address,
        lamports: BigInt(lamports) as Lamports,
        programAddress: owner as Address,
        data,
        executable,
        space: BigInt(data.length),
      })
      note(address)
    },
    tokenAccountsOf: (owner) => [...(tokenAccounts.get(owner) ?? [])],
  }
}

/** An account in the journal's form. A deleted account has no lamports. */
export const saveAccount = (address: string, account: Account | undefined): SavedAccount => [
  address,
  account?.lamports ?? 0,
  account?.owner ?? '11111111111111111111111111111111',
  Buffer.from(account?.data ?? []).toString('base64'),
  account?.executable ?? false,
]

/** The inverse of {@link saveAccount}. */
export const restoreAccount = ([, lamports, owner, data, executable]: SavedAccount): Account => ({
  lamports,
  owner,
  data: Buffer.from(data, 'base64'),
  executable,
})
