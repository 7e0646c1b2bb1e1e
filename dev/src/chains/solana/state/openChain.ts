import {
  type Address,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  type Transaction,
} from '@solana/kit'
import type { FailedTransactionMetadata, LiteSVM, TransactionMetadata } from 'litesvm'
import { programs } from '../definition.ts'
import { loadLiteSvm } from '../loadLiteSvm.ts'
import { isTokenProgram, readMint, readTokenAccount } from '../parse/readToken.ts'
import {
  type Account,
  type AccountStore,
  createAccountStore,
  restoreAccount,
  type SavedAccount,
  saveAccount,
} from './accountStore.ts'
import { createSlots, finalAfterSlots, type Slots } from './createSlots.ts'
import { createLedger, type Entry, type Ledger, type TokenBalance } from './ledger.ts'
import { openJournal } from './openJournal.ts'
import { decodeTransaction, type Message, readMessage } from './readMessage.ts'
import { readTransactionError, type TransactionError } from './transactionError.ts'

/** The outcome of an executed or simulated transaction. */
export type TransactionResult = Pick<
  Entry,
  'error' | 'fee' | 'units' | 'logs' | 'inner' | 'returnData'
> & {
  readonly accountsAfter: ReadonlyMap<string, Account>
}

/** The local chain: one virtual machine, its time and everything that happened. */
export type SolanaChain = {
  readonly slots: Slots
  readonly accounts: AccountStore
  readonly ledger: Ledger
  /** Whether the chain is unused. It is stored from `begin` on. */
  readonly isNew: boolean
  begin(): void
  rentFor(bytes: number): number
  read(bytes: Uint8Array): { transaction: Transaction; message: Message }
  simulate(transaction: Transaction, options?: { verifySignatures?: boolean }): TransactionResult
  /**
   * Executes a transaction in the current slot, or in an earlier slot while seeding. A transaction
   * that cannot pay its fee leaves no trace.
   */
  execute(transaction: Transaction, slot?: number): TransactionResult
  setAccount(address: string, account: Account): void
  skipSlots(count: number): void
  isFinal(entry: Entry): boolean
  /**
   * Calls `listener` with each transaction that is executed. Returns a function that ends the
   * subscription.
   */
  onEntry(listener: (entry: Entry) => void): () => void
}

type Line =
  | { readonly entry: Entry; readonly accounts: readonly SavedAccount[] }
  | { readonly account: SavedAccount }
  | { readonly skipped: number }

/**
 * Opens the chain. With a `path`, it is stored in that file. Throws if another version wrote the
 * file.
 */
export function openChain(parameters: {
  path: string | undefined
  slotMs: number
  /** How long ago a new chain began. */
  ageMs: number
  version: number
}): SolanaChain {
  const { path, slotMs, ageMs, version } = parameters
  const svm = newMachine()
  const accounts = createAccountStore(svm)
  const ledger = createLedger()
  const listeners = new Set<(entry: Entry) => void>()
  const header = { version, slotMs, genesisMs: Date.now() - ageMs }
  const journal = openJournal({ path, header })
  if (journal.header.version !== version || typeof journal.header.genesisMs !== 'number')
    throw new Error(
      `The data of the local Solana chain (${path}) was made by another version of Latchkey. Start clean with: npm start -- --fresh`,
    )
  const { genesisMs } = journal.header
  const skipped = restore({ lines: journal.lines as Line[], accounts, ledger })
  const slots = createSlots({ genesisMs, slotMs: Number(journal.header.slotMs), skipped })
  const readData = (address: string) => accounts.get(address)?.data
  const read = (bytes: Uint8Array) => {
    const transaction = decodeTransaction(bytes)
    return { transaction, message: readMessage(transaction, readData) }
  }
  const setClock = (slot: number) => setMachineClock(svm, { slot, time: slots.time(slot) })

  const execute = (transaction: Transaction, slot = slots.current()) => {
    setClock(slot)
    const message = readMessage(transaction, readData)
    const before = message.keys.map(accounts.get)
    const result = svm.sendTransaction(transaction)
    const after = message.keys.map(accounts.get)
    const outcome = toOutcome(result, new Map())
    const payerPaid = before[0]?.lamports !== after[0]?.lamports
    if (outcome.error !== null && !payerPaid) return outcome
    for (const key of new Set(message.keys)) accounts.note(key)
    const { accountsAfter: _, ...done } = outcome
    const entry: Entry = {
      ...done,
      signature: message.signature,
      slot,
      time: slots.time(slot),
      transaction: getBase64EncodedWireTransaction(transaction),
      loaded: message.loaded,
      keys: message.keys,
      balancesBefore: before.map(getLamports),
      balancesAfter: after.map(getLamports),
      tokensBefore: readTokenBalances(before, accounts.get),
      tokensAfter: readTokenBalances(after, accounts.get),
    }
    ledger.add(entry)
    const changed = message.keys.flatMap((key, index) =>
      isSame(before[index], after[index]) ? [] : [saveAccount(key, after[index])],
    )
    journal.append({ entry, accounts: changed } satisfies Line)
    for (const listener of listeners) listener(entry)
    return outcome
  }

  return {
    slots,
    accounts,
    ledger,
    isNew: journal.lines.length === 0,
    begin: journal.begin,
    rentFor: (bytes) => Number(svm.minimumBalanceForRentExemption(BigInt(bytes))),
    read,
    simulate: (transaction, { verifySignatures = true } = {}) => {
      setClock(slots.current())
      svm.withSigverify(verifySignatures)
      try {
        const result = svm.simulateTransaction(transaction)
        return toOutcome('postAccounts' in result ? result.meta() : result, readAfter(result))
      } finally {
        svm.withSigverify(true)
      }
    },
    execute,
    setAccount: (address, account) => {
      accounts.set(address, account)
      journal.append({ account: saveAccount(address, account) } satisfies Line)
    },
    skipSlots: (count) => {
      slots.skip(count)
      journal.append({ skipped: count } satisfies Line)
    },
    isFinal: (entry) => slots.current() >= entry.slot + finalAfterSlots,
    onEntry: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function newMachine(): LiteSVM {
  // We check blockhashes and repetition ourselves, because the virtual machine supports only a
  // single blockhash.
  const svm = new (loadLiteSvm().LiteSVM)().withBlockhashCheck(false).withTransactionHistory(0n)
  // The virtual machine does not have the newest memo program. Its predecessor does the same.
  const memo = svm.getAccount(programs.memo as Address)
  if (memo.exists) svm.addProgram(programs.newMemo as Address, new Uint8Array(memo.data))
  return svm
}

function restore(parameters: {
  lines: readonly Line[]
  accounts: AccountStore
  ledger: Ledger
}): number {
  const { lines, accounts, ledger } = parameters
  let skipped = 0
  const newest = new Map<string, SavedAccount>()
  for (const line of lines) {
    if ('entry' in line) ledger.add(line.entry)
    if ('skipped' in line) skipped += line.skipped
    const saved = 'entry' in line ? line.accounts : 'account' in line ? [line.account] : []
    for (const account of saved) newest.set(account[0], account)
  }
  for (const [address, account] of newest) accounts.set(address, restoreAccount(account))
  return skipped
}

const slotsPerEpoch = 432_000

function setMachineClock(svm: LiteSVM, { slot, time }: { slot: number; time: number }) {
  const clock = svm.getClock()
  clock.slot = BigInt(slot)
  clock.epoch = BigInt(Math.floor(slot / slotsPerEpoch))
  clock.leaderScheduleEpoch = clock.epoch + 1n
  clock.unixTimestamp = BigInt(time)
  svm.setClock(clock)
}

function readAfter(result: ReturnType<LiteSVM['simulateTransaction']>): Map<string, Account> {
  if (!('postAccounts' in result)) return new Map()
  return new Map(
    result.postAccounts().map(({ address, lamports, programAddress, data, executable }) => {
      const account = { lamports: Number(lamports), owner: String(programAddress), executable }
      return [String(address), { ...account, data: new Uint8Array(data) }]
    }),
  )
}

function toOutcome(
  result: TransactionMetadata | FailedTransactionMetadata,
  accountsAfter: ReadonlyMap<string, Account>,
): TransactionResult {
  const text = result.toString()
  const error: TransactionError | null = 'err' in result ? readTransactionError(text) : null
  const meta = 'err' in result ? result.meta() : result
  const inner = meta.innerInstructions().flatMap((list, index) => {
    const instructions = list.map((each) => ({
      programIdIndex: each.instruction().programIdIndex(),
      accounts: [...each.instruction().accounts()],
      data: getBase58Decoder().decode(each.instruction().data()),
      stackHeight: each.stackHeight(),
    }))
    return instructions.length > 0 ? [{ index, instructions }] : []
  })
  const returned = meta.returnData()
  const data = Buffer.from(returned.data())
  return {
    error,
    fee: Number([...text.matchAll(/fee: (\d+)/g)].at(-1)?.[1] ?? 0),
    units: Number(meta.computeUnitsConsumed()),
    logs: meta.logs(),
    inner,
    returnData:
      data.length === 0
        ? null
        : {
            programId: getBase58Decoder().decode(returned.programId()),
            data: [data.toString('base64'), 'base64'],
          },
    accountsAfter,
  }
}

function readTokenBalances(
  accounts: readonly (Account | undefined)[],
  get: (address: string) => Account | undefined,
): TokenBalance[] {
  return accounts.flatMap((account, accountIndex) => {
    const token = account && isTokenProgram(account.owner) && readTokenAccount(account.data)
    if (!token) return []
    const mint = readMint(get(token.mint)?.data ?? new Uint8Array())
    const { mint: address, owner, amount } = token
    const balance = { accountIndex, mint: address, owner, programId: account.owner }
    return [{ ...balance, amount: amount.toString(), decimals: mint?.decimals ?? 0 }]
  })
}

const getLamports = (account: Account | undefined) => account?.lamports ?? 0

const isSame = (one: Account | undefined, other: Account | undefined) =>
  one?.lamports === other?.lamports &&
  one?.owner === other?.owner &&
  Buffer.compare(one?.data ?? new Uint8Array(), other?.data ?? new Uint8Array()) === 0
