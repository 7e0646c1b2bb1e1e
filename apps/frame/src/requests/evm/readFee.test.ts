import { type Chains, setPriceBelow, startChains, waitForReceipt } from '@latchkey/dev'
import { LatchkeyError } from '@latchkey/wire'
import { createPublicClient, type Hex, http, keccak256, numberToHex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestRequest, evmChain, prepareRequest } from '../../../test/testRequest.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'

/** A network of the OP stack: in addition to its gas, a transaction pays for its data. */
const id = 'eip155:31338' as const
const receiver: Hex = `0x${'22'.repeat(20)}`
const priceBelow = 30n * 10n ** 9n

let chains: Chains
beforeAll(async () => {
  chains = await startChains()
})
afterAll(() => chains?.stop())
beforeEach(() => setPriceBelow(chains.urls[id], priceBelow))

const client = () => createPublicClient({ transport: http(chains.urls[id]) })
const rpc = (method: string, params: unknown) =>
  client().request({ method, params } as never) as Promise<unknown>

/** The node's answers as the frame's reader gives them. */
const read: ApprovalRequest['read'] = (_, method, params) =>
  rpc(method, params ?? []).catch((error: { details?: string }) => {
    throw new LatchkeyError('RPC_FAILED', { data: { reason: error.details ?? 'no reason' } })
  })

/** A new account, and its requests. */
function openAccount() {
  const owner = privateKeyToAccount(generatePrivateKey())
  type SigningParameters = {
    transaction: Record<string, string> & { to: Hex; data: Hex; chainId: number }
  }
  const keys = {
    do: async (_: string, { transaction: asked }: SigningParameters) => {
      const { maxFeePerGas = 0, maxPriorityFeePerGas = 0, gas = 0, value = 0 } = asked
      const raw = await owner.signTransaction({
        ...{ type: 'eip1559', chainId: asked.chainId, nonce: Number(asked.nonce) },
        ...{ to: asked.to, data: asked.data, value: BigInt(value), gas: BigInt(gas) },
        maxFeePerGas: BigInt(maxFeePerGas),
        maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
      })
      return { raw, hash: keccak256(raw) }
    },
  } as unknown as ApprovalRequest['keys']
  return {
    fund: (wei: bigint) => rpc('anvil_setBalance', [owner.address, numberToHex(wei)]),
    async prepare(method: string, asked: object) {
      const prepared = await prepareRequest(
        createTestRequest({
          ...{ method, params: [{ from: owner.address, ...asked }], read, keys },
          chain: { ...evmChain, id, reference: '31338' },
          accounts: { eip155: owner.address, solana: '' },
        }),
      )
      const { place, warnings } = prepared.view
      const fee = place.find(({ label }) => label === 'Network fee, up to')?.value ?? ''
      const texts = warnings.map(({ text }) => text)
      return { feeWei: parseEther(fee.replace(' ETH', '')), texts, approve: prepared.approve }
    },
  }
}

const payment = { to: receiver, value: numberToHex(parseEther('0.5')) }
const short = 'This is likely to fail: Not enough ETH to pay the network fee'

test('default: an account with the amount and the shown fee can pay, even if data costs more now', async () => {
  const { fund, prepare } = openAccount()
  await fund(parseEther('1'))
  const { feeWei } = await prepare('eth_sendTransaction', payment)
  await fund(parseEther('0.5') + feeWei)
  const { texts, approve } = await prepare('eth_sendTransaction', payment)
  expect(texts).not.toContain(short)
  await setPriceBelow(chains.urls[id], (priceBelow * 14n) / 10n)
  await waitForReceipt(client(), (await approve()) as Hex)
  expect(await client().getBalance({ address: receiver })).toBe(parseEther('0.5'))
})

test('error: reports that an account can pay for the gas but not for the data', async () => {
  const { fund, prepare } = openAccount()
  await fund(parseEther('1'))
  const { feeWei } = await prepare('eth_sendTransaction', payment)
  const dataWei = (100n * 16n * 684_000n * priceBelow) / 10n ** 6n
  await fund(parseEther('0.5') + feeWei - dataWei - dataWei / 2n)
  const { texts, approve } = await prepare('eth_sendTransaction', payment)
  expect(texts).toContain(short)
  // The node takes it, but no block does.
  const hash = await approve()
  await rpc('evm_mine', [])
  expect(await rpc('eth_getTransactionReceipt', [hash])).toBe(null)
})

test('default: the fee of a batch includes the data of each of its transactions', async () => {
  const { fund, prepare } = openAccount()
  await fund(parseEther('1'))
  const call = { to: receiver, value: '0x1' }
  const batch = { version: '2.0.0', chainId: numberToHex(31_338), atomicRequired: false }
  const feeOf = async (calls: object[]) =>
    (await prepare('wallet_sendCalls', { ...batch, calls })).feeWei
  const dataWei = (100n * 16n * 684_000n * priceBelow) / 10n ** 6n
  const before = [await feeOf([call, call]), await feeOf([call, call, call])] as const
  expect(before[0]).toBeGreaterThan(3n * dataWei)
  await setPriceBelow(chains.urls[id], 2n * priceBelow)
  expect((await feeOf([call, call, call])) - before[1]).toBe((9n * dataWei) / 2n)
})
