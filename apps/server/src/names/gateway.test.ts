import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { type Chains, readArtifact, startChains, waitForReceipt } from '@latchkey/dev'
import { Hono } from 'hono'
import { createPublicClient, createWalletClient, http, namehash, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { openTestDatabase } from '../../test/openTestDatabase.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { changeRoutes } from './changeRoutes.ts'
import { gatewayRoutes } from './gatewayRoutes.ts'

const one = 'eip155:31337'
const key = generatePrivateKey()
const owner = privateKeyToAccount(generatePrivateKey())
const name = 'alder.latchkey.id'

let chains: Chains
let opened: Awaited<ReturnType<typeof openTestDatabase>>
let server: ReturnType<typeof serve>
let url: string
let lieAbout: ((answer: string) => string) | undefined
let client: ReturnType<typeof open>

beforeAll(async () => {
  ;[chains, opened] = await Promise.all([startChains({ ports: 'free' }), openTestDatabase()])
  const made = makeServices({ [one]: chainWith([chains.urls[one]]) })
  const config = { ...made.config, nameZones: ['latchkey.id'], nameSignerKey: key }
  const services = { ...made, config, db: opened.db }
  const app = new Hono()
    .use(async (c, next) => {
      await next()
      if (lieAbout && c.req.path.startsWith('/v1/names/'))
        c.res = new Response(lieAbout(await c.res.text()), c.res)
    })
    .route('/', changeRoutes(services, createUpstreams(services)))
    .route('/', gatewayRoutes(services))
  server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise<void>((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await setResolver(privateKeyToAccount(key).address)
  client = open()
  await register()
})
afterAll(async () => {
  server?.close()
  await chains?.stop()
  await opened?.close()
})

/** Points the contract to this server, like an operator does. */
async function setResolver(signer: `0x${string}`) {
  const account = chains.accounts[9]?.address ?? zeroAddress
  const transport = http(chains.urls[one])
  const hash = await createWalletClient({ account, transport }).writeContract({
    address: chains.addresses[one].nameResolver,
    abi: readArtifact('NameResolver').abi,
    functionName: 'change',
    args: [signer, [`${url}/v1/names/{sender}/{data}.json`]],
    chain: null,
  })
  await waitForReceipt(createPublicClient({ transport }), hash)
}

/** An unmodified viem client, configured only with the universal resolver. */
const open = () =>
  createPublicClient({
    chain: {
      id: 31337,
      name: 'Local',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [chains.urls[one]] } },
      contracts: {
        ensUniversalResolver: { address: chains.addresses[one].universalResolver },
      },
    },
    transport: http(chains.urls[one]),
  })

async function register() {
  const { pictures } = chains.addresses[one]
  const attributes = { bio: 'Hello', avatar: `eip155:31337/erc721:${pictures}/1` }
  const timestamp = Math.floor(Date.now() / 1000)
  await sendSigned('', { name, attributes, timestamp })
}

async function sendSigned(path: string, content: object) {
  const message = JSON.stringify(content)
  const signature = await owner.signMessage({ message })
  const body = { message, signature, coin_type: 0x80000000 + 31337, address: owner.address }
  const init = { method: 'POST', body: JSON.stringify(body) }
  expect((await fetch(`${url}/v1/profile/account${path}`, init)).status).toBe(200)
}

test('default: viem finds the address, name, text records and avatar', async () => {
  expect(await client.getEnsAddress({ name })).toBe(owner.address)
  expect(await client.getEnsAddress({ name, coinType: 0x80000000n + 31337n })).toBe(
    owner.address.toLowerCase(),
  )
  expect(await client.getEnsName({ address: owner.address })).toBe(name)
  expect(await client.getEnsText({ name, key: 'description' })).toBe('Hello')
  expect(await client.getEnsAvatar({ name })).toMatch(/^data:image|^http/)
})

test('behavior: for viem, an account goes by the name that it chose', async () => {
  const other = 'chosen-one.latchkey.id'
  const timestamp = Math.floor(Date.now() / 1000)
  await sendSigned('', { name: other, attributes: {}, timestamp })
  expect(await client.getEnsName({ address: owner.address })).toBe(name)
  await sendSigned(`/${other}/primary`, { action: 'primary', name: other, timestamp })
  expect(await client.getEnsName({ address: owner.address })).toBe(other)
  await sendSigned(`/${other}/release`, { action: 'release', name: other, timestamp })
  expect(await client.getEnsName({ address: owner.address })).toBe(name)
})

test('behavior: unknown records are empty, and other names keep their addresses', async () => {
  expect(await client.getEnsAddress({ name: 'nobody.latchkey.id' })).toBe(null)
  expect(await client.getEnsAddress({ name: 'nobody.elsewhere.id' })).toBe(null)
  expect(await client.getEnsText({ name, key: 'com.twitter' })).toBe(null)
  expect(await client.getEnsAddress({ name, coinType: 0x8000000an })).toBe(null)
  const stranger = privateKeyToAccount(generatePrivateKey()).address
  expect(await client.getEnsName({ address: stranger })).toBe(null)
  const alice = chains.accounts[0]?.address ?? zeroAddress
  expect(await client.getEnsAddress({ name: 'alice.latchkey.eth' })).toBe(alice)
  expect(await client.getEnsName({ address: alice })).toBe('alice.latchkey.eth')
})

test('error: the contract refuses an altered answer, an answer signed with another key, and an old answer', async () => {
  const real = owner.address.slice(2).toLowerCase()
  const find = () => client.getEnsAddress({ name, strict: true })
  lieAbout = (answer) => answer.replace(real, 'ba'.repeat(20))
  await expect(find()).rejects.toThrow()
  lieAbout = undefined
  expect(await find()).toBe(owner.address)
  await setResolver(privateKeyToAccount(generatePrivateKey()).address)
  await expect(find()).rejects.toThrow()
  await setResolver(privateKeyToAccount(key).address)
  const expiry = /(?<=0{62}600{48})[0-9a-f]{16}/
  lieAbout = (answer) => answer.replace(expiry, '0'.repeat(16))
  await expect(find()).rejects.toThrow()
  lieAbout = undefined
})

test.each([
  ['no address', '/v1/names/nobody/0x12.json'],
  ['no data', `/v1/names/${zeroAddress}/data.json`],
  ['data of nothing', `/v1/names/${zeroAddress}/0x12345678.json`],
  ['too much', `/v1/names/${zeroAddress}/0x${'00'.repeat(6_000)}.json`],
  ['another file', `/v1/names/${zeroAddress}/0x12.html`],
])('error: %s', async (_, path) => {
  expect((await fetch(`${url}${path}`)).status).toBe(400)
})

test('error: a request whose node belongs to another name is not signed', async () => {
  const { encodeFunctionData, parseAbi, toHex } = await import('viem')
  const abi = parseAbi(['function resolve(bytes, bytes)', 'function addr(bytes32)'])
  const request = (asked: string, dns: string) => {
    const inner = encodeFunctionData({ abi, functionName: 'addr', args: [namehash(asked)] })
    const data = encodeFunctionData({
      abi,
      functionName: 'resolve',
      args: [toHex(Buffer.from(dns, 'latin1')), inner],
    })
    const body = JSON.stringify({ sender: zeroAddress, data })
    return fetch(`${url}/v1/names`, { method: 'POST', body }).then(({ status }) => status)
  }
  const dns = '\u0005alder\u0008latchkey\u0002id\0'
  expect(await request(name, dns)).toBe(200)
  expect(await request('birch.latchkey.id', dns)).toBe(400)
  for (const odd of [
    `${dns}\0`,
    dns.slice(0, -1),
    '\u0009alder.lat\u0004chey\u0002id\0',
    '',
    '\u00ff',
  ])
    expect(await request(name, odd)).toBe(400)
})
