import { waitForReceipt } from '@latchkey/dev'
import { type Address, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type BundlerWorld,
  type Draft,
  execute,
  gwei,
  sink,
  startBundler,
  toHex,
} from '../../../test/startBundler.ts'
import { entryPoint } from '../operations/userOperation.ts'
import { everybody } from './sponsoredDays.ts'

let world: BundlerWorld
beforeAll(async () => {
  world = await startBundler({
    smartAccounts: { bundler: ['http://127.0.0.1:9/'] },
    sponsorship: {
      weiPerAccountAndDay: String(parseEther('0.0015')),
      weiPerClientAndDay: String(parseEther('0.003')),
      weiPerDay: String(parseEther('0.02')),
    },
  })
})
afterAll(() => world?.stop())

const limits = {
  callGasLimit: toHex(100_000n),
  verificationGasLimit: toHex(150_000n),
  preVerificationGas: toHex(90_000n),
}

const promise = async (draft: Draft) => {
  const { result, error } = await world.ask('pm_getPaymasterData', [draft, entryPoint, '0x7a69'])
  if (error) throw new Error(error.message)
  return { ...draft, ...(result as Draft), sponsor: undefined }
}

const readSpent = async (who: string) => {
  const row = await world.server.services.db
    .selectFrom('sponsored_days')
    .select('wei')
    .where('account', '=', who.toLowerCase())
    .executeTakeFirst()
  return BigInt(row?.wei ?? 0)
}

const cost = 420_000n * 2n * gwei
const refuse = (limit: string) => `Not sponsored: the limit of this ${limit} is reached for today`
const delegate = (address: Address) =>
  world.anvil.setCode({
    address,
    bytecode: `0xef0100${world.chains.addresses['eip155:31337'].smartAccount.slice(2)}`,
  })

test('security: with an outside bundler, a promise counts for the client and the network at once', async () => {
  const [victim, carrier] = [
    await world.openAccount(),
    await world.openAccount({ wei: parseEther('1') }),
  ]
  await delegate(victim.address)
  const draft = () => world.draft(victim, execute(sink), { ...limits, eip7702Auth: undefined })
  const signed = await victim.sign(await promise(draft()))
  expect([await readSpent(victim.address), await readSpent(everybody)]).toEqual([0n, cost])

  // Any bundler carries it: the promise names none.
  expect(String(signed.paymasterData).slice(26, 66)).toBe('0'.repeat(40))
  const hash = await carrier.wallet.sendTransaction({
    to: entryPoint,
    data: world.toHandleOps([signed], carrier.address),
    gas: 1_000_000n,
  })
  expect((await waitForReceipt(world.node, hash)).status).toBe('success')
  await expect(promise(draft())).rejects.toThrow(refuse('account'))
  expect([await readSpent(victim.address), await readSpent(everybody)]).toEqual([cost, cost])

  // The promises to one client stay within the limit of a client, for all accounts together.
  const outcomes: string[] = []
  for (let count = 0; count < 4; count++) {
    const { address, eip7702Auth } = await world.openAccount()
    const asked = promise(world.draft({ address, eip7702Auth }, execute(sink), limits))
    outcomes.push(
      await asked.then(
        () => 'promised',
        (error: Error) => error.message,
      ),
    )
  }
  expect(outcomes).toEqual(['promised', 'promised', refuse('client'), refuse('client')])
})
