import type { FeeFields } from '@latchkey/wire'
import { withLock } from '../../auth/deviceKey.ts'
import type { KeyStore } from '../../wallet/keyStore.ts'
import { createWatchedTokens, type WatchedTokens } from '../assets/watchedTokens.ts'
import type { EvmCall } from '../evm/readCall.ts'
import { chooseAccountType, readAccountType } from './accountType.ts'
import type { SentOperations } from './operation/sentOperations.ts'

/**
 * How a batch was sent: as a user operation, or as transactions one after another (`total`: how
 * many there should be).
 */
export type SentCalls =
  | { readonly chainId: string; readonly kind: 'operation'; readonly hash: string }
  | {
      readonly chainId: string
      readonly kind: 'transactions'
      readonly hashes: readonly string[]
      /** The nonces of `hashes`; absent for batches that an earlier version has sent. */
      readonly nonces?: readonly bigint[]
      readonly total: number
      /**
       * Until then another transaction may follow; 0 if the batch is complete. A frame that was
       * closed in between sends nothing further.
       */
      readonly moreUntilMs: number
    }

/**
 * A transaction of the page that may still be pending: its newest version, and the hashes of the
 * versions that it replaced.
 */
export type SentTransaction = {
  readonly hash: string
  readonly earlier: readonly string[]
  readonly nonce: bigint
  /** The call that the page requested, even if the newest version cancels that call. */
  readonly call: EvmCall
  readonly gas: bigint
  readonly fields: FeeFields
  readonly isCancelled: boolean
  /** The batch that it belongs to, if the batch is sent as transactions one after another. */
  readonly batchId?: string | undefined
}

/**
 * A transaction or a user operation that replaces another version: the same calls with a higher
 * fee, or a cancellation.
 */
type Replacement = { readonly hash: string; readonly isCancelled: boolean }

/**
 * The batches and transactions of the page at `origin`, and how the account sends them. Stored in
 * this browser.
 */
export type CallsAccess = {
  readType(): Promise<'eoa' | 'smartAccount'>
  /** Stores the user's choice in this browser; `sendAccountType` sends it to the server. */
  writeType(type: 'eoa' | 'smartAccount'): Promise<void>
  find(id: string): Promise<SentCalls | undefined>
  save(id: string, sent: SentCalls): Promise<void>
  /** The page's transactions on a network that may still be pending, oldest first. */
  readSent(chainId: string): Promise<readonly SentTransaction[]>
  /**
   * Stores a transaction that was sent, and removes every stored transaction with the same nonce,
   * of all pages. `replaced` is the transaction that it replaces.
   */
  addSent(
    chainId: string,
    sent: Omit<SentTransaction, 'earlier' | 'isCancelled'>,
    replaced: SentTransaction | undefined,
  ): Promise<void>
  /** Loads the page's user operations. */
  operations(): Promise<SentOperations>
  /** Stores a signed replacement of a transaction or a user operation of the page. */
  addReplacement(
    replaced: Pick<SentTransaction, 'hash' | 'earlier'>,
    replacement: Replacement,
  ): Promise<void>
  /** The signed replacements of what was first sent with this hash, oldest first. */
  readReplacements(hash: string): Promise<readonly Replacement[]>
  /** Removes the transactions of all pages whose nonce is taken on a network. */
  dropSent(chainId: string, isTaken: (nonce: bigint) => boolean): Promise<void>
  /** Tokens that the user has added on this page. */
  readonly watched: WatchedTokens
}

const maxKept = 200
/** Transactions of one page on one network. */
const maxSent = 20

/**
 * One list for all pages, because a nonce belongs to the account. A page can only read its own
 * transactions.
 */
type StoredTransaction = SentTransaction & { readonly origin: string }

/** `account` is the EVM address in use. */
export function createCallsAccess(
  store: KeyStore,
  { origin, account }: { readonly origin: string; readonly account: string },
): CallsAccess {
  const owner = `${origin} ${account.toLowerCase()}`
  const listKey = `calls ${owner}`
  const readList = async <T>(key: string) => {
    const found = await store.get(key)
    return Array.isArray(found) ? (found as T[]) : []
  }
  const read = () => readList<[string, SentCalls]>(listKey)
  const replacedKey = `replaced ${owner}`
  const readAllReplaced = () => readList<[string, readonly Replacement[]]>(replacedKey)
  const sentKey = (chainId: string) => `sent ${chainId} ${account.toLowerCase()}`
  const readAllSent = (chainId: string) => readList<StoredTransaction>(sentKey(chainId))
  /**
   * Reads and writes in one step, so that nothing that another request or tab stores in the
   * meantime is lost.
   */
  const updateSent = (
    chainId: string,
    change: (all: readonly StoredTransaction[]) => readonly StoredTransaction[],
  ) =>
    withLock(sentKey(chainId), async () => {
      const all = await readAllSent(chainId)
      const changed = change(all)
      if (changed.length > 0 || all.length > 0) await store.put(sentKey(chainId), changed)
    })
  return {
    readType: () => readAccountType(store, account),
    writeType: (type) => chooseAccountType(store, account, type),
    watched: createWatchedTokens(store, { origin, account }),
    operations: async () =>
      (await import('./operation/sentOperations.ts')).createSentOperations(store, {
        origin,
        account,
      }),
    find: async (id) => (await read()).find(([one]) => one === id)?.[1],
    // Batches that are sent as separate transactions may be stored at the same time.
    save: (id, sent) =>
      withLock(listKey, async () => {
        const others = (await read()).filter(([one]) => one !== id)
        await store.put(listKey, [...others, [id, sent]].slice(-maxKept))
      }),
    readSent: async (chainId) =>
      (await readAllSent(chainId)).filter((one) => one.origin === origin),
    addSent: (chainId, sent, replaced) => {
      const added: StoredTransaction = {
        ...sent,
        origin,
        call: replaced?.call ?? sent.call,
        batchId: replaced?.batchId ?? sent.batchId,
        earlier: replaced ? [...replaced.earlier, replaced.hash] : [],
        isCancelled: replaced !== undefined && replaced.call !== sent.call,
      }
      return updateSent(chainId, (all) => {
        const now = [...all.filter(({ nonce }) => nonce !== sent.nonce), added]
        const kept = new Set(now.filter((one) => one.origin === origin).slice(-maxSent))
        return now.filter((one) => one.origin !== origin || kept.has(one))
      })
    },
    addReplacement: ({ hash, earlier: [first = hash] }, replacement) =>
      withLock(replacedKey, async () => {
        const all = await readAllReplaced()
        const known = all.find(([one]) => one === first)?.[1] ?? []
        const others = all.filter(([one]) => one !== first)
        await store.put(replacedKey, [...others, [first, [...known, replacement]]].slice(-maxKept))
      }),
    readReplacements: async (hash) =>
      (await readAllReplaced()).find(([one]) => one === hash)?.[1] ?? [],
    dropSent: (chainId, isTaken) =>
      updateSent(chainId, (all) => all.filter(({ nonce }) => !isTaken(nonce))),
  }
}
