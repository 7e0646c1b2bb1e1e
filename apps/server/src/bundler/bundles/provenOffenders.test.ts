import { waitForReceipt } from '@latchkey/dev'
import { type Address, encodeFunctionData, type Hex, parseEther } from 'viem'
import { entryPoint08Abi } from 'viem/account-abstraction'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Mempool, openMempool } from '../../../test/openMempool.ts'
import { entryPoint, packOperation, type UserOperation } from '../operations/userOperation.ts'
import { listOpenBundles } from './bundleStore.ts'
import { raiseFee } from './raiseFee.ts'

const gwei = 10n ** 9n
const sink = '0x00000000000000000000000000000000000c0de1'

let pool: Mempool
beforeAll(async () => {
  pool = await openMempool()
})
afterAll(() => pool?.stop())
afterEach(async () => {
  await pool.anvil.setAutomine(true)
  await pool.db.deleteFrom('bundle_offenders').execute()
  await pool.db.updateTable('user_operation_bundles').set({ lost_gas: null }).execute()
  await pool.db
    .updateTable('user_operations')
    .set({ status: 'dropped' })
    .where('status', '=', 'pending')
    .execute()
})

const at = (number: number) => `0x${number.toString(16).padStart(40, '0')}` as Address
let last = 0xe8000
async function openContract(code: string): Promise<Address> {
  const address = at(++last)
  await pool.anvil.setCode({ address, bytecode: `0x${code}` })
  await pool.anvil.setBalance({ address, value: parseEther('1') })
  return address
}

/** Pays the missing deposit, and accepts every operation. */
const openAccount = (first = '') => openContract(`${first}5f5f5f5f604435335af1505f5f5260205ff3`)

/** A paymaster with a deposit that pays for every operation. */
async function openPaymaster(first = ''): Promise<Address> {
  const paymaster = await openContract(`${first}60405f525f6020525f60405260605ff3`)
  await pool.deposit(paymaster, parseEther('1'))
  return paymaster
}

const paid = (paymaster: Address): Partial<UserOperation> => ({
  paymaster,
  paymasterVerificationGasLimit: 200_000n,
  paymasterPostOpGasLimit: 50_000n,
  paymasterData: '0x',
})

/** Has an operation of each account included. */
async function prove(...accounts: Address[]) {
  for (const one of accounts) await pool.add(pool.makePlain(one))
  await pool.send()
}

/** A transaction of a contract's owner, ahead of the bundle at the node, which is then mined. */
async function overtake(from: Address, call: { to: Address; value?: bigint; data?: Hex }) {
  await pool.anvil.impersonateAccount({ address: from })
  await pool.anvil.setBalance({ address: from, value: parseEther('2') })
  const value = call.value === undefined ? {} : { value: `0x${call.value.toString(16)}` }
  const fees = {
    maxFeePerGas: '0x14f46b0400',
    maxPriorityFeePerGas: '0x12a05f2000',
    gas: '0x30d40',
  }
  const hash = (await pool.anvil.request({
    method: 'eth_sendTransaction',
    params: [{ from, to: call.to, ...(call.data && { data: call.data }), ...value, ...fees }],
  } as never)) as Hex
  await pool.anvil.mine({ blocks: 1 })
  expect(await waitForReceipt(pool.node, hash)).toMatchObject({ status: 'success' })
  await pool.anvil.setAutomine(true)
  await pool.send()
}

/** Sends an operation in a bundle of a stranger. */
function copy(operation: UserOperation): Promise<Hex> {
  const stranger = pool.wallet(pool.chains.accounts[3]?.privateKey ?? '0x')
  const data = encodeFunctionData({
    abi: entryPoint08Abi,
    functionName: 'handleOps',
    args: [[packOperation(operation)], stranger.account.address],
  })
  const fees = { maxFeePerGas: 90n * gwei, maxPriorityFeePerGas: 80n * gwei }
  return stranger.sendTransaction({ to: entryPoint, data, gas: 1_000_000n, ...fees })
}

const withdraw = (wei: bigint) => ({
  to: entryPoint,
  data: encodeFunctionData({
    abi: entryPoint08Abi,
    functionName: 'withdrawTo',
    args: [sink, wei],
  }),
})

async function setLost(gas: string) {
  await pool.db.updateTable('user_operation_bundles').set({ lost_gas: null }).execute()
  const { hash } = await pool.db
    .selectFrom('user_operation_bundles')
    .select('hash')
    .executeTakeFirstOrThrow()
  await pool.db
    .updateTable('user_operation_bundles')
    .set({ lost_gas: gas })
    .where('hash', '=', hash)
    .execute()
}

const readBlamed = async () =>
  (await pool.db.selectFrom('bundle_offenders').select('entity').execute()).map((one) => one.entity)

const readReverted = () =>
  pool.db
    .selectFrom('user_operation_bundles')
    .select('hash')
    .where('lost_gas', 'is not', null)
    .execute()

test('security: proven accounts do not vouch for a new paymaster, which could empty its deposit in time', async () => {
  const [one, two] = [await openAccount(), await openAccount()]
  await prove(one, two)
  const paymaster = await openPaymaster()
  await pool.add(pool.makePlain(one, { ...paid(paymaster), nonce: 1n }))
  await pool.sendUnmined()
  await overtake(paymaster, withdraw(parseEther('1')))
  expect(await readReverted()).toHaveLength(1)
  expect(await readBlamed()).toEqual([paymaster])
  await setLost('5000000')
  const fresh = await pool.add(
    pool.makePlain(one, { ...paid(await openPaymaster()), nonce: 1n << 64n }),
  )
  const own = await pool.add(pool.makePlain(two, { nonce: 1n << 64n }))
  await pool.send()
  expect(await pool.getStatus(own)).toBe('included')
  expect(await pool.getStatus(fresh)).toBe('pending')
})

test("security: an account that makes an honest paymaster's validation fail is blamed itself", async () => {
  // It pays for all accounts except those that have called it, so only the account itself can
  // change that.
  const notes = '335f5260405f206001905500'
  const refuses = '5b6064355f5260405f205415602c575f5ffd5b'
  const paymaster = await openPaymaster(`5f3560e01c6352b7512c14601a57${notes}${refuses}`)
  const [guilty, honest] = [await openAccount(), await openAccount()]
  const hash = await pool.add(pool.makePlain(guilty, paid(paymaster)))
  const other = await pool.add(pool.makePlain(honest, paid(paymaster)))
  await pool.sendUnmined()
  await overtake(guilty, { to: paymaster })
  expect(await readReverted()).toHaveLength(1)
  expect(await readBlamed()).toEqual([guilty])
  expect(await pool.getStatus(hash)).toBe('pending')
  expect(await pool.getStatus(other)).toBe('included')
})

test('security: the validations of a bundle risk at most a fixed amount of gas', async () => {
  for (let count = 0; count < 8; count++)
    await pool.add(pool.makePlain(await openAccount(), { verificationGasLimit: 1_400_000n }))
  await pool.send()
  const rows = await pool.db
    .selectFrom('user_operations')
    .select(({ fn }) => ['bundle_hash', fn.countAll<string>().as('count')])
    .where('status', '=', 'included')
    .where('risked_gas', '>', '1400000')
    .groupBy('bundle_hash')
    .execute()
  expect(rows.map(({ count }) => Number(count)).sort()).toEqual([3, 5])
})

test('security: once proven accounts cost much, they go alone and in proportion to what they have paid', async () => {
  const accounts = [await openAccount(), await openAccount(), await openAccount()] as const
  await prove(...accounts)
  await setLost('20000000')
  const [one, two, heavy] = await Promise.all(
    accounts.map(async (account, index) =>
      pool.add(
        pool.makePlain(account, {
          nonce: 1n,
          verificationGasLimit: index === 2 ? 1_400_000n : 100_000n,
        }),
      ),
    ),
  )
  await pool.send()
  const [first, second] = [await pool.find(one ?? '0x'), await pool.find(two ?? '0x')]
  expect([first?.status, second?.status]).toEqual(['included', 'included'])
  expect(first?.bundleHash).not.toBe(second?.bundleHash)
  expect(await pool.getStatus(heavy ?? '0x')).toBe('pending')
  await setLost('19000000')
  await pool.send()
  expect(await pool.getStatus(heavy ?? '0x')).toBe('included')
})

test('security: an account whose operation another account copies and sends first is not blamed', async () => {
  const operation = pool.makePlain(await openAccount())
  const hash = await pool.add(operation)
  await pool.sendUnmined()
  const copied = await copy(operation)
  await pool.anvil.mine({ blocks: 1 })
  await pool.anvil.setAutomine(true)
  await pool.send()
  expect(await readReverted()).toHaveLength(1)
  expect(await pool.find(hash)).toMatchObject({ status: 'included', bundleHash: copied })
  expect(await readBlamed()).toEqual([])
})

test('security: an operation that another account has sent does not prove its own account', async () => {
  const account = await openAccount()
  const operation = pool.makePlain(account)
  const hash = await pool.add(operation)
  const copied = await copy(operation)
  await waitForReceipt(pool.node, copied)
  await pool.send()
  expect(await pool.find(hash)).toMatchObject({ status: 'included', bundleHash: copied })
  const paying = await openAccount()
  await prove(paying)
  await setLost('5000000')
  const next = await pool.add(pool.makePlain(account, { nonce: 1n }))
  const other = await pool.add(pool.makePlain(paying, { nonce: 1n }))
  await pool.send()
  expect([await pool.getStatus(next), await pool.getStatus(other)]).toEqual(['pending', 'included'])
})

test('security: a bundle that would revert now is not sent again with a higher fee', async () => {
  const account = await openAccount()
  const maxFeePerGas = 40n * gwei
  await pool.add(pool.makePlain(account, { maxFeePerGas, maxPriorityFeePerGas: 20n * gwei }))
  await pool.sendUnmined()
  const raise = async () => {
    const [open] = await listOpenBundles({ db: pool.db, chainId: pool.bundler.chainId })
    return open && raiseFee(pool.bundler, open)
  }
  await pool.anvil.setBalance({ address: account, value: 0n })
  expect(await raise()).toBeUndefined()
  await pool.anvil.setBalance({ address: account, value: parseEther('1') })
  expect(await raise()).toMatchObject({ raw: expect.stringMatching(/^0x/) })
  await pool.anvil.mine({ blocks: 1 })
  await pool.anvil.setAutomine(true)
  await pool.send()
})
