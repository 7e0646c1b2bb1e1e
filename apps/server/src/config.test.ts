import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localUrl, readConfig } from './config.ts'

const dir = mkdtempSync(join(tmpdir(), 'latchkey-config-'))
const chain = {
  name: 'Local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  upstreams: ['http://127.0.0.1:8545'],
}
const chainsFile = (content: unknown) => {
  const path = join(dir, `${Math.abs(JSON.stringify(content).length)}.json`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

test('default', () => {
  const { dataDir, keyringDir, webDist, frame, ...config } = readConfig({})
  expect(dataDir.endsWith('/.latchkey')).toBe(true)
  expect(webDist.endsWith('/apps/web/dist')).toBe(true)
  expect(keyringDir.endsWith('/.latchkey/keyring')).toBe(true)
  expect(frame).toEqual({
    port: 3001,
    url: 'http://127.0.0.1:3001',
    dist: expect.stringMatching(/\/apps\/frame\/dist$/),
  })
  expect(config).toMatchInlineSnapshot(`
    {
      "abisDir": undefined,
      "analytics": "off",
      "answerBytes": {
        "perClient": 33554432,
        "total": 268435456,
      },
      "arweaveGateway": undefined,
      "blockList": undefined,
      "bodyLimitBytes": 1048576,
      "bundlerDebug": false,
      "bundlerKey": undefined,
      "chains": {},
      "connections": {
        "perClient": 512,
        "total": 8192,
      },
      "databaseTimeoutMs": 2000,
      "databaseUrl": undefined,
      "descriptorsDir": undefined,
      "developmentWalletUrl": undefined,
      "emailLoginsPerHour": 20,
      "frameAnswerBytes": {
        "perClient": 16777216,
        "total": 67108864,
      },
      "giveUpAfterMs": 600000,
      "host": "127.0.0.1",
      "ipfsGateway": undefined,
      "keepAliveMs": 75000,
      "logLevel": "info",
      "mailCooldownSeconds": 30,
      "mailFrom": "Latchkey <no-reply@localhost>",
      "mailsPerHour": 1000,
      "metricsToken": undefined,
      "nameSignerKey": undefined,
      "nameZones": [],
      "onramp": Map {},
      "operatorEmail": undefined,
      "outboundAllow": [],
      "passkeyAccounts": "off",
      "passkeyAccountsOfAllPerHour": 500,
      "passkeyAccountsPerHour": 5,
      "port": 3000,
      "priceSourceUrl": undefined,
      "publicUrl": "http://127.0.0.1:3000",
      "rateLimit": {
        "capacity": 600,
        "refillPerSecond": 100,
      },
      "recoveryLaterOrigins": undefined,
      "redisUrl": undefined,
      "relay": {
        "address": {
          "bytes": 16777216,
          "rateFactor": 50,
          "sockets": 2000,
          "subscriptions": 100000,
        },
        "audiences": [],
        "backlogBytes": 16777216,
        "client": {
          "bytes": 8388608,
          "rateFactor": 2,
          "sockets": 64,
          "subscriptions": 5000,
        },
        "frameMaxBytes": 1048576,
        "idleMs": 300000,
        "mailbox": {
          "bytes": 536870912,
          "bytesPerTopic": 8388608,
          "messagesPerTopic": 2000,
          "subscriptions": 1000000,
          "subscriptionsPerClient": 5000,
        },
        "project": {
          "bytes": 536870912,
          "rateFactor": 1000,
          "sockets": 50000,
          "subscriptions": 1000000,
        },
        "rate": {
          "capacity": 900,
          "refillPerSecond": 15,
        },
        "sockets": 50000,
      },
      "role": "all",
      "smtpUrl": undefined,
      "socialLoginsPerHour": 20,
      "socials": Map {},
      "sockets": {
        "perClient": 100,
        "total": 5000,
      },
      "sponsorKey": undefined,
      "swapApi": {
        "key": undefined,
        "url": "https://api.1inch.com",
      },
      "trustedProxies": 0,
      "webNetworks": [],
      "webProjectId": "local",
      "webRelay": undefined,
      "webSignIn": "off",
      "webSignInKeep": "token",
      "webSignInPer": "namespace",
    }
  `)
})

test('param: CHAINS_FILE keeps its order and finds token lists in its own folder', () => {
  const { chains } = readConfig({
    CHAINS_FILE: chainsFile({
      chains: {
        'eip155:31338': { ...chain, testnet: true },
        'eip155:31337': { ...chain, tokenLists: ['tokens.json', '/abs/tokens.json'] },
      },
    }),
  })
  expect(Object.keys(chains)).toEqual(['eip155:31338', 'eip155:31337'])
  expect(chains['eip155:31337']?.tokenLists).toEqual([join(dir, 'tokens.json'), '/abs/tokens.json'])
  expect(chains['eip155:31338']).toEqual({ ...chain, testnet: true })
})

test('param: PUBLIC_URL is reduced to its origin; an empty variable counts as unset', () => {
  expect(readConfig({ PUBLIC_URL: 'https://wallet.example/' }).publicUrl).toBe(
    'https://wallet.example',
  )
  expect(readConfig({ PORT: '', PUBLIC_URL: '' }).publicUrl).toBe('http://127.0.0.1:3000')
  expect(localUrl('0.0.0.0', 1)).toBe('http://127.0.0.1:1')
  expect(localUrl('::', 1)).toBe('http://[::1]:1')
})

test('param: the relay: its own limits, its audiences, another one for the web app', () => {
  const config = readConfig({
    ROLE: 'relay',
    RELAY_AUDIENCES: 'wss://a.example, https://b.example',
    RELAY_RATE_BURST: '7',
    RELAY_IDLE_SECONDS: '2',
    WEB_RELAY_URL: 'wss://relay.example/path',
    WEB_RELAY_PROJECT_ID: 'theirs',
  })
  expect(config.role).toBe('relay')
  expect(config.relay.audiences).toEqual(['wss://a.example', 'https://b.example'])
  expect(config.relay.rate).toEqual({ capacity: 7, refillPerSecond: 15 })
  expect(config.relay.idleMs).toBe(2_000)
  expect(config.webRelay).toEqual({ relayUrl: 'wss://relay.example/path', projectId: 'theirs' })
  const wrong = { ROLE: 'web', RELAY_AUDIENCES: 'relay.example', RELAY_SOCKETS: '0' }
  expect(() =>
    readConfig({ ...wrong, WEB_RELAY_URL: 'https://x' }),
  ).toThrowErrorMatchingInlineSnapshot(`
    [StartError: The configuration is not valid:
    ROLE: must be all or relay
    WEB_RELAY_URL: must be a ws:// or wss:// URL
    RELAY_AUDIENCES.0: must be addresses (wss://…), separated by commas
    RELAY_SOCKETS: must be at least 1]
  `)
})

test('error: every wrong variable is named at once', () => {
  expect(() =>
    readConfig({
      PORT: 'eighty',
      DATABASE_URL: 'mysql://x',
      REDIS_URL: 'nope',
      LOG_LEVEL: 'loud',
      BODY_LIMIT: '-1',
      ANALYTICS: 'yes',
      CHAINS_FILE: '/nowhere/chains.json',
    }),
  ).toThrowErrorMatchingInlineSnapshot(`
    [StartError: The configuration is not valid:
    PORT: must be a whole number
    DATABASE_URL: must be a postgres:// URL
    REDIS_URL: must be a redis:// URL
    LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent
    BODY_LIMIT: must be at least 1
    ANALYTICS: must be off or log
    CHAINS_FILE: /nowhere/chains.json cannot be read]
  `)
})

test.each([
  ['not JSON', '{'],
  ['not a CAIP-2 key', { chains: { '31337': chain } }],
  ['an EVM chain without a number', { chains: { 'eip155:one': chain } }],
  ['a chain id that JavaScript rounds', { chains: { 'eip155:9999999999999999': chain } }],
  [
    'an explorer that is no web page',
    { chains: { 'eip155:1': { ...chain, blockExplorer: { name: 'X', url: 'javascript:0' } } } },
  ],
  ['a Polkadot chain without its genesis', { chains: { 'polkadot:westend': chain } }],
  ['no upstream', { chains: { 'eip155:1': { ...chain, upstreams: [] } } }],
  ['a wrong address', { chains: { 'eip155:1': { ...chain, multicall3: '0x12' } } }],
  ['a list', []],
])('error: CHAINS_FILE with %s', (_, content) => {
  expect(() => readConfig({ CHAINS_FILE: chainsFile(content) })).toThrow(/CHAINS_FILE: /)
})

test('param: the frame listens on the port after the web app, or on the configured one', () => {
  expect(readConfig({ PORT: '4000' }).frame).toMatchObject({
    port: 4001,
    url: 'http://127.0.0.1:4001',
  })
  expect(readConfig({ PORT: '0' }).frame.port).toBe(0)
  const frame = { FRAME_PORT: '5000', FRAME_URL: 'https://frame.example/' }
  expect(readConfig(frame).frame).toMatchObject({ port: 5000, url: 'https://frame.example' })
})

test('error: a frame on the origin of the web app, mail without a sender', () => {
  const env = {
    PUBLIC_URL: 'https://app.example',
    FRAME_URL: 'https://app.example',
    SMTP_URL: 'smtp://mail.example',
  }
  expect(() => readConfig(env)).toThrowErrorMatchingInlineSnapshot(`
    [StartError: The configuration is not valid:
    FRAME_URL: must have a different origin than PUBLIC_URL
    MAIL_FROM: must be set with SMTP_URL, such as Latchkey <no-reply@example.com>]
  `)
  expect(() => readConfig({ ...env, FRAME_PORT: '0' })).toThrow('FRAME_URL: must have')
  expect(() => readConfig({ SMTP_URL: 'http://mail.example' })).toThrow('SMTP_URL: must be')
  expect(() => readConfig({ MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' })).toThrow('MAIL_FROM')
  expect(() => readConfig({ OPERATOR_EMAIL: 'ops@shop.example' })).toThrow(
    'OPERATOR_EMAIL: needs SMTP_URL',
  )
  expect(readConfig({ MAIL_FROM: 'Shop <hello@shop.example>' }).mailFrom).toContain('hello@')
})

test('error: WEB_SIGN_IN_KEEP=cookie where browsers do not say that a page is on the site of the server', () => {
  const env = {
    PUBLIC_URL: 'http://app.example',
    WEB_SIGN_IN: 'required',
    WEB_SIGN_IN_KEEP: 'cookie',
  }
  expect(() => readConfig(env)).toThrow(
    'WEB_SIGN_IN_KEEP: cookie needs a PUBLIC_URL with https, or on this machine',
  )
  for (const good of [
    { PUBLIC_URL: 'https://app.example' },
    { PUBLIC_URL: '' },
    { WEB_SIGN_IN: 'off' },
    { WEB_SIGN_IN_KEEP: 'token' },
  ])
    expect(() => readConfig({ ...env, ...good })).not.toThrow()
})

test('param: OUTBOUND_ALLOW is hosts with ports as URLs have them; the gateways lose their slash', () => {
  const { outboundAllow, ipfsGateway, arweaveGateway } = readConfig({
    ARWEAVE_GATEWAY: 'https://arweave.example.com/',
    OUTBOUND_ALLOW: '127.0.0.1:8080, Node.LAN:443,[0:0::1]:80,',
    IPFS_GATEWAY: 'https://ipfs.example.com/ipfs/',
  })
  expect(outboundAllow).toEqual(['127.0.0.1:8080', 'node.lan:443', '[::1]:80'])
  expect(ipfsGateway).toBe('https://ipfs.example.com/ipfs')
  expect(arweaveGateway).toBe('https://arweave.example.com')
})

test.each([
  'localhost',
  'http://localhost:80',
  'a:b@c:80',
  'localhost:0',
  'x y:80',
  '*:80/',
  ':80',
])('error: OUTBOUND_ALLOW %s', (value) => {
  expect(() => readConfig({ OUTBOUND_ALLOW: `127.0.0.1:1,${value}` })).toThrow('OUTBOUND_ALLOW')
})
