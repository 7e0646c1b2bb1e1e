import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChains } from '@latchkey/dev'
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  parseEther,
} from 'viem'
import { entryPoint08Abi } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  entryPoint,
  hashOperation,
  packOperation,
  userOperation,
} from '../src/bundler/operations/userOperation.ts'
import { makeTestDir, startTestServer } from './startTestServer.ts'

const caipId = 'eip155:31337'
export const sink: Address = '0x00000000000000000000000000000000000c0de0'
const chainId = 31_337
export const gwei = 10n ** 9n

/** A stub signature, which recovers a random account. */
const stubSignature: Hex = `0x${'f'.repeat(31)}${'0'.repeat(33)}7${'a'.repeat(63)}1c`

/** The response of a bundler. */
type Reply = { result?: unknown; error?: { code: number; message: string } }
/** An operation in JSON-RPC form, not validated. */
export type Draft = Record<string, unknown>
export type BundlerWorld = Awaited<ReturnType<typeof startBundler>>

/**
 * A chain, and a server with its own bundler that pays for operations on it. `change` modifies
 * their entries in the chains file.
 */
export async function startBundler({
  sponsorship = {},
  smartAccounts = {},
  env = {},
  toUpstreams = async (url) => [url],
}: {
  readonly sponsorship?: object
  readonly smartAccounts?: object
  readonly env?: Readonly<Record<string, string>>
  readonly toUpstreams?: (url: string) => Promise<string[]>
} = {}) {
  const chains = await startChains()
  const rpcUrl = chains.urls[caipId]
  const chainsFile = join(await makeTestDir(), 'chains.json')
  const limits = {
    weiPerAccountAndDay: String(parseEther('1')),
    weiPerDay: String(parseEther('50')),
  }
  const paymaster = chains.addresses[caipId].paymaster
  const network = {
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    upstreams: await toUpstreams(rpcUrl),
    smartAccounts: {
      bundler: 'own',
      sponsorship: { paymaster, name: 'Test', ...limits, ...sponsorship },
      ...smartAccounts,
    },
  }
  writeFileSync(chainsFile, JSON.stringify({ chains: { [caipId]: network } }))
  const time = { nowMs: 0 }
  const server = await startTestServer(
    {
      CHAINS_FILE: chainsFile,
      BUNDLER_KEY: chains.accounts[8]?.privateKey ?? '',
      SPONSOR_KEY: chains.accounts[7]?.privateKey ?? '',
      RATE_LIMIT_BURST: '100000',
      ...env,
    },
    { clock: () => Date.now() + time.nowMs },
  )
  const viemChain = defineChain({
    id: chainId,
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const node = createPublicClient({ chain: viemChain, transport: http(), pollingInterval: 20 })
  const anvil = createTestClient({ chain: viemChain, mode: 'anvil', transport: http() })

  const ask = async (method: string, params: readonly unknown[]): Promise<Reply> => {
    const url = `${server.url}/v1/bundler?projectId=local&chainId=${caipId}`
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body })
    if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Reply
  }

  /** A new account that will delegate to `delegate`; only with `wei` it has money. */
  async function openAccount({
    wei = 0n,
    delegate = chains.addresses[caipId].smartAccount,
  }: {
    readonly wei?: bigint
    readonly delegate?: Address
  } = {}) {
    const owner = privateKeyToAccount(generatePrivateKey())
    if (wei > 0n) await anvil.setBalance({ address: owner.address, value: wei })
    const wallet = createWalletClient({ account: owner, chain: viemChain, transport: http() })
    /** An authorization to delegate with this nonce of the account. */
    const authorize = async (nonce = 0) => {
      const signed = await owner.signAuthorization({ contractAddress: delegate, chainId, nonce })
      return {
        address: delegate.toLowerCase(),
        chainId: toHex(BigInt(chainId)),
        nonce: toHex(BigInt(nonce)),
        r: signed.r,
        s: signed.s,
        yParity: `0x${signed.yParity}`,
      }
    }
    const eip7702Auth = await authorize()
    /** The operation with the account's signature. */
    const sign = async (draft: Draft): Promise<Draft> => {
      const hash = hashOperation(userOperation.parse(draft), {
        chainId,
        delegate: delegate.toLowerCase() as Address,
      })
      return { ...draft, signature: await owner.sign({ hash }) }
    }
    return { address: owner.address, wallet, authorize, eip7702Auth, sign }
  }

  let lastKey = 0n
  /** An operation of an account that has no gas limits yet, with the authorization to delegate. */
  const draft = (
    account: { address: Address; eip7702Auth: object },
    callData: Hex,
    more: Draft = {},
  ): Draft => ({
    sender: account.address.toLowerCase(),
    nonce: `0x${(++lastKey << 64n).toString(16)}`,
    factory: '0x7702',
    factoryData: '0x',
    callData,
    maxFeePerGas: toHex(2n * gwei),
    maxPriorityFeePerGas: toHex(gwei),
    signature: stubSignature,
    eip7702Auth: account.eip7702Auth,
    ...more,
  })

  /**
   * The draft with the gas that the bundler estimates and, if the operator pays, the paymaster
   * data. Throws the refusal.
   */
  async function prepare(given: Draft, { isSponsored = true } = {}): Promise<Draft> {
    const call = async (method: string, operation: Draft) => {
      const more = method.startsWith('pm_') ? ['0x7a69'] : []
      const { result, error } = await ask(method, [operation, entryPoint, ...more])
      if (error) throw new Error(error.message)
      return { ...operation, ...withoutSponsor(result as Draft) }
    }
    const stubbed = isSponsored ? await call('pm_getPaymasterStubData', given) : given
    const full = await call('eth_estimateUserOperationGas', stubbed)
    return isSponsored ? call('pm_getPaymasterData', full) : full
  }

  /**
   * The transaction that sends operations to the EntryPoint, with the beneficiary of their fees.
   */
  const toHandleOps = (operations: readonly Draft[], beneficiary: Address): Hex =>
    encodeFunctionData({
      abi: entryPoint08Abi,
      functionName: 'handleOps',
      args: [operations.map((one) => packOperation(userOperation.parse(one))), beneficiary],
    })

  const readDeposit = () =>
    node.readContract({
      address: entryPoint,
      abi: entryPoint08Abi,
      functionName: 'balanceOf',
      args: [paymaster],
    })

  const send = async (operation: Draft): Promise<Hex> => {
    const { result, error } = await ask('eth_sendUserOperation', [operation, entryPoint])
    if (error) throw new Error(error.message)
    return result as Hex
  }

  return {
    chains,
    server,
    time,
    node,
    anvil,
    paymaster,
    ask,
    openAccount,
    draft,
    prepare,
    send,
    toHandleOps,
    readDeposit,
    async stop() {
      await server.stop()
      await chains.stop()
    },
  }
}

const withoutSponsor = ({ sponsor: _, ...fields }: Draft): Draft => fields

export const toHex = (value: bigint): Hex => `0x${value.toString(16)}`

const accountAbi = parseAbi(['function execute(address target, uint256 value, bytes data)'])

/** One call of an account. */
export const execute = (to: Address, data: Hex = '0x', value = 0n): Hex =>
  encodeFunctionData({ abi: accountAbi, args: [to, value, data] })
