import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Chains, startChains } from '@latchkey/dev'
import { readAssets } from '@latchkey/wire'
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

test('default: a signed-in frame gets what an account holds, native currency first, with the pictures of our server', async () => {
  const { server, inbox } = started
  const client = await createAuthClient(server)
  await signIn(client, inbox, 'assets@example.com')
  const address = chains.accounts[0]?.address ?? ''
  const { status, body } = await client.call(
    readAssets.path,
    { chainId, address },
    { token: client.state.tokens?.accessToken },
  )
  expect(status).toBe(200)
  const { assets } = readAssets.result.parse(body)
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

test('error: without a session, on an unknown network, for what is no address', async () => {
  const { server, inbox } = started
  const client = await createAuthClient(server)
  const body = { chainId, address: usd() }
  expect((await client.call(readAssets.path, body)).code).toBe('SIGNED_OUT')
  await signIn(client, inbox, 'other@example.com')
  const token = client.state.tokens?.accessToken
  const ask = (more: object) => client.call(readAssets.path, { ...body, ...more }, { token })
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
