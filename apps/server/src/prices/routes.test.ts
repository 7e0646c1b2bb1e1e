import { readArtifact } from '@latchkey/dev'
import { accountBalanceRoute, fungiblePriceRoute } from '@latchkey/wire'
import { encodeDeployData, encodeFunctionData, parseAbi } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pricedChain, startPriced } from '../../test/startPriced.ts'

const chainId = pricedChain
const native = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const mintAbi = parseAbi(['function mint(address, uint256)'])

let priced: Awaited<ReturnType<typeof startPriced>>
beforeAll(async () => {
  priced = await startPriced()
})
afterAll(() => priced?.stop())

test('default: every address in its order, listed or not, the native one too', async () => {
  const { gold, usd } = at()
  const addresses = [`${chainId}:${gold}`, `${chainId}:${native}`, `${chainId}:${usd}`]
  const { status, json } = await ask({ projectId: 'local', addresses })
  expect(status).toBe(200)
  const { fungibles } = fungiblePriceRoute.result.parse(json)
  expect(fungibles.map(({ address }) => address)).toEqual(addresses)
  expect(fungibles).toMatchObject([
    { symbol: 'dGLD', name: 'Dev Gold', decimals: 18, price: expect.closeTo(2400, 1) },
    { symbol: 'ETH', name: 'Ether', decimals: 18, price: expect.closeTo(3000, 1) },
    { symbol: 'dUSD', name: 'Dev USD', decimals: 6, price: 1, updatedAt: expect.any(String) },
  ])
})

test('param: another currency has no invented price', async () => {
  const addresses = [`${chainId}:${native}`]
  const { json } = await ask({ projectId: 'local', currency: 'EUR', addresses })
  const [ether] = fungiblePriceRoute.result.parse(json).fungibles
  expect(ether?.symbol).toBe('ETH')
  expect(ether).not.toHaveProperty('price')
})

test.each<[unknown, number, string]>([
  [{ projectId: 'local', addresses: [] }, 400, 'addresses'],
  [{ projectId: 'local', addresses: ['eip155:31337'] }, 400, 'addresses'],
  [{ projectId: 'local', addresses: ['eip155:31337:0x12'] }, 400, 'addresses'],
  [{ projectId: 'local', addresses: [`eip155:5:${native}`] }, 400, 'chainId'],
  [{ projectId: 'local', addresses: Array(101).fill(`eip155:31337:${native}`) }, 400, 'addresses'],
  [{ projectId: 'local', addresses: [`eip155:31337:0x${'99'.repeat(20)}`] }, 400, 'asset'],
  [{ projectId: 'local', currency: 'xyz', addresses: [`eip155:31337:${native}`] }, 422, 'currency'],
  [{ projectId: 'local', addresses: 'none' }, 422, 'addresses'],
  [{ projectId: 'local' }, 422, 'addresses'],
  [{ addresses: [`eip155:31337:${native}`] }, 400, 'projectId'],
  ['no JSON', 400, 'body'],
])('error: %j is %i %s', async (body, status, field) => {
  const answer = await ask(body)
  expect(answer).toMatchObject({ status, json: { reasons: [{ field }] } })
})

test('behavior: unlisted tokens are found by the activity; look-alikes and bait are not shown', async () => {
  const holder = '0x00000000000000000000000000000000000b0b01'
  const good = await deploy('Good Coin', 'GOOD')
  const fake = await deploy('Dev USD', 'dUЅD')
  const bait = await deploy('Visit prize.xyz to claim', 'PRIZE')
  for (const address of [good, fake, bait]) await mint(address, holder)
  const symbols = async () => (await balance(holder)).map(({ symbol }) => symbol)
  await expect.poll(symbols).toEqual(['ETH', 'GOOD'])
  // After a payment arrives, the cached response is dropped as soon as the chain has it.
  const again = async () =>
    (await balance(holder)).find(({ symbol }) => symbol === 'GOOD')?.quantity.numeric
  expect(await again()).toBe('5')
  await mint(good, holder)
  await expect.poll(again).toBe('10')
  const forced = await balance(holder, `&forceUpdate=${chainId}:${fake}`)
  expect(forced.map(({ symbol }) => symbol)).toEqual(['ETH', 'dUЅD', 'GOOD'].sort(byName))
})

test('behavior: a re-org leaves balances right', async () => {
  const holder = '0x00000000000000000000000000000000000b0b02'
  const amount = async () =>
    (await balance(holder)).find(({ symbol }) => symbol === 'dUSD')?.quantity.numeric
  expect(await amount()).toBeUndefined()
  const snapshot = await rpc('evm_snapshot', [])
  await mint(at().usd, holder)
  await expect.poll(amount).toBe('5000000000000')
  await rpc('evm_revert', [snapshot])
  await rpc('anvil_mine', ['0x3'])
  await expect.poll(amount).toBeUndefined()
})

const at = () => priced.chains.addresses[chainId]
const byName = (a: string, b: string) =>
  Number(b === 'ETH') - Number(a === 'ETH') || a.localeCompare(b)

async function ask(body: unknown) {
  const response = await fetch(`${priced.server.url}/v1/fungible/price`, {
    method: 'POST',
    // Clients send this type to avoid a preflight.
    headers: { 'content-type': 'text/plain' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, json: (await response.json()) as unknown }
}

async function balance(owner: string, query = '') {
  const url = `${priced.server.url}/v1/account/${owner}/balance?projectId=local&chainId=${chainId}${query}`
  const response = await fetch(url)
  return accountBalanceRoute.result.parse(await response.json()).balances
}

async function deploy(name: string, symbol: string) {
  const { abi, bytecode } = readArtifact('DevToken')
  const data = encodeDeployData({ abi, bytecode, args: [name, symbol, 18] })
  const { contractAddress } = await send({ data })
  return contractAddress
}

const mint = (to: string, holder: `0x${string}`) =>
  send({
    to,
    data: encodeFunctionData({
      abi: mintAbi,
      functionName: 'mint',
      args: [holder, 5n * 10n ** 18n],
    }),
  })

async function send(transaction: object) {
  const from = priced.chains.accounts[3]?.address
  const hash = await rpc('eth_sendTransaction', [{ from, gas: '0x5b8d80', ...transaction }])
  const receipt = async () =>
    (await rpc('eth_getTransactionReceipt', [hash])) as { status: string; contractAddress: string }
  await expect.poll(receipt).toMatchObject({ status: '0x1' })
  return receipt()
}

async function rpc(method: string, params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(priced.chains.urls[chainId], { method: 'POST', headers, body })
  const { result, error } = (await response.json()) as { result: unknown; error?: unknown }
  expect(error).toBeUndefined()
  return result
}
