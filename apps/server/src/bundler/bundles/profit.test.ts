import { type Address, type Hex, keccak256, parseTransaction } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Mempool, openMempool } from '../../../test/openMempool.ts'
import { addOperations } from '../mempool/addOperations.ts'
import { checkOperation } from '../operations/checkOperation.ts'
import { estimateOperation } from '../operations/estimateOperation.ts'
import { listOpenBundles } from './bundleStore.ts'
import { sendBundles } from './sendBundles.ts'

const chainId = 'eip155:31337'
const gwei = 10n ** 9n
const never = new AbortController().signal
const burner: Address = '0x00000000000000000000000000000000000b0001'
const oracle: Address = '0x420000000000000000000000000000000000000F'

/** A stub signature, which recovers a random account. */
const stub: Hex = `0x${'f'.repeat(31)}${'0'.repeat(33)}7${'a'.repeat(63)}1c`

let pool: Mempool
beforeAll(async () => {
  pool = await openMempool()
  // Loops until it has no gas left.
  await pool.anvil.setCode({ address: burner, bytecode: '0x5b5f56' })
})
afterAll(() => pool?.stop())
beforeEach(() => setBaseFee(gwei))

async function setBaseFee(wei: bigint) {
  await pool.anvil.setNextBlockBaseFeePerGas({ baseFeePerGas: wei })
  await pool.anvil.mine({ blocks: 1 })
}

const send = () => sendBundles(pool.makeBundler(), { holder: 'first', signal: never })

/** That many random bytes, which cannot be compressed. */
const makeNoise = (bytes: number): Hex => {
  let text = ''
  for (let block = keccak256('0x'); text.length < 2 * bytes; block = keccak256(block))
    text += block.slice(2)
  return `0x${text.slice(0, 2 * bytes)}`
}

test('security: an operation without a tip is refused, and costs nothing if it is already waiting', async () => {
  const operation = await pool.makeOperation({
    to: burner,
    callGasLimit: 11_900_000n,
    tip: 0n,
    maxFee: 2n * gwei,
  })
  await expect(checkOperation(pool.bundler, operation)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('maxPriorityFeePerGas must be at least'),
  })
  const hash = keccak256('0x01')
  const code = { addresses: [], digest: keccak256('0x') }
  await addOperations(pool.bundler, [{ hash, operation, code, deposit: undefined, baseFee: 0n }])
  const before = await pool.readFunds()
  await send()
  expect(await pool.getStatus(hash)).toBe('pending')
  expect(await pool.readFunds()).toBe(before)
})

test('security: the bundler loses no money to any operation', async () => {
  const before = await pool.readFunds()
  const data = makeNoise(40_000)
  const cheap = { tip: (gwei * 3n) / 4n, maxFee: 2n * gwei }
  const hashes: Hex[] = []
  for (const change of [
    { to: burner, callGasLimit: 11_900_000n, ...cheap },
    { to: burner, callGasLimit: 200_000n, tip: 50n * gwei },
    {
      data,
      callGasLimit: 600_000n,
      verificationGasLimit: 600_000n,
      preVerificationGas: 1_700_000n,
      ...cheap,
    },
    { callGasLimit: 0n, ...cheap },
    { value: 10n ** 30n, ...cheap },
    { callGasLimit: 30_000n, tip: 9n * gwei },
  ]) {
    const operation = await pool.makeOperation(change)
    hashes.push(await pool.add(operation))
    const alone = await pool.makeOperation(change)
    hashes.push(await pool.add(alone))
    const funds = await pool.readFunds()
    await send()
    expect(await pool.readFunds()).toBeGreaterThan(funds)
  }
  const together = [
    cheap,
    { ...cheap, callGasLimit: 0n },
    { to: burner, ...cheap },
    { tip: 9n * gwei },
  ]
  for (const change of together) hashes.push(await pool.add(await pool.makeOperation(change)))
  await send()
  for (const hash of hashes) expect(await pool.getStatus(hash)).toBe('included')
  expect(await pool.readFunds()).toBeGreaterThan(before)
})

test('behavior: an operation waits while the base fee is too high, and is mined when it has fallen', async () => {
  const hash = await pool.add(await pool.makeOperation({ maxFee: 3n * gwei }))
  await setBaseFee(30n * gwei)
  const before = await pool.readFunds()
  const rich = await pool.add(await pool.makeOperation({ maxFee: 100n * gwei }))
  await send()
  expect(await pool.getStatus(hash)).toBe('pending')
  expect(await pool.getStatus(rich)).toBe('included')
  await setBaseFee(gwei)
  await send()
  expect(await pool.find(hash)).toMatchObject({ status: 'included', tries: 0 })
  expect(await pool.readFunds()).toBeGreaterThan(before)
})

test("behavior: a bundle's fee is raised to the most that it pays; then others replace it", async () => {
  const { anvil } = pool
  const poor = await pool.add(await pool.makeOperation({ tip: gwei, maxFee: 3n * gwei }))
  await anvil.setAutomine(false)
  const stopped = new AbortController()
  const impatient = pool.makeBundler((ask) => async (calls) => {
    const replies = await ask(calls)
    if (calls[0]?.method === 'eth_getTransactionByHash') stopped.abort()
    return replies
  })
  await sendBundles(impatient, { holder: 'first', signal: stopped.signal })
  const [open] = await listOpenBundles({ db: pool.db, chainId })
  const first = parseTransaction(open?.versions[0]?.raw ?? '0x')
  expect(first.maxFeePerGas).toBeLessThanOrEqual(3n * gwei)
  expect(first.maxPriorityFeePerGas).toBeLessThanOrEqual(gwei)
  // The next block costs more than that operation pays.
  await anvil.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n * gwei })
  await anvil.mine({ blocks: 1 })
  const before = await pool.readFunds()
  await anvil.setAutomine(true)
  const hasty = { ...pool.bundler, raiseAfterMs: 0 }
  const rich = await pool.add(await pool.makeOperation({ tip: 5n * gwei, maxFee: 50n * gwei }))
  await sendBundles(hasty, { holder: 'first', signal: AbortSignal.timeout(20_000) })
  expect(await pool.getStatus(rich)).toBe('included')
  expect(await pool.getStatus(poor)).toBe('pending')
  await setBaseFee(gwei)
  await sendBundles(pool.bundler, { holder: 'first', signal: AbortSignal.timeout(20_000) })
  expect(await pool.getStatus(poor)).toBe('included')
  expect(await pool.readFunds()).toBeGreaterThan(before)
  expect(await listOpenBundles({ db: pool.db, chainId })).toEqual([])
})

test('security: on a rollup, operations pay for incompressible data, and wait if its price rises', async () => {
  const { anvil } = pool
  /** An oracle that charges this amount for each byte that differs from the previous byte. */
  const setOracle = (wei: bigint) =>
    anvil.setCode({
      address: oracle,
      bytecode: `0x5f5f5b80355f1a813560011a1415820191506001018036116002575067${wei
        .toString(16)
        .padStart(16, '0')}025f5260205ff3`,
    })
  await setOracle(10n ** 12n)
  try {
    const bundler = pool.makeBundler()
    const free = await pool.makeOperation()
    await expect(checkOperation(bundler, free)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('preVerificationGas must be at least'),
    })
    for (const data of ['0x', makeNoise(2_000)] as const) {
      const gas = { data, callGasLimit: 100_000n, verificationGasLimit: 200_000n }
      const draft = { ...(await pool.makeOperation(gas)), signature: stub }
      const options = { chainNumber: 31_337, isAssumed: true }
      const { preVerificationGas } = await estimateOperation(bundler, draft, options)
      const before = await pool.readFunds()
      const hash = await pool.add(await pool.makeOperation({ ...gas, preVerificationGas }))
      await setOracle(10n ** 13n)
      await send()
      expect(await pool.getStatus(hash)).toBe('pending')
      expect(await pool.readFunds()).toBe(before)
      await setOracle(10n ** 12n)
      // The minute of waiting has passed.
      await pool.db.updateTable('user_operations').set({ not_before: null }).execute()
      await send()
      const { bundleHash, status } = (await pool.find(hash)) ?? {}
      expect(status).toBe('included')
      const raw = await anvil.request({
        method: 'eth_getRawTransactionByHash',
        params: [bundleHash],
      } as never)
      const charged = await bundler.l1Fee({ raw, to: burner, data: '0x', gas: 0n })
      expect((await pool.readFunds()) - before).toBeGreaterThan(charged)
    }
  } finally {
    await anvil.setCode({ address: oracle, bytecode: '0x' })
  }
})
