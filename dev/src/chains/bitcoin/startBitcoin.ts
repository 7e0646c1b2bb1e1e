import { join } from 'node:path'
import { z } from 'zod'
import { assertPortFree, choosePort, host } from '../../ports.ts'
import { type BitcoinAccount, deriveBitcoinAccounts } from './accounts.ts'
import { type BitcoinChain, openChain } from './chain/openChain.ts'
import { satoshisPerBitcoin } from './definition.ts'
import { answerEsplora, toScript } from './http/answerEsplora.ts'
import { HttpError } from './http/httpError.ts'
import { serveBitcoin } from './http/serveBitcoin.ts'
import { payFromFaucet } from './payFromFaucet.ts'

/** The local Bitcoin chain, running and seeded. */
export type Bitcoin = {
  /** HTTP address of its Esplora API. */
  url: string
  /**
   * Ten accounts with their keys; each has 5 BTC at its payment address and 0.01 BTC at the other.
   */
  accounts: BitcoinAccount[]
  /** Mines blocks at once; the first block contains the mempool. */
  mine(blocks?: number): void
  stop(): Promise<void>
}

const maturingBlocks = 110

const dayMs = 86_400_000
/** Payments to the first account of a chain with a past: how long ago, and satoshis. */
const pastPayments = [
  { daysAgo: 17.6, value: 12_000_000n },
  { daysAgo: 6.2, value: 3_500_000n },
  { daysAgo: 0.9, value: 850_000n },
]

/**
 * Starts the chain in this process. Transactions wait in the mempool for `blockDelayMs` before they
 * are mined; with `'never'` only `mine` and `POST /mine` mine. Without `dataDir` nothing is stored;
 * with it, everything confirmed in a response survives kill -9. `past`: a new chain begins a month
 * ago, with more payments. Throws if the port is taken or the data has another version.
 */
export async function startBitcoin(
  parameters: {
    ports?: 'default' | 'free'
    port?: number
    dataDir?: string | undefined
    blockDelayMs?: number | 'never'
    past?: boolean | undefined
  } = {},
): Promise<Bitcoin> {
  const { ports = 'free', dataDir, blockDelayMs = 2_000, past = false } = parameters
  const port = parameters.port ?? (await choosePort('bitcoin', ports))
  await assertPortFree('bitcoin', port)
  const path = dataDir === undefined ? undefined : join(dataDir, 'chains', 'bitcoin.jsonl')
  const chain = openChain(path)
  const accounts = deriveBitcoinAccounts()
  seed(chain, { accounts, past })
  const miner = startMiner(chain, blockDelayMs)
  const answer = async (request: { method: string; path: string; body: string }) => {
    const answered = await (answerOwn(chain, request) ?? answerEsplora(chain, request))
    miner.schedule()
    return answered
  }
  const server = await serveBitcoin({ port, answer })
  return {
    url: `http://${host}:${port}`,
    accounts,
    mine: (blocks = 1) => mineMany(chain, blocks),
    async stop() {
      miner.stop()
      await server.stop()
    },
  }
}

// Continues seeding from the point at which a killed process stopped.
function seed(
  chain: BitcoinChain,
  { accounts, past }: { accounts: readonly BitcoinAccount[]; past: boolean },
) {
  const { ledger } = chain
  const getTime = (daysAgo: number) => (past ? Date.now() - daysAgo * dayMs : undefined)
  mineMany(chain, maturingBlocks - ledger.tip.height, getTime(31))
  const [first] = accounts
  if (!first || ledger.getHistory(toScript(first.payment.address)).length > 0) return
  const payments = accounts.flatMap(({ payment, ordinals }) => [
    { address: payment.address, value: 3n * satoshisPerBitcoin },
    { address: payment.address, value: 2n * satoshisPerBitcoin },
    { address: ordinals.address, value: satoshisPerBitcoin / 100n },
  ])
  payFromFaucet(chain, payments)
  chain.mine(getTime(30))
  if (!past) return
  for (const { daysAgo, value } of pastPayments) {
    payFromFaucet(chain, [{ address: first.payment.address, value }])
    chain.mine(getTime(daysAgo))
  }
}

function mineMany(chain: BitcoinChain, blocks: number, atMs?: number) {
  for (let mined = 0; mined < blocks; mined++) chain.mine(atMs)
}

/** Mines `delayMs` after the first transaction that waits. */
function startMiner(chain: BitcoinChain, delayMs: number | 'never') {
  let timer: NodeJS.Timeout | undefined
  const mine = () => {
    timer = undefined
    if (chain.ledger.mempool().length > 0) chain.mine()
    schedule()
  }
  const schedule = () => {
    if (delayMs === 'never' || timer || chain.ledger.mempool().length === 0) return
    timer = setTimeout(mine, delayMs)
    timer.unref()
  }
  schedule()
  return { schedule, stop: () => clearTimeout(timer) }
}

const paymentSchema = z.object({
  address: z.string().max(100),
  /** In satoshis. */
  value: z.number().int().min(1_000).max(10_000_000_000).default(100_000_000),
})

const miningSchema = z.object({ blocks: z.number().int().min(1).max(200).default(1) })

/**
 * `POST /faucet {address, value?}` returns the payment's txid, `POST /mine {blocks?}` the new
 * height.
 */
function answerOwn(
  chain: BitcoinChain,
  { method, path, body }: { method: string; path: string; body: string },
): string | undefined {
  if (method !== 'POST') return undefined
  if (path === '/faucet') return payOut(chain, body)
  if (path !== '/mine') return undefined
  mineMany(chain, parse(miningSchema, body).blocks)
  return String(chain.ledger.tip.height)
}

function payOut(chain: BitcoinChain, body: string) {
  const { address, value } = parse(paymentSchema, body)
  toScript(address)
  try {
    return payFromFaucet(chain, [{ address, value: BigInt(value) }])
  } catch (error) {
    throw new HttpError(503, error instanceof Error ? error.message : String(error))
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, body: string): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(body || '{}'))
  } catch {
    throw new HttpError(400, 'Invalid request body')
  }
}
