import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Chains, readArtifact, startChains } from '@latchkey/dev'
import { readAssetsRoute, readRisksRoute } from '@latchkey/wire'
import { encodeDeployData } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthClient, signIn } from '../../test/auth/authClient.ts'
import { type AuthServer, startAuthServer } from '../../test/auth/startAuthServer.ts'
import { chainWith } from '../../test/makeServices.ts'
import { makeTestDir } from '../../test/startTestServer.ts'

const chainId = 'eip155:31337'

let chains: Chains
let started: AuthServer
beforeAll(async () => {
  chains = await startChains({ ports: 'free' })
  const CHAINS_FILE = join(await makeTestDir(), 'chains.json')
  const tokens = [{ chainId: 31337, address: usd(), name: 'Dev USD', symbol: 'dUSD', decimals: 6 }]
  const list = join(await makeTestDir(), 'tokens.json')
  await writeFile(list, JSON.stringify({ name: 'Test', tokens }))
  const chain = { ...chainWith([chains.urls[chainId]]), tokenLists: [list] }
  await writeFile(CHAINS_FILE, JSON.stringify({ chains: { [chainId]: chain } }))
  started = await startAuthServer({ CHAINS_FILE })
})
afterAll(async () => {
  await started?.stop()
  await chains?.stop()
})

const usd = () => chains.addresses[chainId].usd

test("default: a signed-in frame gets an account's assets, native currency first, with pictures", async () => {
  const { server, inbox } = started
  const client = await createAuthClient(server)
  await signIn(client, inbox, 'assets@example.com')
  const address = chains.accounts[0]?.address ?? ''
  const { status, body } = await client.call(
    readAssetsRoute.path,
    { chainId, address },
    { token: client.state.tokens?.accessToken },
  )
  expect(status).toBe(200)
  const { assets } = readAssetsRoute.result.parse(body)
  expect(assets[0]).toMatchObject({ address: null, symbol: 'ETH', decimals: 18 })
  expect(BigInt(assets[0]?.balance ?? '0x0')).toBeGreaterThan(0n)
  expect(
    assets.find((asset) => asset.address?.toLowerCase() === usd().toLowerCase()),
  ).toMatchObject({
    balance: `0x${(12_500_000_000).toString(16)}`,
    symbol: 'dUSD',
    decimals: 6,
    iconUrl: `${server.url}/public/getTokenImage/dUSD`,
  })
})

test('security: a named token that is bait or a copy is listed apart, with a mark and without a price', async () => {
  const { server, inbox } = started
  const client = await createAuthClient(server)
  await signIn(client, inbox, 'named@example.com')
  const plain = await deployToken('Plain', 'PLN')
  const bait = await deployToken('Claim reward at evil.example', 'BAIT')
  const copy = await deployToken('Copy', 'dUSD')
  const body = { chainId, address: `0x${'9'.repeat(40)}`, tokens: [plain, bait, copy, usd()] }
  const reply = await client.call(readAssetsRoute.path, body, {
    token: client.state.tokens?.accessToken,
  })
  const { assets, suspects } = readAssetsRoute.result.parse(reply.body)
  expect(suspects).toMatchObject([
    { address: bait, symbol: 'BAIT', mark: 'bait', iconUrl: '' },
    { address: copy, symbol: 'dUSD', mark: 'copy', iconUrl: '' },
  ])
  expect(JSON.stringify(suspects)).not.toContain('price')
  const listed = assets.map(({ address, symbol, price }) => [address, symbol, price !== undefined])
  expect(listed).toEqual([
    [null, 'ETH', expect.any(Boolean)],
    [expect.stringMatching(new RegExp(usd(), 'i')), 'dUSD', expect.any(Boolean)],
    [plain, 'PLN', false],
  ])
})

test('security: the risks of an approval name the tokens that are bait or copy the name of another', async () => {
  const client = await createAuthClient(started.server)
  const plain = await deployToken('Plain', 'PLN')
  const bait = await deployToken('Nice', 'Ѵіѕіt')
  const copy = await deployToken('Copy', 'dUЅD')
  const addresses = [plain, bait, copy, usd(), `0x${'9'.repeat(40)}`]
  const { body } = await client.call(readRisksRoute.path, {
    origin: 'https://app.example',
    chainId,
    addresses,
  })
  expect(readRisksRoute.result.parse(body).misnamed).toEqual([bait, copy])
})

test('error: without a session, on an unknown network, for what is no address', async () => {
  const { server, inbox } = started
  const client = await createAuthClient(server)
  const body = { chainId, address: usd() }
  expect((await client.call(readAssetsRoute.path, body)).code).toBe('SIGNED_OUT')
  await signIn(client, inbox, 'other@example.com')
  const token = client.state.tokens?.accessToken
  const ask = (more: object) => client.call(readAssetsRoute.path, { ...body, ...more }, { token })
  expect((await ask({ chainId: 'eip155:5' })).code).toBe('CHAIN_NOT_SUPPORTED')
  expect((await ask({ address: 'x' })).code).toBe('INVALID_PARAMS')
})

test('default: the picture of a token by its address, if a list names it', async () => {
  const read = async (token: string) => {
    const response = await fetch(`${started.server.url}/public/getTokenImage/${token}`)
    return [response.status, await response.text()] as const
  }
  const [status, picture] = await read(encodeURIComponent(`${chainId}:${usd()}`))
  expect([status, picture]).toEqual([200, (await read('dUSD'))[1]])
  for (const token of [
    `${chainId}:0x${'ab'.repeat(20)}`,
    `eip155:5:${usd()}`,
    `${chainId}:dUSD`,
    ':',
  ])
    expect((await read(encodeURIComponent(token)))[0]).toBe(404)
})

async function deployToken(name: string, symbol: string): Promise<string> {
  const { abi, bytecode } = readArtifact('DevToken')
  const data = encodeDeployData({ abi, bytecode, args: [name, symbol, 18] })
  const from = chains.accounts[3]?.address
  const hash = await chainRpc('eth_sendTransaction', [{ from, gas: '0x5b8d80', data }])
  const receipt = async () =>
    (await chainRpc('eth_getTransactionReceipt', [hash])) as { contractAddress: string } | null
  await expect.poll(receipt).toMatchObject({ status: '0x1' })
  return (await receipt())?.contractAddress ?? ''
}

async function chainRpc(method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(chains.urls[chainId], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result?: unknown }).result
}
