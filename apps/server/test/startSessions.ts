import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Chains, startChains, waitForReceipt } from '@latchkey/dev'
import {
  type PermissionGrant,
  permissionContracts,
  type SessionKey,
} from '@latchkey/wire/permissions'
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  hexToString,
  http,
  keccak256,
  numberToHex,
  parseAbi,
  parseEther,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, vi } from 'vitest'
import { toParts } from '../src/smartSessions/session.ts'
import { makeTestDir, startTestServer } from './startTestServer.ts'

export const caipId = 'eip155:31337'
export const sink: Address = '0x00000000000000000000000000000000000c0de0'
export const accountAbi = parseAbi([
  'function grantPermissions(bytes32[] hashes)',
  'function revokePermissions(bytes32[] hashes)',
  'function execute(address target, uint256 value, bytes data)',
])

export type Call = { to: Address; value?: Hex; data?: Hex }
export type TestSessions = Awaited<ReturnType<typeof startSessions>>
/** A session of {@link startSessions}. */
export type GrantedSession = Awaited<ReturnType<TestSessions['grant']>>

/**
 * A chain with the delegation framework, a server with smart sessions, and functions that grant and
 * use them.
 */
export async function startSessions({
  toUpstreams = (url: string) => [url],
  env: more = {},
}: {
  /** The server's nodes for the chain at this URL. */
  readonly toUpstreams?: (url: string) => string[] | Promise<string[]>
  readonly env?: Readonly<Record<string, string>>
} = {}) {
  const chains: Chains = await startChains()
  const time = { nowMs: Date.now() }
  const { paymaster } = chains.addresses[caipId]
  const chainsFile = join(await makeTestDir(), 'chains.json')
  const sponsorship = {
    paymaster,
    name: 'Test',
    weiPerAccountAndDay: String(parseEther('10')),
    weiPerDay: String(parseEther('50')),
  }
  const chain = {
    name: 'One',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    upstreams: await toUpstreams(chains.urls[caipId]),
    smartAccounts: { bundler: 'own', sponsorship, permissions: true },
  }
  writeFileSync(chainsFile, JSON.stringify({ chains: { [caipId]: chain } }))
  const env: Record<string, string> = {
    CHAINS_FILE: chainsFile,
    BUNDLER_KEY: chains.accounts[8]?.privateKey ?? '',
    SPONSOR_KEY: chains.accounts[7]?.privateKey ?? '',
    RATE_LIMIT_BURST: '100000',
    ...more,
  }
  const server = await startTestServer(env, { clock: () => time.nowMs })

  const viemChain = () =>
    defineChain({
      id: 31_337,
      name: 'One',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [chains.urls[caipId]] } },
    })
  const node = () =>
    createPublicClient({ chain: viemChain(), transport: http(), pollingInterval: 20 })

  /** An account with money, which delegates to PermissionAccount. */
  async function openOwner() {
    const owner = privateKeyToAccount(generatePrivateKey())
    const testClient = createTestClient({ chain: viemChain(), mode: 'anvil', transport: http() })
    await testClient.setBalance({ address: owner.address, value: parseEther('5') })
    const wallet = createWalletClient({ account: owner, chain: viemChain(), transport: http() })
    const authorization = await owner.signAuthorization({
      contractAddress: permissionContracts.account,
      chainId: 31_337,
      nonce: 1,
    })
    const send = async (data: Hex, authorizationList?: [typeof authorization]) => {
      const hash = await wallet.sendTransaction({
        to: owner.address,
        data,
        // Of the last block: with its pool a node may not yet count the nonce of an authorization.
        nonce: await node().getTransactionCount({ address: owner.address, blockTag: 'latest' }),
        ...(authorizationList && { authorizationList }),
      })
      expect((await waitForReceipt(node(), hash)).status).toBe('success')
    }
    return { owner, send, authorization }
  }

  const post = async (path: string, body: object) => {
    const response = await fetch(
      `${server.url}${path}${path.includes('?') ? '&' : '?'}projectId=local`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
    )
    return { status: response.status, json: (await response.json()) as never }
  }

  const rpc = async (method: string, params: unknown): Promise<never> => {
    const { json } = await post('/v1/wallet', { jsonrpc: '2.0', id: 1, method, params })
    const { result, error } = json as { result: never; error?: { message: string } }
    if (error) throw new Error(error.message)
    return result
  }

  type Owner = Awaited<ReturnType<typeof openOwner>>

  /** A session that the chain and the server have. */
  async function grant(
    { owner, send, authorization }: Owner,
    permissions: PermissionGrant['permissions'],
    { seconds = 3_600, signer }: { readonly seconds?: number; readonly signer?: SessionKey } = {},
  ) {
    const secret = generatePrivateKey()
    const session = privateKeyToAccount(secret)
    const request: PermissionGrant = {
      expiry: Math.floor(time.nowMs / 1_000) + seconds,
      signer: {
        type: 'keys',
        data: { keys: [signer ?? { type: 'secp256k1', publicKey: session.publicKey }] },
      },
      permissions,
      policies: [],
    }
    const path = `/v1/sessions/${caipId}:${owner.address}`
    const opened = await post(`${path}?v=2`, request)
    expect(opened.status).toBe(200)
    const { pci, key } = opened.json as { pci: string; key: { publicKey: Hex } }
    const delegate = privateKeyAddress(key.publicKey)
    const account = { chainId: caipId, address: owner.address.toLowerCase() as Address } as const
    const hashes = toParts(request, { account, delegate, pci }).map(
      ({ delegation }) => delegation.hash as Hex,
    )
    const early = await post(`${path}/activate`, { ...request, pci })
    expect(early.status).toBe(400)
    await send(
      encodeFunctionData({ abi: accountAbi, functionName: 'grantPermissions', args: [hashes] }),
      [authorization],
    )
    expect((await post(`${path}/activate`, { ...request, pci })).status).toBe(200)
    return { pci, hashes, path, secret, session, delegate, from: owner.address }
  }

  const privateKeyAddress = (publicKey: Hex): string => {
    const hash = keccak256(`0x${publicKey.slice(4)}`)
    return `0x${hash.slice(-40)}`
  }

  type Granted = Awaited<ReturnType<typeof grant>>

  const prepare = async ({ pci, from }: Granted, calls: Call[]) => {
    const asked = {
      from,
      chainId: '0x7a69',
      calls,
      capabilities: { permissions: { context: pci } },
    }
    const [prepared] = (await rpc('wallet_prepareCalls', [asked])) as [
      {
        preparedCalls: { type: string; chainId: Hex; data: Record<string, unknown> }
        signatureRequest: { hash: Hex }
        context: string
      },
    ]
    return prepared
  }

  async function use(granted: Granted, calls: Call[]) {
    const { preparedCalls, signatureRequest, context } = await prepare(granted, calls)
    const signature = await granted.session.sign({ hash: signatureRequest.hash })
    const [id] = (await rpc('wallet_sendPreparedCalls', [
      { preparedCalls, signature, context },
    ])) as [Hex]
    expect(JSON.parse(hexToString(id)).chain_id).toBe(31_337)
    return vi.waitFor(
      async () => {
        const status = (await rpc('wallet_getCallsStatus', [id])) as {
          status: string
          receipts?: [{ status: string }]
        }
        expect(status.status).toBe('CONFIRMED')
        return status.receipts?.[0].status
      },
      { timeout: 20_000, interval: 50 },
    )
  }

  const start = () => Math.floor(time.nowMs / 1_000) - 10
  const native = (allowance: bigint, period = 86_400) => ({
    type: 'native-token-recurring-allowance' as const,
    data: { allowance: numberToHex(allowance), start: start(), period },
  })

  return {
    chains,
    server,
    env,
    time,
    node,
    openOwner,
    post,
    rpc,
    grant,
    prepare,
    use,
    native,
    start,
    async stop() {
      await server.stop()
      await chains.stop()
    },
  }
}
