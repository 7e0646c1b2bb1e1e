import { encodeBase64, isError } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { sanitizeName } from '../sanitizeName.ts'
import { programs } from './programs.ts'
import {
  type AccountState,
  type Accounts,
  accountStates,
  formatRights,
  isHeldBy,
  parseTokenAccount,
  type TokenAccountState,
  zipStates,
} from './readAccounts.ts'

/**
 * The simulation of a transaction by a node. It can be wrong or lie, so it only adds to the decoded
 * bytes.
 */
export type SolanaSimulation =
  /**
   * `lamports` and `tokens` (by mint): the amount that the account receives, negative if it leaves.
   */
  | {
      readonly status: 'done'
      readonly lamports: bigint
      readonly tokens: ReadonlyMap<string, bigint>
      /** The wallet's own address gets data or another owner. */
      readonly losesWallet: boolean
      /** An account that the wallet holds gets another holder, another owner or another length. */
      readonly hasNewOwner: boolean
      readonly hasNewSpender: boolean
    }
  | { readonly status: 'failed'; readonly reason: string }
  | { readonly status: 'unavailable' }

const answer = z.object({
  value: z.object({
    err: z.unknown(),
    logs: z.optional(z.nullable(z.array(z.string()))),
    accounts: z.optional(z.nullable(accountStates)),
  }),
})
const maxReason = 120

/**
 * Requests a simulation from our server, which sends nothing, and compares the accounts that it may
 * change (`writable`) with their state `before`. Throws ABORTED.
 */
export async function simulateSolana(
  { read, chain, signal }: Pick<ApprovalRequest, 'read' | 'chain' | 'signal'>,
  given: {
    transaction: Uint8Array
    own: string
    writable: readonly string[]
    before: Accounts
    isDurable: boolean
  },
): Promise<SolanaSimulation> {
  const { transaction, own, writable, before, isDurable } = given
  const options = {
    encoding: 'base64',
    commitment: 'confirmed',
    sigVerify: false,
    replaceRecentBlockhash: !isDurable,
    accounts: { encoding: 'base64', addresses: writable },
  }
  try {
    const said = z.parse(
      answer,
      await read(chain, 'simulateTransaction', [encodeBase64(transaction), options], signal),
    )
    const { err, logs, accounts } = said.value
    if (err !== null && err !== undefined)
      return { status: 'failed', reason: getReason(err, logs ?? []) }
    if (!accounts) return { status: 'unavailable' }
    return compare(own, before, new Map(zipStates(writable, accounts)))
  } catch (error) {
    if (isError(error, 'ABORTED')) throw error
    if (isError(error, 'RPC_FAILED'))
      return { status: 'failed', reason: sanitizeName(error.message, maxReason) }
    return { status: 'unavailable' }
  }
}

function getReason(err: unknown, logs: readonly string[]): string {
  const line = logs.filter((one) => /error|failed|insufficient/i.test(one)).at(-1)
  return sanitizeName(line ?? JSON.stringify(err), maxReason)
}

function compare(own: string, before: Accounts, after: Accounts): SolanaSimulation {
  const tokens = new Map<string, bigint>()
  const change = { hasNewOwner: false, hasNewSpender: false }
  for (const address of after.keys()) {
    const [was, is] = [before, after].map((all) => parseTokenAccount(all.get(address)))
    const add = (account: TokenAccountState | undefined, sign: bigint) => {
      if (account?.owner !== own) return
      tokens.set(account.mint, (tokens.get(account.mint) ?? 0n) + sign * account.amount)
    }
    add(was, -1n)
    add(is, 1n)
    if (hasOtherHolder(before.get(address), after.get(address), own)) change.hasNewOwner = true
    if (is?.owner === own && takesMore(was, is)) change.hasNewSpender = true
  }
  const lamports = (accounts: Accounts) => accounts.get(own)?.lamports ?? 0n
  return {
    status: 'done',
    lamports: after.has(own) ? lamports(after) - lamports(before) : 0n,
    tokens: new Map([...tokens].filter(([, amount]) => amount !== 0n)),
    losesWallet: isLost(before.get(own), after.get(own)),
    ...change,
  }
}

/**
 * Whether the wallet itself gets data or another owner. A normal wallet belongs to the System
 * program and has no data.
 */
function isLost(was: AccountState | undefined, is: AccountState | undefined): boolean {
  if (!is || is.lamports === 0n) return false
  return formatRights(is) !== formatRights(was ?? emptyWallet)
}

const emptyWallet: AccountState = { owner: programs.system, lamports: 0n, data: new Uint8Array() }

/**
 * Whether an account of the wallet gets another holder. A closed account has no holder; the tokens
 * that it held are counted.
 */
function hasOtherHolder(
  was: AccountState | undefined,
  is: AccountState | undefined,
  own: string,
): boolean {
  if (!was || !is || is.lamports === 0n || !isHeldBy(was, own)) return false
  return formatRights(was) !== formatRights(is)
}

const takesMore = (was: TokenAccountState | undefined, is: TokenAccountState) =>
  is.delegate !== undefined && (is.delegate !== was?.delegate || is.delegated > was.delegated)
