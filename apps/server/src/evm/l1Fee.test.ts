import { startChains } from '@latchkey/dev'
import { type Address, concat, createTestClient, http, numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { makeServices } from '../../test/makeServices.ts'
import { createAskChain } from '../bundler/askChain.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { createL1Fee } from './l1Fee.ts'

const chainId = 'eip155:31337'
const addresses: Record<string, Address> = {
  optimism: '0x420000000000000000000000000000000000000F',
  scroll: '0x5300000000000000000000000000000000000002',
  arbitrum: '0x00000000000000000000000000000000000000C8',
}
const transaction = {
  raw: '0x02c0',
  to: addresses.scroll ?? '0x',
  data: '0x1234',
  gas: 50_000n,
} as const

let chains: Awaited<ReturnType<typeof startChains>>
let nowMs = 1_000_000
beforeAll(async () => {
  chains = await startChains()
})
afterAll(() => chains?.stop())
afterEach(async () => {
  for (const address of Object.values(addresses)) await setCode(address, '0x')
})

const setCode = (address: Address, bytecode: `0x${string}`) =>
  createTestClient({ mode: 'anvil', transport: http(chains.urls[chainId]) }).setCode({
    address,
    bytecode,
  })

/** Code that returns these numbers. */
const answer = (...words: bigint[]) => {
  const stored = words.map((word, index) =>
    concat([
      '0x7f',
      numberToHex(word, { size: 32 }),
      '0x60',
      numberToHex(32 * index, { size: 1 }),
      '0x52',
    ]),
  )
  return concat([...stored, '0x60', numberToHex(32 * words.length, { size: 1 }), '0x5ff3'])
}
/** Code that returns the size of its input. */
const size = '0x365f5260205ff3'
const reverts = '0x5f5ffd'

function open() {
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const network = { name: 'One', nativeCurrency, upstreams: [chains.urls[chainId]] }
  const ask = createAskChain(createUpstreams(makeServices({ [chainId]: network })), chainId)
  return createL1Fee({ ask, chainId, clock: () => nowMs })
}

test('default: a network has no such fee if its fee contract is missing or lacks the function', async () => {
  expect(await open()(transaction)).toBe(0n)
  await setCode(addresses.scroll ?? '0x', reverts)
  expect(await open()(transaction)).toBe(0n)
})

test.each([
  // Both functions return the size of their input: the bytes of the transaction, and a number.
  ['the OP stack, with the fee of its operator', 'optimism', size, 4n + 32n * 3n + 4n + 32n],
  ['Scroll', 'scroll', answer(77_000n), 77_000n],
  ['Arbitrum, gas of its own times its base fee', 'arbitrum', answer(1_000n, 7n, 9n), 7_000n],
] as const)('default: the fee of %s', async (_network, name, code, fee) => {
  await setCode(addresses[name] ?? '0x', code)
  expect(await open()(transaction)).toBe(fee)
})

test.each([
  ['optimism', answer(10n ** 24n + 1n)],
  ['scroll', answer(2n ** 256n - 1n)],
  ['arbitrum', answer(1n, 10n ** 25n, 0n)],
])('error: an absurd fee of %s is none', async (name, code) => {
  await setCode(addresses[name] ?? '0x', code)
  await expect(open()(transaction)).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
})

test('error: a fee that cannot be read is not 0, also after a minute', async () => {
  const address = addresses.scroll ?? '0x'
  await setCode(address, answer(5n))
  const read = open()
  expect(await read(transaction)).toBe(5n)
  await setCode(address, '0x')
  await expect(read(transaction)).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
  nowMs += 61_000
  await expect(read(transaction)).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
})
