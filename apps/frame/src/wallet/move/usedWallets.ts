import { type MoveFacts, movedWallet } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { KeyStore } from '../keyStore.ts'
import { quarantineError } from '../openSplit.ts'

const maxUsed = 50

/**
 * The wallets that a browser has used, one of each name: it knows their addresses also when it has
 * lost their records.
 */
export const usedWallets = z.array(movedWallet).check(z.maxLength(maxUsed))

type Wallet = MoveFacts['to']

/** Not in the pin, which a tab with an earlier frame has to read as it knows it. */
const usedKey = (userId: string) => `used ${userId}`

/**
 * Reads the wallets that this browser has used. Throws `WALLET_QUARANTINED` if what it stored is
 * damaged.
 */
export async function readUsed(store: KeyStore, userId: string): Promise<readonly Wallet[]> {
  const { data } = usedWallets.safeParse((await store.get(usedKey(userId))) ?? [])
  if (!data) throw quarantineError('what this browser kept cannot be read')
  return data
}

/** Stores the wallets that this browser has used, the last ones of very many. */
export const writeUsed = (store: KeyStore, userId: string, used: readonly Wallet[]) =>
  store.put(usedKey(userId), usedWallets.parse(used.slice(-maxUsed)))

/** These wallets, and others of other names. */
export const addWallets = (wallets: readonly Wallet[], others: readonly Wallet[]): Wallet[] => [
  ...others.filter((other) => wallets.every(({ realm }) => realm !== other.realm)),
  ...wallets,
]
