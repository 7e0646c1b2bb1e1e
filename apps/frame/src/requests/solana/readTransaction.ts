import { LatchkeyError } from '@latchkey/wire'
import {
  encodeSolanaTransaction,
  isWritable,
  parseSolanaTransaction,
  type SolanaTransaction,
} from '@latchkey/wire/solana'
import { formatReview } from '../../wallet/sign/formatReview.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { invalidParameters } from '../params.ts'
import type { TokenClaims } from './fetchTokenClaims.ts'
import { getMint } from './formatAmount.ts'
import { getEffects, type SolanaEffect } from './getEffects.ts'
import { readSolanaFee } from './getFee.ts'
import { type DecodedInstruction, decodeInstructions } from './instructions/decodeInstructions.ts'
import { isTokenAccountOf } from './isTokenAccountOf.ts'
import { programs } from './programs.ts'
import { type Accounts, parseTokenAccount, readAccountStates } from './readAccounts.ts'
import { resolveLookups } from './resolveLookups.ts'
import { type SolanaSimulation, simulateSolana } from './simulate.ts'

/**
 * The owner of a token account. `isProven`: the address is derived from the owner, not only
 * reported by a node.
 */
type TokenOwner = { readonly owner: string; readonly isProven: boolean }

/** Everything that is known about a transaction before it is shown. */
export type DecodedTransaction = {
  /** The bytes from the page. */
  readonly bytes: Uint8Array
  readonly transaction: SolanaTransaction
  /** The subject of the review ({@link formatReview}); the key worker signs nothing else. */
  readonly reviewed: string
  /** The index of the account's signature. */
  readonly ownIndex: number
  readonly feePayer: string
  readonly fee: bigint
  readonly isDurable: boolean
  readonly hasLookups: boolean
  readonly isComplete: boolean
  /** The lookup table that could not be read. The effects of the instructions are then unknown. */
  readonly unreadTable: string | undefined
  readonly instructions: readonly DecodedInstruction[]
  readonly effects: readonly SolanaEffect[]
  readonly accounts: Accounts
  readonly tokenOwners: ReadonlyMap<string, TokenOwner>
  readonly simulation: SolanaSimulation
  /**
   * Our server's names for tokens by mint, which are shown next to the mint, and the prices of the
   * tokens and the native currency.
   */
  readonly claims: TokenClaims
}

/**
 * Parses a transaction and reads the network data that it needs. Throws INVALID_PARAMS,
 * UNAUTHORIZED and the errors of our RPC.
 */
export async function readSolanaTransaction(
  request: ApprovalRequest,
  bytes: Uint8Array,
): Promise<DecodedTransaction> {
  const own = request.accounts.solana
  const transaction = parse(bytes)
  const reviewed = formatReview(transaction)
  const { keys, signerCount, signatures, lookups } = transaction
  const ownIndex = keys.slice(0, signerCount).indexOf(own)
  if (ownIndex < 0) throw new LatchkeyError('UNAUTHORIZED')
  const tables = await readAccountStates(
    request,
    lookups.map(({ table }) => table),
  )
  const resolved = resolveLookups(transaction, tables)
  const addresses = 'addresses' in resolved ? resolved.addresses : keys
  const instructions = decodeInstructions(transaction, addresses)
  const isDurable = hasNonce(instructions)
  const accounts = await readAccountStates(request, addresses)
  const effects = instructions.flatMap((one) => getEffects(one, { own, accounts }))
  const mints = await readAccountStates(request, claimedMints(effects, accounts))
  const allAccounts = new Map([...mints, ...accounts])
  const named = effects.flatMap((one) =>
    'amount' in one ? (getMint(one.amount, allAccounts) ?? []) : [],
  )
  const [simulation, claims] = await Promise.all([
    'unread' in resolved
      ? unavailable
      : simulateSolana(request, {
          transaction: encodeSolanaTransaction(transaction, signatures),
          own,
          writable: addresses.filter((_, index) => isWritable(transaction, index)),
          before: accounts,
          isDurable,
        }),
    request.fetchTokenClaims(request.chain, [...new Set(named)]),
  ])
  return {
    bytes,
    transaction,
    reviewed,
    ownIndex,
    feePayer: keys[0] ?? '',
    fee: readSolanaFee(transaction, instructions),
    isDurable,
    hasLookups: lookups.length > 0,
    isComplete: signatures.every((one, at) => at === ownIndex || one.some((byte) => byte !== 0)),
    unreadTable: 'unread' in resolved ? resolved.unread : undefined,
    instructions,
    effects,
    tokenOwners: await findTokenOwners(effects, accounts),
    simulation,
    ...(await addSimulated(request, { accounts: allAccounts, claims, simulation })),
  }
}

const unavailable: SolanaSimulation = { status: 'unavailable' }

/** Adds accounts and claims of tokens that appear only in a simulation. */
async function addSimulated(
  request: ApprovalRequest,
  { accounts, claims, simulation }: Pick<DecodedTransaction, 'accounts' | 'claims' | 'simulation'>,
): Promise<Pick<DecodedTransaction, 'accounts' | 'claims'>> {
  const mints = simulation.status === 'done' ? [...simulation.tokens.keys()] : []
  const unread = mints.filter((mint) => !accounts.has(mint))
  const others = mints.filter((mint) => !claims.names.has(mint))
  const [read, more] = await Promise.all([
    readAccountStates(request, unread),
    others.length > 0 ? request.fetchTokenClaims(request.chain, others) : claims,
  ])
  return {
    accounts: new Map([...accounts, ...read]),
    claims: {
      names: new Map([...claims.names, ...more.names]),
      prices: new Map([...claims.prices, ...more.prices]),
    },
  }
}

function parse(bytes: Uint8Array): SolanaTransaction {
  try {
    return parseSolanaTransaction(bytes)
  } catch (error) {
    throw invalidParameters(`transaction: ${error instanceof Error ? error.message : ''}`)
  }
}

/**
 * Whether the transaction uses a durable nonce. The network decides this by its first instruction.
 */
const hasNonce = ([first]: readonly DecodedInstruction[]) =>
  first?.program === programs.system &&
  first.data[0] === 4 &&
  !first.data.subarray(1, 4).some(Boolean)

/** The mints that only a node reports. */
const claimedMints = (effects: readonly SolanaEffect[], accounts: Accounts) =>
  effects.flatMap((one) =>
    'amount' in one && one.amount.unit === 'tokens' && one.amount.mint === undefined
      ? (parseTokenAccount(accounts.get(one.amount.account))?.mint ?? [])
      : [],
  )

/** Finds the owners of the accounts that receive tokens. */
async function findTokenOwners(
  effects: readonly SolanaEffect[],
  accounts: Accounts,
): Promise<Map<string, TokenOwner>> {
  const found = new Map<string, TokenOwner>()
  for (const effect of effects) {
    if (effect.kind !== 'send' || effect.amount.unit !== 'tokens') continue
    const { to, amount } = effect
    const state = parseTokenAccount(accounts.get(to))
    const source = parseTokenAccount(accounts.get(amount.account))
    const opened = effects.find((one) => one.kind === 'open' && one.account === to)
    const owner = state?.owner ?? (opened?.kind === 'open' ? opened.owner : undefined)
    const mint = amount.mint ?? state?.mint ?? source?.mint
    if (owner === undefined || mint === undefined) continue
    const isOf = (program: string) => isTokenAccountOf(to, { owner, program, mint })
    const isProven = (await isOf(programs.token)) || (await isOf(programs.token2022))
    found.set(to, { owner, isProven })
  }
  return found
}
