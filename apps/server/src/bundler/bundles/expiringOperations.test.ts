import { type Address, type Hex, numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mempool, openMempool } from '../../../test/openMempool.ts'
import { checkOperation } from '../operations/checkOperation.ts'

let pool: Mempool
beforeAll(async () => {
  pool = await openMempool()
})
afterAll(() => pool?.stop())

const at = (number: number) => `0x${number.toString(16).padStart(40, '0')}` as Address
let last = 0xf8000
/**
 * The data of a validation that is good until a time (seconds since 1970), as ERC-4337 packs it.
 */
const packUntil = (until: number): Hex => numberToHex(BigInt(until) << 160n, { size: 32 })
/** Pays the missing deposit. */
const pay = '5f5f5f5f604435335af150'

/** Puts a contract with money at a new address. */
async function openContract(code: string): Promise<Address> {
  const address = at(++last)
  await pool.anvil.setCode({ address, bytecode: `0x${code}` })
  await pool.anvil.setBalance({ address, value: parseEther('1') })
  return address
}

/** An operation whose account limits its validity in time. */
const makeAccountUntil = async (until: number) =>
  pool.makePlain(await openContract(`${pay}7f${packUntil(until).slice(2)}5f5260205ff3`))

/** An operation whose paymaster limits its validity in time. */
async function makePaidUntil(until: number) {
  const paymaster = await openContract(
    `60405f527f${packUntil(until).slice(2)}6020525f60405260605ff3`,
  )
  await pool.deposit(paymaster, parseEther('1'))
  return pool.makePlain(await openContract(`${pay}5f5f5260205ff3`), {
    paymaster,
    paymasterVerificationGasLimit: 200_000n,
    paymasterPostOpGasLimit: 50_000n,
    paymasterData: '0x',
  })
}

const readTime = async () => Number((await pool.node.getBlock()).timestamp)

test.each([
  ['account', makeAccountUntil],
  ['paymaster', makePaidUntil],
])(
  'security: an operation that expires too soon is refused, also in the mempool, at no cost (%s)',
  async (_who, make) => {
    const now = Math.max(await readTime(), Math.floor(Date.now() / 1_000))
    await expect(checkOperation(pool.bundler, await make(now + 20))).rejects.toMatchObject({
      code: -32503,
      message: expect.stringContaining('expires'),
    })
    const until = now + 3_600
    const hash = await pool.add(await make(until))
    await pool.anvil.setNextBlockTimestamp({ timestamp: BigInt(until - 10) })
    await pool.anvil.mine({ blocks: 1 })
    const before = await pool.readFunds()
    await pool.send()
    expect(await pool.find(hash)).toMatchObject({
      status: 'dropped',
      reason: expect.stringContaining('expires'),
    })
    expect(await pool.readFunds()).toBe(before)
    const good = await pool.add(await make(until + 3_600))
    await pool.send()
    expect(await pool.getStatus(good)).toBe('included')
  },
)
