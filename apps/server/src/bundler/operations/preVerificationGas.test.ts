import { type Address, type Hex, parseEther, parseEventLogs } from 'viem'
import { entryPoint08Abi } from 'viem/account-abstraction'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mempool, openMempool } from '../../../test/openMempool.ts'
import { getPreVerificationGas } from './estimateGas.ts'
import type { UserOperation } from './userOperation.ts'

/**
 * Accounts that pay from a deposit: one does nothing at all, the other reverts with 2,048 bytes
 * when it is called.
 */
const idle: Address = '0x00000000000000000000000000000000000f1001'
const failing: Address = '0x00000000000000000000000000000000000f1002'

let pool: Mempool
beforeAll(async () => {
  pool = await openMempool()
  const answers = '5f5f5260205ff3'
  await pool.anvil.setCode({ address: idle, bytecode: `0x${answers}` })
  const validates = '5f3560e01c6319822f7c14601457'
  await pool.anvil.setCode({ address: failing, bytecode: `0x${validates}6108005ffd005b${answers}` })
  for (const account of [idle, failing]) await pool.deposit(account, parseEther('10'))
})
afterAll(() => pool?.stop())

/**
 * Gas that an operation pays for beyond what its bundle uses, alone in it, with the least
 * preVerificationGas.
 */
async function getSurplus(operation: UserOperation): Promise<number> {
  const hash = await pool.add(operation)
  await pool.send()
  const { bundleHash = '0x' } = (await pool.find(hash)) ?? {}
  const { gasUsed, logs } = await pool.node.getTransactionReceipt({ hash: bundleHash })
  const [event] = parseEventLogs({ abi: entryPoint08Abi, eventName: 'UserOperationEvent', logs })
  return Number((event?.args.actualGasUsed ?? 0n) - gasUsed)
}

let nonce = 0n
const make = (sender: Address, callData: Hex = '0x', key = 0n): UserOperation => {
  const operation = pool.makePlain(sender, {
    nonce: key > 0n ? key << 64n : sender === idle ? nonce++ : 0n,
    callData,
    callGasLimit: 30_000n,
    verificationGasLimit: 900_000n,
    preVerificationGas: 0xffffffn,
  })
  const preVerificationGas = getPreVerificationGas(operation)
  return {
    ...operation,
    preVerificationGas: getPreVerificationGas({ ...operation, preVerificationGas }),
  }
}

const fill = (byte: string, count: number): Hex => `0x${byte.repeat(count)}`

test('default: the bundler never pays gas itself, and an operation pays for hardly more than is used', async () => {
  const operations = [make(idle), make(idle, '0x', 7n), make(failing), make(idle, fill('c3', 300))]
  for (const operation of operations) {
    const surplus = await getSurplus(operation)
    expect(surplus).toBeGreaterThanOrEqual(0)
    expect(surplus).toBeLessThan(2_000)
  }
})

test.each([
  ['c3', 1_000],
  ['c3', 1_400],
  ['c3', 1_600],
  ['c3', 3_000],
  ['c3', 20_000],
  ['00', 5_000],
  ['00', 5_600],
  ['00', 6_000],
  ['00', 20_000],
  ['00', 40_000],
])(
  'behavior: nor where the floor price of data counts (EIP-7623): %s, %i times',
  async (byte, count) => {
    expect(await getSurplus(make(idle, fill(byte, count)))).toBeGreaterThanOrEqual(0)
  },
)

test('behavior: nor with an authorization', async () => {
  const operation = await pool.makeOperation({ key: generatePrivateKey() })
  expect(await getSurplus(operation)).toBeGreaterThanOrEqual(0)
})
