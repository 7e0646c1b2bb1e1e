import * as z from 'zod'
import { hexQuantity } from '../evm/schemas.ts'

/** Sends several requests to one node; a result is undefined if the node has no response. */
export type AskMany = (
  calls: readonly { method: string; params: unknown[] }[],
) => Promise<readonly unknown[]>

/** Contracts older than this count as `old`. */
const youngSeconds = 30 * 86_400
const maxRounds = 12
const probes = 8
const sampleBlocks = 1_000n

const block = z.object({ number: hexQuantity, timestamp: hexQuantity })
const code = z.string().regex(/^0x([0-9a-f]{2})*$/i)

/**
 * How many seconds ago a contract was created, if less than {@link youngSeconds}: by the first
 * block in which it has code. `old` for older contracts; undefined for accounts without their own
 * code, and if the node does not keep such old state. Needs only a few rounds of requests.
 */
export async function findContractAge(
  ask: AskMany,
  { address, nowSeconds }: { address: string; nowSeconds: number },
): Promise<number | 'old' | undefined> {
  const latest = await readBlock(ask, 'latest')
  if (!latest || !(await hasCode(ask, address, [latest.number]))?.[0]) return undefined
  const oldest = await findOldest(ask, latest)
  if (oldest === undefined) return undefined
  if (oldest > 0n) {
    const known = await hasCode(ask, address, [oldest])
    if (!known) return undefined
    if (known[0]) return 'old'
  }
  // It has no code at `low` and code at `high`.
  let [low, high] = [oldest > 0n ? oldest : -1n, latest.number]
  for (let round = 0; high - low > 1n; round++) {
    if (round === maxRounds) return undefined
    const numbers = spread(low, high)
    const found = await hasCode(ask, address, numbers)
    if (!found) return undefined
    const first = found.indexOf(true)
    high = first < 0 ? high : (numbers[first] ?? high)
    low = first === 0 ? low : (numbers[(first < 0 ? numbers.length : first) - 1] ?? low)
  }
  const made = await readBlock(ask, `0x${high.toString(16)}`)
  const age = made && nowSeconds - Number(made.timestamp)
  if (age === undefined) return undefined
  return age < youngSeconds ? Math.max(0, age) : 'old'
}

/** Up to eight numbers between two others, which leave gaps of the same size. */
function spread(low: bigint, high: bigint): bigint[] {
  const between = high - low - 1n
  const count = between < BigInt(probes) ? between : BigInt(probes)
  return Array.from(
    { length: Number(count) },
    (_, index) => low + ((high - low) * BigInt(index + 1)) / (count + 1n),
  )
}

/** The block of about {@link youngSeconds} ago, judging by the pace of the latest blocks. */
async function findOldest(
  ask: AskMany,
  latest: z.infer<typeof block>,
): Promise<bigint | undefined> {
  const back = latest.number < sampleBlocks ? latest.number : sampleBlocks
  if (back === 0n) return 0n
  const sample = await readBlock(ask, `0x${(latest.number - back).toString(16)}`)
  if (!sample) return undefined
  const seconds = latest.timestamp - sample.timestamp
  if (seconds <= 0n) return 0n
  const blocks = (BigInt(youngSeconds) * back) / seconds
  return latest.number > blocks ? latest.number - blocks : 0n
}

async function readBlock(ask: AskMany, number: string) {
  const [found] = await ask([{ method: 'eth_getBlockByNumber', params: [number, false] }])
  return block.safeParse(found).data
}

/**
 * Whether the address has its own code in each of the blocks; undefined if the node cannot answer
 * for any of them.
 */
async function hasCode(
  ask: AskMany,
  address: string,
  numbers: readonly bigint[],
): Promise<boolean[] | undefined> {
  const replies = await ask(
    numbers.map((number) => ({
      method: 'eth_getCode',
      params: [address, `0x${number.toString(16)}`],
    })),
  )
  const codes = z.array(code).length(numbers.length).safeParse(replies).data
  // An account that delegates to a contract (EIP-7702) is not a contract.
  return codes?.map((one) => one !== '0x' && !one.toLowerCase().startsWith('0xef0100'))
}
