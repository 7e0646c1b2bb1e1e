import { describeSocials } from '@latchkey/dev'
import { socialProvider } from '@latchkey/wire'
import { expect, onTestFinished, test } from 'vitest'
import { createAuthClient, signIn } from '../../../test/auth/authClient.ts'
import { begin, writeSocials } from '../../../test/auth/socialBrowser.ts'
import { startAuthServer } from '../../../test/auth/startAuthServer.ts'
import { readSocials } from './socialsFile.ts'

const url = 'http://localhost:1'
const farcaster = { rpcUrl: url, registry: `0x${'1'.repeat(40)}` }
const all = describeSocials({ url, secret: 'a secret of this test', farcaster })
const pick = (...names: string[]) =>
  Object.fromEntries(names.map((name): [string, object | undefined] => [name, all[name]]))
const read = (file: object) => readSocials(writeSocials(file))

test('default: all providers in the order of the product, independent of the file’s order', () => {
  const order = ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook']
  const { socials, problems } = read(pick(...[...socialProvider.options].reverse()))
  expect([...socials.keys()]).toEqual(order)
  expect(problems).toEqual([])
})

test('param: order comes first; a provider without credentials is not offered, although it is named there', () => {
  const { socials } = read({ ...pick('google', 'x', 'apple'), order: ['apple', 'github', 'x'] })
  expect([...socials.keys()]).toEqual(['apple', 'x', 'google'])
})

test('error: what is wrong is named, and no secret is printed', () => {
  expect(read({ ...pick('google'), order: ['myspace'] }).problems).toEqual([
    expect.stringContaining('SOCIALS_FILE: order.0: '),
  ])
  expect(read({ google: { clientSecret: 'a secret' } }).problems).toEqual([
    'SOCIALS_FILE: google: must have clientId and clientSecret, or teamId, keyId and privateKey',
  ])
  expect(read({ farcaster: { clientId: 'x', clientSecret: 'a secret' } }).problems).toEqual([
    expect.stringContaining('SOCIALS_FILE: farcaster.rpcUrl: '),
    expect.not.stringContaining('a secret'),
  ])
  expect(read({ myspace: {} }).problems).toEqual([expect.stringContaining('"myspace"')])
})

test('behavior: all lists of providers contain those with credentials, in the configured order', async () => {
  const SOCIALS_FILE = writeSocials({ ...pick('google', 'x', 'github'), order: ['github'] })
  const { server, inbox, stop } = await startAuthServer({ SOCIALS_FILE })
  onTestFinished(() => stop())
  const names = ['github', 'google', 'x']
  const at = async (path: string) => (await fetch(`${server.url}${path}`)).json()
  expect(await at('/v1/socials?projectId=local')).toEqual({ socials: names })
  expect(await at('/config.json')).toMatchObject({ socials: names })
  const client = await createAuthClient(server)
  await signIn(client, inbox, 'ada@example.com')
  expect((await client.ask('/api/identities')).body.providers).toEqual(names)
  expect((await begin(client, server, { provider: 'github' })).status).toBe(200)
  expect((await begin(client, server, { provider: 'apple' })).code).toBe('INVALID_PARAMS')
})
