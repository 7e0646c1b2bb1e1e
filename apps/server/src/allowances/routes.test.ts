import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Chains, readArtifact, startChains } from '@latchkey/dev'
import { type Allowance, accountAllowancesRoute } from '@latchkey/wire'
import {
  encodeDeployData,
  encodeFunctionData,
  formatUnits,
  type Hex,
  maxUint160,
  maxUint256,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/startTestServer.ts'
import { permit2Address } from '../evm/approvals.ts'

const chainId = 'eip155:31337'
const spender = `0x${'5e'.repeat(20)}` as const
const other = `0x${'0a'.repeat(20)}` as const
const token = readArtifact('DevToken')
const nft = readArtifact('DevKeys')
const lure = readArtifact('DevLure')
const permit2 = readArtifact('DevPermit2')

let chains: Chains
let server: TestServer
let dir: string

beforeAll(async () => {
  chains = await startChains({ ports: 'free' })
  dir = await mkdtemp(join(tmpdir(), 'latchkey-allowances-'))
  const file = join(dir, 'chains.json')
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const chain = {
    ...{ name: 'Local', nativeCurrency, upstreams: [chains.urls[chainId]] },
    multicall3: at().multicall3,
  }
  const off = { ...chain, activity: { source: 'off' } }
  await writeFile(file, JSON.stringify({ chains: { [chainId]: chain, 'eip155:31338': off } }))
  server = await startTestServer({ CHAINS_FILE: file })
  const contract = await deploy(permit2, [])
  const code = await rpc('eth_getCode', [contract, 'latest'])
  await rpc('anvil_setCode', [permit2Address, code])
})
afterAll(async () => {
  await server?.stop()
  await chains?.stop()
  await rm(dir, { recursive: true, force: true })
})

const at = () => chains.addresses[chainId]
const lower = (address: string) => address.toLowerCase() as Hex
/** Each test has its own account. */
const account = (index: number) => lower(chains.accounts[index]?.address ?? '')

async function ask(address: string, more = '', chain = chainId) {
  const path = `/v1/account/${address}/allowances?projectId=local&chainId=${chain}${more}`
  const response = await fetch(`${server.url}${path}`)
  return { status: response.status, json: await response.json() }
}

async function list(address: Hex, more = '') {
  const { status, json } = await ask(address, more)
  expect(status).toBe(200)
  return accountAllowancesRoute.result.parse(json)
}

/** The list after all blocks up to now are read. */
async function listed(address: Hex): Promise<readonly Allowance[]> {
  const block = Number(await rpc('eth_blockNumber', []))
  const head = async () => {
    await list(address)
    const chain = await server.services.db
      .selectFrom('activity_chains')
      .select('head')
      .where('chain_id', '=', chainId)
      .executeTakeFirst()
    return Number(chain?.head ?? -1)
  }
  await expect.poll(head).toBeGreaterThanOrEqual(block)
  await expect.poll(async () => (await list(address)).sync?.complete).toBe(true)
  return (await list(address)).data
}

const facts = (all: readonly Allowance[]) =>
  all
    .map(({ kind, token: { symbol }, tokenId, amount, isUnlimited, spender: to }) =>
      [kind, symbol, tokenId, isUnlimited ? 'unlimited' : amount, to].filter(Boolean).join(' '),
    )
    .sort()

test('default: each kind, and only as long as it holds', async () => {
  const owner = account(0)
  const keys = { ...nft, to: at().keys }
  await call(owner, { ...token, to: at().usd }, 'approve', [spender, 1_500_000n])
  await call(owner, { ...token, to: at().btc }, 'approve', [spender, maxUint256])
  await call(owner, { ...token, to: at().gold }, 'approve', [permit2Address, maxUint256])
  const later = 2n ** 40n
  await call(owner, { ...permit2, to: permit2Address }, 'approve', [
    ...[at().gold, spender, maxUint160, later],
  ])
  await call(owner, { ...permit2, to: permit2Address }, 'approve', [at().gold, other, 5n, 1n])
  await call(owner, keys, 'approve', [spender, 1n])
  await call(owner, keys, 'setApprovalForAll', [other, true])
  const found = await listed(owner)
  expect(facts(found)).toEqual([
    `erc20 dBTC unlimited ${spender}`,
    `erc20 dGLD unlimited ${permit2Address}`,
    `erc20 dUSD 1.5 ${spender}`,
    `erc721 dKEY 1 ${spender}`,
    `operator dKEY ${other}`,
    `permit2 dGLD unlimited ${spender}`,
  ])
  const one = (kind: string, symbol: string) =>
    found.find((each) => each.kind === kind && each.token.symbol === symbol)
  expect(one('erc20', 'dUSD')).toEqual({
    kind: 'erc20',
    token: {
      ...{ address: `${chainId}:${lower(at().usd)}`, name: 'Dev USD', symbol: 'dUSD' },
      iconUrl: null,
    },
    tokenId: null,
    spender,
    spenderName: null,
    amount: '1.5',
    balance: formatUnits(await balanceOf(at().usd, owner), 6),
    isUnlimited: false,
    changedAt: expect.stringMatching(/^\d{4}-/),
    expiresAt: null,
    isSpam: false,
  })
  expect(one('erc20', 'dGLD')?.spenderName).toBe('Permit2')
  expect(one('permit2', 'dGLD')?.balance).toBe(one('erc20', 'dGLD')?.balance)
  expect(one('operator', 'dKEY')).not.toHaveProperty('balance')
  expect(one('permit2', 'dGLD')?.expiresAt).toBe(new Date(Number(later) * 1000).toISOString())

  await call(owner, { ...token, to: at().usd }, 'approve', [spender, 0n])
  await call(owner, { ...permit2, to: permit2Address }, 'lockdown', [
    [{ token: at().gold, spender }],
  ])
  await call(owner, keys, 'transferFrom', [owner, account(1), 1n])
  await call(owner, keys, 'setApprovalForAll', [other, false])
  expect(facts(await listed(owner))).toEqual([
    `erc20 dBTC unlimited ${spender}`,
    `erc20 dGLD unlimited ${permit2Address}`,
  ])
})

test('behavior: what is spent of an allowance is no longer shown', async () => {
  const owner = account(2)
  await call(owner, { ...token, to: at().usd }, 'approve', [account(3), 3_000_000n])
  await call(account(3), { ...token, to: at().usd }, 'transferFrom', [owner, other, 2_000_000n])
  expect(facts(await listed(owner))).toEqual([`erc20 dUSD 1 ${account(3)}`])
})

test('behavior: a token that the account does not hold has a balance of 0', async () => {
  const owner = account(8)
  const empty = await deploy(token, ['Empty', 'EMP', 6])
  await call(owner, { ...token, to: empty }, 'approve', [spender, 5n])
  expect(await listed(owner)).toMatchObject([{ amount: '0.000005', balance: '0' }])
})

test('behavior: fake approvals of others are marked if they lure, and fill pages without hiding real ones', async () => {
  const owner = account(4)
  await call(owner, { ...token, to: at().usd }, 'approve', [spender, 7n])
  const contract = await deploy(lure, ['Visit claim-free.com', 6])
  const bad: Hex = `0x${'bad'.padStart(40, '0')}`
  // Newer approvals come first; within the same second, addresses would decide the order.
  await rpc('evm_increaseTime', [1])
  for (let part = 0; part < 3; part++)
    await call(account(5), { ...lure, to: contract }, 'claim', [
      ...[owner, numberedAddress(1 + part * 50), 50n],
    ])
  // Names the owner, but returns nothing: it uses up all the gas of the call.
  await rpc('anvil_setCode', [bad, '0x5b600056'])
  expect((await listed(owner)).every(({ isSpam }) => isSpam)).toBe(true)
  const pages: Allowance[] = []
  let cursor = ''
  for (let count = 0; count < 5; count++) {
    const { data, next } = await list(owner, cursor)
    pages.push(...data)
    if (next === null) break
    cursor = `&cursor=${next}`
  }
  expect(pages).toHaveLength(151)
  expect(new Set(pages.map(({ spender: to }) => to)).size).toBe(151)
  expect(facts(pages.filter(({ isSpam }) => !isSpam))).toEqual([`erc20 dUSD 0.000007 ${spender}`])
  // Approvals that others fake are not in the account's history.
  const rows = await server.services.db
    .selectFrom('activity_rows')
    .innerJoin('activity_accounts', 'id', 'account_id')
    .where('address', '=', Buffer.from(owner.slice(2), 'hex'))
    .where('recipient', '=', Buffer.from(contract.slice(2), 'hex'))
    .selectAll()
    .execute()
  expect(rows).toEqual([])
})

test('behavior: tokens that lie about themselves or fail hide no others', async () => {
  const owner = account(6)
  const giant = await deploy(lure, ['N'.repeat(400), 255])
  await call(owner, { ...lure, to: giant }, 'claim', [owner, other, 1n])
  const dead = await deploy(token, ['Dead', 'DEAD', 18])
  const eater = await deploy(token, ['Eater', 'EAT', 18])
  for (const to of [dead, eater, at().usd])
    await call(owner, { ...token, to }, 'approve', [spender, 12n])
  await rpc('anvil_setCode', [dead, '0x5f5ffd'])
  await rpc('anvil_setCode', [eater, '0x5b600056'])
  const found = await listed(owner)
  const lengths = found.map(({ amount, token: { name } }) => [amount, name?.length])
  expect(lengths.sort()).toEqual([
    [null, 80],
    ['0.000012', 7],
  ])
})

test('behavior: what a block that left the chain allowed is gone', async () => {
  const owner = account(7)
  const snapshot = await rpc('evm_snapshot', [])
  await call(owner, { ...token, to: at().usd }, 'approve', [spender, 7n])
  expect(await listed(owner)).toHaveLength(1)
  await rpc('evm_revert', [snapshot])
  await call(owner, { ...token, to: at().btc }, 'approve', [spender, 9n])
  await expect
    .poll(async () => facts((await list(owner)).data), { timeout: 20_000 })
    .toEqual([`erc20 dBTC 0.00000009 ${spender}`])
})

test.each([
  ['0x12', '', chainId, 'address'],
  [other, '&cursor=bm9uc2Vuc2U', chainId, 'cursor'],
  [other, '', 'eip155:31338', 'chainId'],
  [other, '', 'eip155:1', 'chainId'],
] as const)('error: %s%s on %s names the field', async (address, more, chain, field) => {
  const { status, json } = await ask(address, more, chain as typeof chainId)
  expect(status).toBe(400)
  expect(json.reasons[0].field).toBe(field)
})

const numberedAddress = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`

async function rpc<Result = Hex>(method: string, params: unknown[]): Promise<Result> {
  const response = await fetch(chains.urls[chainId], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result: Result; error?: unknown }
  expect(error).toBeUndefined()
  return result
}

type Artifact = ReturnType<typeof readArtifact>

async function send(transaction: { from: Hex; to?: Hex; gas?: Hex; data: Hex }) {
  const hash = await rpc('eth_sendTransaction', [transaction])
  type Receipt = { contractAddress: Hex | null; status: Hex } | null
  let receipt: Receipt = null
  while (receipt === null) receipt = await rpc<Receipt>('eth_getTransactionReceipt', [hash])
  expect(receipt.status).toBe('0x1')
  return receipt
}

async function deploy({ abi, bytecode }: Artifact, args: unknown[]): Promise<Hex> {
  const data = encodeDeployData({ abi, bytecode, args })
  const gas = '0x989680'
  return lower((await send({ from: account(9), gas, data })).contractAddress ?? '')
}

async function balanceOf(contract: string, owner: Hex): Promise<bigint> {
  const { abi } = token
  const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] })
  return BigInt(await rpc('eth_call', [{ to: contract, data }, 'latest']))
}

const call = (
  from: Hex,
  { abi, to }: { abi: Artifact['abi']; to: string },
  functionName: string,
  args: unknown[],
) => send({ from, to: to as Hex, data: encodeFunctionData({ abi, functionName, args }) })
