import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Chains, startChains } from '@latchkey/dev'
import { identityRoute } from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainWith } from '../../test/makeServices.ts'
import { startTestServer, type TestServer } from '../../test/startTestServer.ts'

const one = 'eip155:31337'
let chains: Chains
let server: TestServer
let dir: string

beforeAll(async () => {
  ;[chains, dir] = await Promise.all([startChains(), mkdtemp(join(tmpdir(), 'latchkey-avatars-'))])
  const { ensRegistry } = chains.addresses[one]
  const chain = { ...chainWith([chains.urls[one]]), ens: { registry: ensRegistry } }
  const file = join(dir, 'chains.json')
  await writeFile(file, JSON.stringify({ chains: { [one]: chain } }))
  server = await startTestServer({ CHAINS_FILE: file })
})
afterAll(async () => {
  await server?.stop()
  await chains?.stop()
  await rm(dir, { recursive: true, force: true })
})

test('default: a whole server shows the NFT that an account has chosen, to every visitor of the page', async () => {
  const address = chains.accounts[0]?.address ?? ''
  const answer = await fetch(
    `${server.url}${identityRoute.path.replace(':address', address)}?projectId=local`,
  )
  const { name, avatar } = identityRoute.result.parse(await answer.json())
  expect(name).toBe('alice.latchkey.eth')
  const path = avatar?.replace(/^http:\/\/[^/]+/, '') ?? ''
  const { pictures } = chains.addresses[one]
  expect(path).toMatch(
    new RegExp(`^/v1/nft/${one}/${pictures.toLowerCase()}/1/image\\?v=[0-9a-f]{12}$`),
  )
  const picture = await fetch(`${server.url}${path}`)
  expect(picture.status).toBe(200)
  expect(picture.headers.get('content-type')).toBe('image/svg+xml')
  expect(await picture.text()).toMatch(/^<svg [\s\S]*<\/svg>$/)
})

test('behavior: a picture that is not an NFT needs no project either, a name does', async () => {
  const bob = chains.accounts[1]?.address ?? ''
  const picture = await fetch(`${server.url}/v1/identity/${bob}/avatar`)
  expect(picture.status).toBe(200)
  expect(picture.headers.get('content-security-policy')).toMatch(/sandbox$/)
  expect((await fetch(`${server.url}/v1/identity/name/bob.latchkey.eth/avatar`)).status).toBe(200)
  expect((await fetch(`${server.url}/v1/identity/${bob}`)).status).toBe(400)
  expect((await fetch(`${server.url}/v1/identity/name/bob.latchkey.eth`)).status).toBe(400)
})
