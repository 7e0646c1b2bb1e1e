import type { ChainId } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Address } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Database } from '../db/database.ts'
import type { ReadL1Fee } from '../evm/l1Fee.ts'
import type { AskChain } from './askChain.ts'
import type { ValidationWork } from './operations/validationWork.ts'

/** Our own bundler on one chain. */
export type ChainBundler = {
  readonly chainId: ChainId
  readonly db: Kysely<Database>
  readonly ask: AskChain
  /** The network's fee for a transaction in addition to its gas. */
  readonly l1Fee: ReadL1Fee
  readonly log: Logger
  /** Sends the bundles and is paid back by the EntryPoint. */
  readonly account: PrivateKeyAccount
  /** The implementation that needs no trace, in lower case. */
  readonly trustedDelegate: Address
  /** The operator's own paymaster, which needs no trace either, in lower case. */
  readonly trustedPaymaster?: Address | undefined
  readonly work: ValidationWork
  /** Refuses accounts that do not delegate to our contracts. */
  readonly servesOnlyOurs?: boolean
  /** How long a bundle waits before it is sent again with a higher fee. Default: ten seconds. */
  readonly raiseAfterMs?: number
}
