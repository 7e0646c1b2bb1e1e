import { join } from 'node:path'
import { assertPortFree, choosePort, host } from '../../ports.ts'
import { deriveSolanaAccounts, type SolanaAccount } from './keys.ts'
import { type SolanaAddresses, solanaAddresses } from './seed/addresses.ts'
import { seedAgeMs, seedSolana } from './seed/seedSolana.ts'
import { serveSolana } from './serve.ts'
import { openChain } from './state/openChain.ts'

/** The local Solana chain, running and seeded. */
export type Solana = {
  /** HTTP address; WebSockets use the same address. */
  url: string
  addresses: SolanaAddresses
  /** Ten funded accounts with their keys; the first five have tokens. */
  accounts: SolanaAccount[]
  /** Lets slots pass at once: 151 expire every blockhash, 2 make every transaction final. */
  skipSlots(count: number): void
  stop(): Promise<void>
}

// A chain that another version seeded is another chain.
const version = 1

/**
 * Starts the chain in this process: slots of 400 ms, transactions are executed on arrival. Without
 * `dataDir` nothing is stored; with it, everything confirmed in a response survives kill -9. Throws
 * if the port is taken or LiteSVM has no build for this machine.
 */
export async function startSolana(
  parameters: {
    ports?: 'default' | 'free'
    port?: number
    dataDir?: string | undefined
    slotMs?: number
  } = {},
): Promise<Solana> {
  const { ports = 'free', dataDir, slotMs = 400 } = parameters
  const port = parameters.port ?? (await choosePort('solana', ports))
  await assertPortFree('solana', port)
  const path = dataDir === undefined ? undefined : join(dataDir, 'chains', 'solana.jsonl')
  const chain = openChain({ path, slotMs, ageMs: seedAgeMs, version })
  const accounts = deriveSolanaAccounts()
  if (chain.isNew) {
    await seedSolana(chain, accounts)
    chain.begin()
  }
  const { stop } = await serveSolana(chain, { port })
  return {
    url: `http://${host}:${port}`,
    addresses: solanaAddresses,
    accounts,
    skipSlots: chain.skipSlots,
    stop,
  }
}
