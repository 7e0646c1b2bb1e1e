import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Chains, startChains } from '@latchkey/dev'
import { decodeAbiParameters, encodeAbiParameters, encodeFunctionResult, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { askIdentities } from '../../test/askIdentities.ts'
import { devNames } from '../../test/devNames.ts'
import { chainWith } from '../../test/makeServices.ts'
import { resolverAbi } from './ens.ts'

const one = 'eip155:31337'
const nothing = { name: null, avatar: null, resolvedAt: null }
const stops: (() => Promise<unknown>)[] = []
let chains: Chains

beforeAll(async () => {
  chains = await startChains()
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})
afterAll(() => chains?.stop())

const accountAt = (index: number) => chains.accounts[index]?.address ?? '0x'
const names = () => devNames(chains)
const start = (allow: string[] = []) => {
  const ens = { registry: chains.addresses[one].ensRegistry }
  return askIdentities({ [one]: { ...chainWith([chains.urls[one]]), ens } }, { allow })
}

/** A web server in this process; `seen` are the requested paths. */
async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(request.url ?? '')
    response.on('error', () => {})
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { at, url: `http://${at}`, seen }
}

test('behavior: a name that does not resolve back is not shown', async () => {
  await names().setReverse(accountAt(5), 'alice.latchkey.eth')
  expect((await start().ask(accountAt(5))).body).toEqual(nothing)
  await names().setReverse(accountAt(5), 'nobody.latchkey.eth')
  expect((await start().ask(accountAt(5))).body).toEqual(nothing)
})

test('behavior: a name that imitates another is not shown, although it resolves back', async () => {
  const looks = [
    'Alice.latchkey.eth',
    'alice\u200b.latchkey.eth',
    'alice\u200d.latchkey.eth',
    'alic\u0435.latchkey.eth',
    '\u0430\u04cf\u0456\u0441\u0435.latchkey.eth',
    'alice\u202e.latchkey.eth',
    ' alice.latchkey.eth',
    'alice\u0000.latchkey.eth',
    '\u{1f1fa}\u{1f1fa}\ufe0e.latchkey.eth',
    `${'a'.repeat(300)}.latchkey.eth`,
    '<img src=x>.latchkey.eth',
  ]
  const { take, setAddress, setReverse } = names()
  for (const name of looks) {
    await take(name)
    await setAddress(name, accountAt(5))
    await setReverse(accountAt(5), name)
    expect([name, (await start().ask(accountAt(5))).body]).toEqual([name, nothing])
  }
  await take('eve.latchkey.eth')
  await setAddress('eve.latchkey.eth', accountAt(5))
  await setReverse(accountAt(5), 'eve.latchkey.eth')
  expect((await start().ask(accountAt(5))).body.name).toBe('eve.latchkey.eth')
})

test('behavior: resolvers that revert, answer garbage, megabytes or without end have no records', async () => {
  const { take, place } = names()
  const codes: Record<string, Hex> = {
    reverts: '0x60006000fd',
    empty: '0x00',
    short: '0x60056000f3',
    long: '0x620186a06000f3',
    megabytes: '0x6300a000006000f3',
    ones: `0x7f${'f'.repeat(64)}60005260206000f3`,
    endless: '0x5b600056',
    // An offset of 2^255 and an equal length.
    offsets: `0x7f8${'0'.repeat(63)}6000527f8${'0'.repeat(63)}60205260606000f3`,
  }
  const { ask } = start()
  for (const [what, code] of Object.entries(codes)) {
    const name = `${what}.latchkey.eth`
    await take(name, await place(code))
    const { status, body } = await ask(`name/${name}`)
    expect([what, status, body.avatar]).toEqual([what, 200, null])
    if (what !== 'ones') expect([what, body.address]).toEqual([what, null])
  }
  const absent = '0x00000000000000000000000000000000000000ee'
  await take('absent.latchkey.eth', absent)
  expect((await ask('name/absent.latchkey.eth')).body.address).toBeNull()
})

test('behavior: an account whose resolver returns the same for every call has no name', async () => {
  const { ensRegistry, place } = names()
  const code: Hex = `0x7f${'f'.repeat(64)}60005260206000f3`
  const liar = await place(code)
  const chain = { ...chainWith([chains.urls[one]]), ens: { registry: liar } }
  expect((await askIdentities({ [one]: chain }).ask(accountAt(0))).body).toEqual(nothing)
  expect(ensRegistry).not.toBe(liar)
})

/**
 * The responses of a server with offchain records: `tell` returns the result of a resolver call.
 */
const records = (tell: (call: Hex) => Hex | undefined) => (request: IncomingMessage) => {
  const data = (request.url ?? '').split('/').at(-1)?.replace('.json', '') ?? ''
  const [, call] = decodeAbiParameters([{ type: 'bytes' }, { type: 'bytes' }], data as Hex)
  return tell(call)
}
const addressWord = (address: Hex) => encodeAbiParameters([{ type: 'address' }], [address])
const text = (result: string) =>
  encodeFunctionResult({ abi: resolverAbi, functionName: 'text', result })
const isText = (call: Hex) => call.startsWith('0x59d1d43c')
const isAddress = (call: Hex) => call.startsWith('0x3b3b57de')

test('behavior: names below a wildcard have their records from a web server', async () => {
  const tell = records((call) =>
    isText(call)
      ? text('https://pictures.example/grace.png')
      : isAddress(call)
        ? addressWord(accountAt(7))
        : '0x',
  )
  const web = await serve((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: tell(request) }))
  })
  const { take, setReverse, deployOffchain } = names()
  await take('guests.latchkey.eth', await deployOffchain([`${web.url}/{sender}/{data}.json`]))
  await setReverse(accountAt(7), 'grace.guests.latchkey.eth')
  const { ask } = start([web.at])
  expect((await ask('name/grace.guests.latchkey.eth')).body).toMatchObject({
    address: accountAt(7),
    avatar: expect.stringContaining('/v1/identity/name/grace.guests.latchkey.eth/avatar'),
  })
  expect((await ask(accountAt(7))).body.name).toBe('grace.guests.latchkey.eth')
  expect(web.seen[0]).toMatch(/^\/0x[0-9a-f]{40}\/0x[0-9a-f]+\.json$/)
})

test('behavior: the server of a resolver is requested only at URLs that may be fetched', async () => {
  const web = await serve((_, response) => {
    response.end()
  })
  const { take, deployOffchain } = names()
  const urls = [
    `${web.url}/{data}`,
    `https://localhost:${web.at.split(':')[1]}/{data}`,
    'https://127.0.0.1/{data}',
    'https://169.254.169.254/{data}',
    'file:///etc/passwd?{data}',
    'not a url {data}',
  ]
  const { ask } = start()
  for (const [index, url] of urls.entries()) {
    const name = `inside${index}.latchkey.eth`
    await take(name, await deployOffchain([url]))
    expect(await ask(`name/${name}`)).toMatchObject({
      status: 200,
      cache: 'public, max-age=30, s-maxage=30',
      body: { address: null },
    })
  }
  expect(web.seen).toEqual([])
})

test('behavior: a server that lies, answers nothing or never ends has no records', async () => {
  const answers: Record<string, (response: ServerResponse) => void> = {
    garbage: (response) => response.end('{"data":"0x1234"}'),
    html: (response) => response.setHeader('content-type', 'text/html').end('<html>'),
    array: (response) => response.end('[]'),
    failing: (response) => response.writeHead(500).end(),
    away: (response) => response.destroy(),
    large: (response) => response.end(JSON.stringify({ data: `0x${'00'.repeat(100_000)}` })),
    elsewhere: (response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:1/{data}' }).end(),
    endless: (response) => {
      response.write('{"data":"0x')
    },
  }
  const { take, deployOffchain } = names()
  const web = await serve((request, response) => {
    response.setHeader('content-type', 'application/json')
    answers[(request.url ?? '').split('/')[1] ?? '']?.(response)
  })
  for (const [index, what] of Object.keys(answers).entries())
    await take(`server${index}.latchkey.eth`, await deployOffchain([`${web.url}/${what}/{data}`]))
  const fresh = start([web.at])
  const found = Object.keys(answers).map(async (what, index) => {
    const { status, body } = await fresh.ask(`name/server${index}.latchkey.eth`)
    return [what, status, body.address]
  })
  expect(await Promise.all(found)).toEqual(Object.keys(answers).map((what) => [what, 200, null]))
})
