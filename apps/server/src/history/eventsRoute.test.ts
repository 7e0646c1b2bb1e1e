import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ActivityEvent, activityEvent, activityEventsPath } from '@latchkey/wire'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { heldActivity } from '../../test/heldActivity.ts'
import { chainWith, makeServices } from '../../test/makeServices.ts'
import { listenSockets } from '../sockets.ts'
import { type EventsLimits, eventsUpgrade } from './eventsRoute.ts'

const me = '0x00000000000000000000000000000000000000A1'
const complete = { complete: true, progress: 1, since: null }
const partly = { complete: false, progress: 0.5, since: '2026-01-02T00:00:00.000Z' }

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

test('default: how far it is known at once, then what changes', async () => {
  const { open, tell } = await start()
  const { next } = await open('&chainId=eip155:1')
  expect(await next()).toEqual({ type: 'sync', chainId: 'eip155:1', sync: complete })
  tell('eip155:1', 'changed')
  expect(await next()).toEqual({ type: 'changed', chainId: 'eip155:1' })
  tell('eip155:1', 'sync')
  expect(await next()).toEqual({ type: 'sync', chainId: 'eip155:1', sync: complete })
})

test('param: several networks (a list or all), without networks of an outside source', async () => {
  const { open, listening } = await start()
  const list = await open('&chainId=eip155:1,2')
  expect([await list.next(), await list.next()]).toEqual([
    { type: 'sync', chainId: 'eip155:1', sync: complete },
    { type: 'sync', chainId: 'eip155:2', sync: partly },
  ])
  expect(listening()).toBe(2)
  const all = await open('')
  await all.next()
  await all.next()
  expect(listening()).toBe(4)
  const outside = await open('&chainId=eip155:3')
  expect(listening()).toBe(4)
  expect(outside.socket.readyState).toBe(WebSocket.OPEN)
})

test('behavior: a burst is at most four messages a second, and the last message is sent', async () => {
  const { open, tell } = await start({ everyMs: 60 })
  // The first message counts too, and its pause may be over when it is read.
  const startedAt = performance.now()
  const { next, got } = await open('&chainId=1')
  await next()
  for (let round = 0; round < 30; round++) {
    tell('eip155:1', 'changed')
    tell('eip155:1', 'sync')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const took = performance.now() - startedAt
  const told = got.length
  expect(told).toBeGreaterThan(1)
  expect(told).toBeLessThanOrEqual(Math.ceil(took / 60) + 1)
  tell('eip155:1', 'changed')
  await expect.poll(() => got.slice(told).some(({ type }) => type === 'changed')).toBe(true)
  await expect.poll(() => got.slice(told).some(({ type }) => type === 'sync')).toBe(true)
})

test('behavior: no account is watched after the socket is closed', async () => {
  const { open, listening } = await start()
  const { socket, next } = await open('&chainId=1')
  await next()
  expect(listening()).toBe(1)
  socket.close()
  await expect.poll(listening).toBe(0)
})

test('behavior: what a client says is not read, and too much of it closes', async () => {
  const { open, tell } = await start()
  const { socket, next } = await open('&chainId=1')
  await next()
  socket.send('{"anything":true}')
  tell('eip155:1', 'changed')
  expect(await next()).toMatchObject({ type: 'changed' })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.send('x'.repeat(2_000))
  expect(await closed).toBe(1009)
})

test('error: the activity is unavailable: closed with 1012', async () => {
  const { open } = await start({ fails: true })
  const { socket } = await open('&chainId=1')
  expect(await new Promise((resolve) => socket.once('close', resolve))).toBe(1012)
})

test('error: too many sockets of one client', async () => {
  const { open } = await start({ sockets: { total: 10, perClient: 2 } })
  const [first] = [await open('&chainId=1'), await open('&chainId=1')]
  await expect(open('&chainId=1')).rejects.toThrow('429')
  first.socket.close()
  await expect
    .poll(() =>
      open('&chainId=1').then(
        () => 'open',
        () => 'refused',
      ),
    )
    .toBe('open')
})

test('error: too many sockets of all clients together', async () => {
  const { open } = await start({ sockets: { total: 2, perClient: 10 } })
  await Promise.all([open('&chainId=1'), open('&chainId=1')])
  await expect(open('&chainId=1')).rejects.toThrow('429')
})

test.each([
  ['&chainId=eip155:999', me],
  ['&chainId=', me],
  [`&chainId=${'1,'.repeat(30)}1`, me],
  ['&chainId=1', '0x12'],
  ['&chainId=1', ''],
])('error: %s of %s is 400', async (query, address) => {
  const { open } = await start()
  await expect(open(query, address)).rejects.toThrow('400')
})

type Options = Partial<EventsLimits> & {
  readonly fails?: boolean
  readonly sockets?: { readonly total: number; readonly perClient: number }
}

async function start({ fails, sockets, ...limits }: Options = {}) {
  const held = heldActivity([])
  const chain = chainWith(['http://127.0.0.1:9'])
  const made = makeServices({
    'eip155:1': chain,
    'eip155:2': chain,
    'eip155:3': { ...chain, activity: { source: 'etherscan' } },
  })
  const services = { ...made, config: { ...made.config, ...(sockets && { sockets }) } }
  const sync = () => Promise.reject(new Error('No database'))
  const activity = fails ? { ...held.activity, sync } : held.activity
  const server = createServer()
  const route = eventsUpgrade(services, activity, {
    everyMs: 20,
    backlogBytes: 1_000_000,
    ...limits,
  })
  const authorize = async () => undefined
  listenSockets(server, { ...services, authorize }, { [activityEventsPath]: route })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const open = (query: string, address = me) =>
    openSocket(
      `ws://127.0.0.1:${port}${activityEventsPath}?projectId=local&address=${address}${query}`,
    )
  return { open, tell: held.tell, listening: held.listening }
}

async function openSocket(url: string) {
  const socket = new WebSocket(url)
  const got: ActivityEvent[] = []
  let read = 0
  socket.on('message', (data) => got.push(activityEvent.parse(JSON.parse(String(data)))))
  stops.push(() => socket.terminate())
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const next = async () => {
    const at = read++
    await expect.poll(() => got.length, { interval: 5 }).toBeGreaterThan(at)
    return got[at]
  }
  return { socket, got, next }
}
