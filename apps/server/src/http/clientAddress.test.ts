import { type AddressInfo, connect } from 'node:net'
import { type HttpBindings, serve } from '@hono/node-server'
import fc from 'fast-check'
import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { testRelayEnv } from '../../test/relaySocket.ts'
import { startServer } from '../index.ts'
import { clientAddress, clientIp, clientNetwork, isLoopback, readHeader } from './clientAddress.ts'

const from = (forwardedFor: string | undefined, socketAddress: string | undefined = '9.9.9.9') => ({
  socketAddress,
  forwardedFor,
})

test.each([
  ['1.1.1.1', 0, '9.9.9.9'],
  ['1.1.1.1', 1, '1.1.1.1'],
  ['6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
  ['6.6.6.6, 1.1.1.1, 10.0.0.1', 2, '1.1.1.1'],
  ['1.1.1.1', 3, '1.1.1.1'],
  ['unknown', 1, '9.9.9.9'],
  [undefined, 1, '9.9.9.9'],
  ['2001:db8:1:2:3:4:5:6', 1, '2001:db8:1:2::/64'],
  ['2001:DB8::6', 1, '2001:db8:0:0::/64'],
  ['203.0.113.7:52044', 1, '203.0.113.7'],
  ['6.6.6.6:1, 203.0.113.7:52044', 1, '203.0.113.7'],
  ['[2001:db8::7]:443', 1, '2001:db8:0:0::/64'],
  ['[2001:db8::7]', 1, '2001:db8:0:0::/64'],
  ['"[2001:db8::7]:443"', 1, '2001:db8:0:0::/64'],
  ['[::ffff:203.0.113.7]:443', 1, '203.0.113.7'],
  ['[::ffff:cb00:7107]:443', 1, '203.0.113.7'],
  ['::ffff:203.0.113.7:443', 1, '203.0.113.7'],
  ['::FFFF:203.0.113.7', 1, '203.0.113.7'],
  ['::ffff:cb00:7107', 1, '203.0.113.7'],
  ['::FFFF:CB00:7107', 1, '203.0.113.7'],
  ['0:0:0:0:0:ffff:cb00:7107', 1, '203.0.113.7'],
  ['0000:0000:0000:0000:0000:FFFF:CB00:7107', 1, '203.0.113.7'],
  ['0::0:ffff:203.0.113.7%eth0', 1, '203.0.113.7'],
  ['"203.0.113.7"', 1, '203.0.113.7'],
  ['"203.0.113.7:443"', 1, '203.0.113.7'],
  [' 203.0.113.7 ', 1, '203.0.113.7'],
  ['for=203.0.113.7', 1, '203.0.113.7'],
  ['For="[::ffff:cb00:7107]:443";proto=https;by=10.0.0.1', 1, '203.0.113.7'],
  ['proto=https; FOR=203.0.113.7:52044', 1, '203.0.113.7'],
  ['for="[2001:DB8::7%25eth0]:443"', 1, '2001:db8:0:0::/64'],
  ['2001:db8:0:0:0:0:0:7:443', 1, '2001:db8:0:0::/64'],
  ['2001:db8::7:52044', 1, '2001:db8:0:0::/64'],
  ['2001:0DB8:0000:0000::7', 1, '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 1, 'fe80:0:0:0::/64'],
  ['[fe80::1%25eth0]:443', 1, 'fe80:0:0:0::/64'],
  ['6.6.6.6, 203.0.113.7,', 1, '203.0.113.7'],
  [', ,203.0.113.7, ,10.0.0.1,', 2, '203.0.113.7'],
  [',', 1, '9.9.9.9'],
  ['', 1, '9.9.9.9'],
  ['203.0.113.7, _hidden', 1, '9.9.9.9'],
  ['203.0.113.7, for=_hidden', 1, '9.9.9.9'],
  ['203.0.113.7, for=unknown', 1, '9.9.9.9'],
  ['203.0.113.7%eth0', 1, '9.9.9.9'],
  ['203.0.113.7:port', 1, '9.9.9.9'],
  ['[203.0.113.7', 1, '9.9.9.9'],
])('default: %s behind %i of our proxies is %s', (forwardedFor, proxies, expected) => {
  expect(clientAddress(from(forwardedFor), proxies)).toBe(expected)
})

test('behavior: an IPv4 address in IPv6 clothes is the same client', () => {
  for (const address of ['::ffff:127.0.0.1', '::FFFF:7f00:1', '0:0:0:0:0:ffff:7f00:1']) {
    expect(clientAddress(from(undefined, address), 0)).toBe('127.0.0.1')
    expect(clientNetwork(from(undefined, address), 0)).toBe('127.0.0.0/24')
    expect(clientIp(from(undefined, address), 0)).toBe('127.0.0.1')
    expect(isLoopback(address)).toBe(true)
  }
  expect(clientIp(from(undefined, '2001:DB8:0::7%eth0'), 0)).toBe('2001:db8::7')
  expect(isLoopback('203.0.113.7')).toBe(false)
  expect(clientAddress({ socketAddress: undefined, forwardedFor: undefined }, 0)).toBe('unknown')
})

test.each([
  ['198.51.100.7', '198.51.100.0/24'],
  ['::ffff:198.51.100.7', '198.51.100.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:DB8::6', '2001:db8:0::/48'],
  ['unknown', 'unknown'],
])('default: %s is of the network %s', (address, network) => {
  expect(clientNetwork(from(undefined, address), 0)).toBe(network)
})

test('behavior: any IPv6 address shares a bucket with its /64', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      expect(clientAddress(from(undefined, address), 0)).toMatch(/::\/64$|^\d+\.\d+\.\d+\.\d+$/)
    }),
  )
})

/** Answers with the server's value of a header. */
const app = new Hono<{ Bindings: Partial<HttpBindings> }>().get('/:name', (c) =>
  c.json({ value: readHeader(c, c.req.param('name')) ?? null }),
)

test('default: a header is read with and without a server of Node', async () => {
  const headers = { origin: 'https://app.example' }
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  for (const ask of [
    (path: string) => app.request(path, { headers }),
    (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers }),
  ]) {
    expect(await (await ask('/origin')).json()).toEqual({ value: 'https://app.example' })
    expect(await (await ask('/x-project-id')).json()).toEqual({ value: null })
  }
})

test.each([
  // Node joins the values of list headers and keeps the first value of other headers.
  ['x-forwarded-for', '1.1.1.1, 2.2.2.2'],
  ['x-project-id', '1.1.1.1, 2.2.2.2'],
  ['user-agent', '1.1.1.1'],
  ['set-cookie', '1.1.1.1'],
])('behavior: %s that comes twice', async (name, value) => {
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const lines = [
    `GET /${name} HTTP/1.1`,
    'host: a',
    'connection: close',
    `${name}: 1.1.1.1`,
    `${name}: 2.2.2.2`,
  ]
  const answer = await new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
    socket.on('data', (data) => {
      text += String(data)
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({ value })
})

test('error: an entry of X-Forwarded-For that is no address is logged once', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const server = await startServer({ ...testRelayEnv, TRUST_PROXY: '1' }, { log })
  onTestFinished(server.stop)
  const ask = async (forwarded?: string) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    expect((await fetch(`${server.url}/hello`, { headers })).status).toBe(200)
  }
  const logged = () => lines.filter((line) => line.includes('X-Forwarded-For'))
  await ask()
  await ask('203.0.113.7')
  await ask('unknown, [2001:db8::7]:443')
  expect(logged()).toEqual([])
  await ask('203.0.113.7, unknown')
  await ask('203.0.113.7, hidden')
  expect(logged()).toHaveLength(1)
  expect(logged()[0]).not.toContain('203.0.113.7')
})
