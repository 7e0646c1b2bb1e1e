import { startChains, waitForReceipt } from '@latchkey/dev'
import { pino } from 'pino'
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
} from 'viem'
import {
  entryPoint08Abi,
  formatUserOperationRequest,
  toSimple7702SmartAccount,
} from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { type AskChain, createAskChain } from '../src/bundler/askChain.ts'
import { sendBundles } from '../src/bundler/bundles/sendBundles.ts'
import type { ChainBundler } from '../src/bundler/chainBundler.ts'
import { addOperations } from '../src/bundler/mempool/addOperations.ts'
import { findOperations } from '../src/bundler/mempool/operationStore.ts'
import { checkOperation } from '../src/bundler/operations/checkOperation.ts'
import {
  entryPoint,
  type UserOperation,
  userOperation,
} from '../src/bundler/operations/userOperation.ts'
import { createValidationWork } from '../src/bundler/operations/validationWork.ts'
import { createL1Fee } from '../src/evm/l1Fee.ts'
import { createUpstreams } from '../src/nodes/upstreams.ts'
import { makeServices } from './makeServices.ts'
import { openTestDatabase } from './openTestDatabase.ts'

const chainId = 'eip155:31337'
const chainNumber = 31_337

/** A local chain and the mempool of its bundler. Bundles are sent only by `send`. */
export async function openMempool() {
  const [chains, database] = await Promise.all([startChains(), openTestDatabase()])
  const { db } = database
  const url = chains.urls[chainId]
  const chain = defineChain({
    id: chainNumber,
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const node = createPublicClient({ chain, transport: http(), pollingInterval: 20 })
  const anvil = createTestClient({ chain, mode: 'anvil', transport: http() })
  const trusted = chains.addresses[chainId].smartAccount.toLowerCase() as Address

  function makeBundler(change: (ask: AskChain) => AskChain = (ask) => ask): ChainBundler {
    const { name, nativeCurrency } = chain
    const network = { name, nativeCurrency, upstreams: [url] }
    const ask = createAskChain(createUpstreams(makeServices({ [chainId]: network })), chainId)
    return {
      chainId,
      db,
      log: pino({ level: 'silent' }),
      account: privateKeyToAccount(chains.accounts[8]?.privateKey ?? '0x'),
      trustedDelegate: trusted,
      l1Fee: createL1Fee({ ask, chainId, clock: Date.now }),
      // As for a node that only traces: no pause after a trace.
      work: createValidationWork({ traceUrls: [url] }),
      ask: change(ask),
    }
  }

  const authorize = (key: Hex, address: Address, nonce = 0) =>
    privateKeyToAccount(key).signAuthorization({
      contractAddress: address,
      chainId: chainNumber,
      nonce,
    })

  /**
   * An operation of an account with money that delegates to `delegate` (EIP-7702), unless it
   * `isDelegated` already.
   */
  async function makeOperation({
    key = generatePrivateKey(),
    delegate = trusted,
    nonce = 0n,
    isMarked = true,
    isDelegated = false,
    to = sink,
    data = '0x',
    value = 1n,
    tip = gas.maxPriorityFeePerGas,
    maxFee = 2n * 10n ** 9n + tip,
    ...limits
  }: {
    key?: Hex
    delegate?: Address
    nonce?: bigint
    isMarked?: boolean
    isDelegated?: boolean
    to?: Address
    data?: Hex
    value?: bigint
    tip?: bigint
    maxFee?: bigint
  } & Partial<
    Pick<UserOperation, 'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'>
  > = {}) {
    const owner = privateKeyToAccount(key)
    await anvil.setBalance({ address: owner.address, value: parseEther('1') })
    const account = await toSimple7702SmartAccount({ client: node, owner })
    const operation = {
      ...(!isDelegated && { authorization: await authorize(key, delegate) }),
      sender: owner.address,
      nonce,
      ...(isMarked && !isDelegated && { factory: '0x7702' as const, factoryData: '0x' as const }),
      callData: await account.encodeCalls([{ to, data, value }]),
      ...gas,
      ...limits,
      maxFeePerGas: maxFee,
      maxPriorityFeePerGas: tip,
    }
    const signature = await account.signUserOperation({ ...operation, signature: '0x' })
    return userOperation.parse(formatUserOperationRequest({ ...operation, signature }))
  }

  /** An operation of a contract, whose validation decides all. */
  const makePlain = (sender: Address, more: Partial<UserOperation> = {}): UserOperation => ({
    sender: sender.toLowerCase() as Address,
    nonce: 0n,
    callData: '0x',
    signature: '0x',
    ...gas,
    ...more,
  })

  const bundler = makeBundler()
  const find = async (hash: Hex) => (await findOperations({ db, chainId }, [hash]))[0]
  return {
    chains,
    db,
    node,
    anvil,
    bundler,
    makeBundler,
    makeOperation,
    makePlain,
    /** Sends a transaction that delegates an account to `address`. */
    async delegateTo(key: Hex, address: Address, nonce: number) {
      const sponsor = privateKeyToAccount(chains.accounts[5]?.privateKey ?? '0x')
      const wallet = createWalletClient({ account: sponsor, chain, transport: http() })
      const hash = await wallet.sendTransaction({
        to: sink,
        authorizationList: [await authorize(key, address, nonce)],
      })
      await waitForReceipt(node, hash)
    },
    wallet: (key: Hex) =>
      createWalletClient({ account: privateKeyToAccount(key), chain, transport: http() }),
    async add(operation: UserOperation, by = bundler) {
      const checked = await checkOperation(by, operation)
      expect(await addOperations(by, [checked])).toEqual(['added'])
      return checked.hash
    },
    /** The outcome of sending an operation. */
    outcome: async (operation: UserOperation) =>
      (await addOperations(bundler, [await checkOperation(bundler, operation)]))[0],
    /** Puts money of an account into the EntryPoint. */
    async deposit(account: Address, value: bigint) {
      const rich = privateKeyToAccount(chains.accounts[4]?.privateKey ?? '0x')
      const wallet = createWalletClient({ account: rich, chain, transport: http() })
      const data = encodeFunctionData({
        abi: entryPoint08Abi,
        functionName: 'depositTo',
        args: [account],
      })
      const hash = await wallet.sendTransaction({ to: entryPoint, data, value })
      await waitForReceipt(node, hash)
    },
    find,
    getStatus: async (hash: Hex) => (await find(hash))?.status,
    /** The balance of the bundler's account. */
    readFunds: () => node.getBalance({ address: bundler.account.address }),
    send: () => sendBundles(bundler, { holder: 'test', signal: new AbortController().signal }),
    /**
     * Builds and sends the waiting operations, and stops polling. The transaction stays at the
     * node, which mines nothing by itself.
     */
    async sendUnmined() {
      await anvil.setAutomine(false)
      const stopped = new AbortController()
      const stopping = makeBundler((ask) => async (calls) => {
        const replies = await ask(calls)
        if (calls[0]?.method === 'eth_sendRawTransaction') stopped.abort()
        return replies
      })
      await sendBundles(stopping, { holder: 'test', signal: stopped.signal })
    },
    async stop() {
      await database.close()
      await chains.stop()
    },
  }
}

/** A local chain with a mempool. */
export type Mempool = Awaited<ReturnType<typeof openMempool>>

const sink: Address = '0x00000000000000000000000000000000000c0de1'

const gas = {
  callGasLimit: 100_000n,
  verificationGasLimit: 200_000n,
  preVerificationGas: 100_000n,
  maxFeePerGas: 3n * 10n ** 9n,
  maxPriorityFeePerGas: 10n ** 9n,
}
