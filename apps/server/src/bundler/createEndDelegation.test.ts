import { type Address, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Mempool, openMempool } from '../../test/openMempool.ts'
import { createEndDelegation } from './createEndDelegation.ts'
import type { SponsorshipBudget } from './sponsorship/sponsorshipBudget.ts'

const oracle: Address = '0x420000000000000000000000000000000000000F'
/** Every call returns this number of wei. */
const fee = 10n ** 15n
const answers = `0x67${fee.toString(16).padStart(16, '0')}5f5260205ff3` as const
const most = 10n ** 18n

let pool: Mempool
beforeAll(async () => {
  pool = await openMempool()
})
afterAll(() => pool?.stop())

const makeBudget = (weiPerAccountAndDay: bigint): SponsorshipBudget => ({
  ...{ db: pool.db, ask: pool.bundler.ask, chainId: pool.bundler.chainId, clock: Date.now },
  policy: { weiPerAccountAndDay, weiPerClientAndDay: most, weiPerDay: most },
  onRefused: () => {},
})

/**
 * Ends the delegation of a new account. Returns the amount that counts towards the operator's
 * limits, in wei.
 */
async function endOne(weiPerAccountAndDay = most): Promise<bigint> {
  const key = generatePrivateKey()
  const { address, signAuthorization } = privateKeyToAccount(key)
  await pool.delegateTo(key, pool.chains.addresses['eip155:31337'].smartAccount, 0)
  const signed = await signAuthorization({
    contractAddress: zeroAddress,
    chainId: 31_337,
    nonce: 1,
  })
  const authorization = {
    chainId: '0x7a69',
    address: zeroAddress,
    nonce: '0x1',
    r: signed.r,
    s: signed.s,
    yParity: `0x${signed.yParity}`,
  }
  let ended = 0
  const operator = {
    async revoke() {
      ended += 1
    },
  }
  const budget = makeBudget(weiPerAccountAndDay)
  const bundler = pool.makeBundler()
  await createEndDelegation(bundler, { budget, operator })({ account: address, authorization })
  expect(ended).toBe(1)
  const { wei } = await pool.db
    .selectFrom('sponsored_days')
    .select('wei')
    .where('account', '=', address.toLowerCase())
    .executeTakeFirstOrThrow()
  return BigInt(wei)
}

test('security: on a rollup, ending a delegation also counts the fee for its data', async () => {
  const plain = await endOne()
  expect(plain).toBeLessThan(fee)
  await pool.anvil.setCode({ address: oracle, bytecode: answers })
  expect(await endOne()).toBeGreaterThanOrEqual(fee)
  await expect(endOne(fee - 1n)).rejects.toThrow('the limit of this account')
})
