import { type MoveFacts, movedWallet } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { KeyStore } from '../keyStore.ts'
import { quarantineError } from '../openSharedSeed.ts'

const maxUsed = 50

/**
 * The wallets that a browser has used, one for each realm: it knows their addresses even after it
 * has lost their records.
 */
export const usedWallets = z.array(movedWallet).check(z.maxLength(maxUsed))

type Wallet = MoveFacts['to']

/**
 * Stored separately from the pin, because a tab with an earlier frame must still be able to read
 * the pin.
 */
const usedKey = (userId: string) => `used ${userId}`

/**
 * Reads the wallets that this browser has used. Throws `WALLET_QUARANTINED` if the stored list is
 * damaged.
 */
export async function readUsed(store: KeyStore, userId: string): Promise<readonly Wallet[]> {
  const { data } = usedWallets.safeParse((await store.get(usedKey(userId))) ?? [])
  if (!data) throw quarantineError('what this browser kept cannot be read')
  return data
}

/** Stores the wallets that this browser has used; of too many, only the most recent. */
export const writeUsed = (store: KeyStore, userId: string, used: readonly Wallet[]) =>
  store.put(usedKey(userId), usedWallets.parse(used.slice(-maxUsed)))

/** Adds these wallets to the others, replacing those in the same realm. */
export const addWallets = (wallets: readonly Wallet[], others: readonly Wallet[]): Wallet[] => [
  ...others.filter((other) => wallets.every(({ realm }) => realm !== other.realm)),
  ...wallets,
]
