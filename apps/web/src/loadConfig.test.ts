import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { latchkeyTwo } from '@latchkey/core/networks'
import { expect, test } from 'vitest'
import { loadConfig } from './loadConfig.ts'

const answer = { projectId: 'local', networks: ['eip155:31337', 'eip155:31338'] }

/** Loads a configuration from a server that returns this answer. */
const load = (answer: unknown) =>
  loadConfig({
    fetch: async () =>
      new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } }),
    signal: new AbortController().signal,
  })

async function against(handler: (path: string) => { status?: number; body: string }) {
  const server = createServer((request, response) => {
    const { status = 200, body } = handler(request.url ?? '')
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = () =>
    loadConfig({
      fetch: (path, init) => fetch(new URL(String(path), origin), init),
      signal: AbortSignal.timeout(5_000),
    })
  const stop = () => new Promise<void>((done) => server.close(() => done()))
  return { ask, stop }
}

test('default: the networks in the order of the server', async () => {
  const { ask, stop } = await against((path) => {
    expect(path).toBe('/config.json')
    return { body: JSON.stringify(answer) }
  })
  const config = await ask()
  expect(config.networks.map(({ name }) => name)).toEqual(['Latchkey One', 'Latchkey Two'])
  expect(config.developmentWalletUrl).toBeUndefined()
  await stop()
})

test.each([200, 511])(
  'error: a page of the network in place of the server, HTTP %i',
  async (status) => {
    const headers = { 'content-type': 'text/html' }
    const fetch = async () => new Response('<h1>Log in</h1>', { status, headers })
    const { signal } = new AbortController()
    await expect(loadConfig({ fetch, signal })).rejects.toThrow('no connection to the server')
  },
)

test('param: developmentWalletUrl, only of the web', async () => {
  const url = async (developmentWalletUrl: string) =>
    (await load({ ...answer, developmentWalletUrl })).developmentWalletUrl
  expect(await url('http://127.0.0.1:3002')).toBe('http://127.0.0.1:3002')
  expect(await url('javascript:alert(1)')).toBeUndefined()
  expect(await url('not a url')).toBeUndefined()
})

test('param: frameUrl and emailLogin, off unless the server names them', async () => {
  expect(await load(answer)).toMatchObject({ frameUrl: undefined, emailLogin: false })
  const frameUrl = 'http://localhost:3001'
  expect(await load({ ...answer, frameUrl, emailLogin: true })).toMatchObject({
    frameUrl,
    emailLogin: true,
  })
  expect((await load({ ...answer, frameUrl: 'javascript:alert(1)' })).frameUrl).toBeUndefined()
})

test('param: passkeyAccounts, off unless the server allows them', async () => {
  expect((await load(answer)).passkeyAccounts).toBe(false)
  expect((await load({ ...answer, passkeyAccounts: true })).passkeyAccounts).toBe(true)
})

test('param: signIn is off unless the server requests it, and an unknown value is an invalid configuration', async () => {
  expect((await load(answer)).signIn).toBe('off')
  for (const signIn of ['off', 'optional', 'required'])
    expect((await load({ ...answer, signIn })).signIn).toBe(signIn)
  await expect(load({ ...answer, signIn: 'always' })).rejects.toThrow(
    'not a Latchkey configuration',
  )
})

test('param: signInPer and signInKeep default to one token for all networks of a namespace', async () => {
  expect(await load(answer)).toMatchObject({ signInPer: 'namespace', signInKeep: 'token' })
  const given = { signInPer: 'network', signInKeep: 'cookie' }
  expect(await load({ ...answer, ...given })).toMatchObject(given)
  await expect(load({ ...answer, signInPer: 'page' })).rejects.toThrow(
    'not a Latchkey configuration',
  )
})

test('behavior: a network of which the server states no facts is left out if the app does not know it', async () => {
  const { networks } = await load({ ...answer, networks: ['eip155:99999999', 'eip155:31338'] })
  expect(networks.map(({ id }) => id)).toEqual([31338])
})

const facts = {
  name: 'Company chain',
  nativeCurrency: { name: 'Company coin', symbol: 'CMP', decimals: 6 },
  testnet: true,
  blockExplorer: { name: 'Company explorer', url: 'https://explorer.example' },
}

test.each([
  ['eip155:99999999', 99_999_999],
  ['solana:7xkXtg2CW87d97TXJSDpbD5jBkheTqA8', '7xkXtg2CW87d97TXJSDpbD5jBkheTqA8'],
  ['bip122:00000008819873e925422c1ff0f99f7c', '00000008819873e925422c1ff0f99f7c'],
  ['polkadot:fc41b9bd8ef8fe53d58c7ea67c794c7e', 'fc41b9bd8ef8fe53d58c7ea67c794c7e'],
])(
  'param: networkFacts, of a network that only the server knows: %s',
  async (caipNetworkId, id) => {
    const networkFacts = { [caipNetworkId]: facts }
    const { networks } = await load({ ...answer, networks: [caipNetworkId], networkFacts })
    expect(networks).toEqual([
      {
        ...facts,
        id,
        caipNetworkId,
        chainNamespace: caipNetworkId.split(':')[0],
        rpcUrls: [],
        assets: { imageId: caipNetworkId.replace(':', '-') },
      },
    ])
  },
)

test('param: networkFacts, of a known network: the explorer of the operator, everything else from the app', async () => {
  const networkFacts = { 'eip155:31338': facts }
  const { networks } = await load({ ...answer, networks: ['eip155:31338'], networkFacts })
  expect(networks).toEqual([{ ...latchkeyTwo, blockExplorer: facts.blockExplorer }])
})

test('error: a chain id that a JavaScript number cannot hold', async () => {
  const networkFacts = { 'eip155:9999999999999999': facts }
  await expect(
    load({ ...answer, networks: ['eip155:9999999999999999'], networkFacts }),
  ).rejects.toThrow('no network that this app knows')
})

test('error: no network that is known', async () => {
  await expect(load({ ...answer, networks: [] })).rejects.toThrowErrorMatchingInlineSnapshot(
    `[Error: the server lists no network that this app knows; set the networks in its configuration]`,
  )
})

test('error: no configuration', async () => {
  for (const wrong of [undefined, null, 1, {}, { ...answer, networks: ['eip155'] }])
    await expect(load(wrong)).rejects.toThrow('the response is not a Latchkey configuration')
})

test('error: a page, a failure and a silent server', async () => {
  const page = await against(() => ({ body: '<!doctype html>' }))
  await expect(page.ask()).rejects.toThrow('the response is not a Latchkey configuration')
  await page.stop()
  const failing = await against(() => ({ status: 503, body: '{}' }))
  await expect(failing.ask()).rejects.toThrow('the server answered with status 503')
  await failing.stop()
  await expect(failing.ask()).rejects.toThrow('no connection to the server')
})
