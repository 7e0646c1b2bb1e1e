import { type Chains, startChains } from '@latchkey/dev'
import { toCoinType } from '@latchkey/wire'
import { getAddress, getContractAddress, serializeErc6492Signature } from 'viem/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { openTestDatabase } from '../../test/openTestDatabase.ts'
import { createIdentities } from '../identity/identities.ts'
import { openPictures } from '../media/pictures.ts'
import { createUpstreams } from '../nodes/upstreams.ts'
import { createOutbound } from '../outbound/createOutbound.ts'
import { changeRoutes } from './changeRoutes.ts'

const one = 'eip155:31337'
const two = 'eip155:31338'
const oneCoin = toCoinType(31337)
const twoCoin = toCoinType(31338)
/** Code that returns the four bytes of EIP-1271 for every call, and code that deploys it. */
const runtime = '631626ba7e60e01b5f5260205ff3'
const initCode = `0x6d${runtime}5f52600e6012f3` as const
const contract = getAddress(`0x${'c1'.repeat(20)}`)
const factory = getAddress(`0x${'c2'.repeat(20)}`)
const signature = `0x${'12'.repeat(65)}` as const

let chains: Chains
let opened: Awaited<ReturnType<typeof openTestDatabase>>
let app: ReturnType<typeof changeRoutes>
let identities: ReturnType<typeof createIdentities>

beforeAll(async () => {
  ;[chains, opened] = await Promise.all([startChains({ ports: 'free' }), openTestDatabase()])
  const ens = { registry: chains.addresses[one].ensRegistry }
  const made = makeServices({
    [one]: { ...chainWith([chains.urls[one]]), ens },
    [two]: chainWith([chains.urls[two]]),
  })
  const config = { ...made.config, nameZones: ['latchkey.id'] }
  const services = { ...made, config, db: opened.db }
  const upstreams = createUpstreams(services)
  app = changeRoutes(services, upstreams)
  identities = createIdentities(services, {
    upstreams,
    outbound: createOutbound(services),
    pictures: openPictures({ ...services, dir: '/nowhere' }),
    nftPicture: async () => null,
    names: services,
  })
  // The contract is on one chain, and on the other chain another person has put a contract at the
  // same address.
  for (const id of [one, two] as const) await setCode(id, contract, `0x${runtime}`)
  await setCode(one, factory, '0x365f5f37365f5ff000')
})
afterAll(async () => {
  await chains?.stop()
  await opened?.close()
})

async function setCode(id: typeof one | typeof two, address: string, code: string) {
  const params = [address, code]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params })
  const headers = { 'content-type': 'application/json' }
  await fetch(chains.urls[id], { method: 'POST', headers, body })
}

async function post(path: string, coinType: number, message: object, more: object = {}) {
  const timestamp = Math.floor(Date.now() / 1000)
  const text = JSON.stringify({ ...message, timestamp })
  const body = { message: text, signature, coin_type: coinType, address: contract, ...more }
  const init = { method: 'POST', body: JSON.stringify(body) }
  const response = await app.request(`/v1/profile/account${path}`, init)
  return { status: response.status, body: await response.json() }
}

test('behavior: a contract has its address on its own network only', async () => {
  const { status, body } = await post('', oneCoin, { name: 'vault-one.latchkey.id' })
  expect(status).toBe(200)
  expect(Object.keys(body.addresses)).toEqual([String(oneCoin)])
  const lookUp = (chainId: `eip155:${string}`) =>
    identities.lookUpName('vault-one.latchkey.id', chainId).then(({ value }) => value.address)
  expect(await lookUp(one)).toBe(contract.toLowerCase())
  expect(await lookUp(two)).toBe(null)
})

test('error: a contract at the same address on another network is not the owner', async () => {
  const name = 'vault-two.latchkey.id'
  await post('', oneCoin, { name })
  const message = { action: 'release', name }
  expect((await post(`/${name}/release`, twoCoin, message)).status).toBe(401)
  expect((await post(`/${name}/release`, oneCoin, message)).status).toBe(200)
})

test('default: an account that is not deployed yet (EIP-6492)', async () => {
  const address = getContractAddress({ from: factory, nonce: 0n })
  const wrapped = serializeErc6492Signature({ address: factory, data: initCode, signature })
  const message = { name: 'undeployed.latchkey.id' }
  expect((await post('', oneCoin, message, { address })).status).toBe(401)
  expect((await post('', oneCoin, message, { address, signature: wrapped })).status).toBe(200)
})

test('behavior: an account shows its ENS name first, then the chosen or oldest name below our zones', async () => {
  const lookUp = async (address: `0x${string}`) =>
    (await identities.lookUpAddress(address)).value.name
  expect(await lookUp(contract.toLowerCase() as `0x${string}`)).toBe('vault-one.latchkey.id')
  const alice = chains.accounts[0]?.address.toLowerCase() as `0x${string}`
  expect(await lookUp(alice)).toBe('alice.latchkey.eth')
  const name = 'vault-three.latchkey.id'
  await post('', oneCoin, { name })
  expect(await lookUp(contract.toLowerCase() as `0x${string}`)).toBe('vault-one.latchkey.id')
  expect((await post(`/${name}/primary`, twoCoin, { action: 'primary', name })).status).toBe(401)
  expect((await post(`/${name}/primary`, oneCoin, { action: 'primary', name })).status).toBe(200)
  expect(await lookUp(contract.toLowerCase() as `0x${string}`)).toBe(name)
})
