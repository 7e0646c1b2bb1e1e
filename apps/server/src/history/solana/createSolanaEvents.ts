import type { Upstreams } from '../../nodes/upstreams.ts'
import type { Services } from '../../services.ts'
import { readAssets } from '../../solana/readAssets.ts'
import type { AccountEvents } from '../accountEvents.ts'
import { createPolledEvents } from '../createPolledEvents.ts'
import { expireAccount } from './solanaStore.ts'

type SolanaEventsDeps = Pick<Services, 'db' | 'log'> & { readonly upstreams: Upstreams }

/**
 * Events of Solana accounts, detected by their balances: each transaction of an account changes its
 * SOL because of the fee, and so does everything that it receives.
 */
export const createSolanaEvents = (
  { db, log, upstreams }: SolanaEventsDeps,
  everyMs?: number,
): AccountEvents =>
  createPolledEvents(
    {
      log,
      async read({ chainId, address }) {
        const held = await readAssets({ upstreams, chainId }, address)
        const amounts = held.tokenAccounts.map((one) => `${one.address} ${one.amount}`)
        return [held.lamports, ...amounts.sort()].join(' ')
      },
      expire: ({ chainId, address: owner }) => expireAccount(db, { chainId, owner }),
    },
    everyMs,
  )
