import fc from 'fast-check'
import { expect, test } from 'vitest'
import { read } from '../shape.ts'
import type { Publish, RpcMethod } from './method.ts'
import { isMethodName, rpcMethods } from './methods.ts'

const key = 'ab'.repeat(32)
const peer = { publicKey: key, metadata: { name: 'App', description: '', url: '', icons: [] } }
const relay = { protocol: 'irn' }
const namespaces = { eip155: { accounts: ['eip155:1:0xab'], methods: [], events: [] } }

test('default', () => {
  const line = (publish: Publish | undefined) =>
    publish && `${publish.tag} ${publish.ttl}${publish.prompt ? ' prompt' : ''}`
  const rows = Object.entries<RpcMethod>(rpcMethods).map(([name, method]) => {
    expect(method.name).toBe(name)
    const { request, response, reject, autoReject } = method
    return [name, ...[request, response, reject, autoReject].map(line).filter(Boolean)].join(' | ')
  })
  expect(rows).toMatchInlineSnapshot(`
    [
      "wc_pairingDelete | 1000 86400 | 1001 86400",
      "wc_pairingPing | 1002 30 | 1003 30",
      "wc_sessionAuthenticate | 1116 3600 prompt | 1117 3600 | 1118 300 | 1119 300",
      "wc_sessionDelete | 1112 86400 | 1113 86400",
      "wc_sessionEvent | 1110 300 prompt | 1111 300",
      "wc_sessionExtend | 1106 86400 | 1107 86400",
      "wc_sessionPing | 1114 30 | 1115 30",
      "wc_sessionPropose | 1100 300 prompt | 1101 300 | 1120 300 | 1121 300",
      "wc_sessionRequest | 1108 300 prompt | 1109 300",
      "wc_sessionSettle | 1102 300 | 1103 300",
      "wc_sessionUpdate | 1104 86400 | 1105 86400",
    ]
  `)
})

test('behavior: no two messages share a tag', () => {
  const tags = Object.values<RpcMethod>(rpcMethods).flatMap((method) =>
    [method.request, method.response, method.reject, method.autoReject].flatMap(
      (publish) => publish?.tag ?? [],
    ),
  )
  expect(new Set(tags).size).toBe(tags.length)
})

test('behavior: messages of peers are parsed', () => {
  const proposal = {
    relays: [relay],
    proposer: peer,
    requiredNamespaces: {},
    optionalNamespaces: { 'eip155:1': { methods: ['personal_sign'], events: [] } },
    expiryTimestamp: 1_700_000_300,
    pairingTopic: key,
  }
  expect(read(rpcMethods.wc_sessionPropose.params, { ...proposal, newer: 1 })).toEqual(proposal)
  const settle = { relay, namespaces, controller: peer, expiry: 1_700_000_300 }
  expect(read(rpcMethods.wc_sessionSettle.params, settle)).toEqual(settle)
  expect(read(rpcMethods.wc_sessionExtend.params, {})).toEqual({})
  const request = { request: { method: 'personal_sign', params: ['0x', 1, null] }, chainId: 'a:b' }
  expect(read(rpcMethods.wc_sessionRequest.params, request)).toEqual(request)
  expect(read(rpcMethods.wc_sessionRequest.result, null)).toBeNull()
  const payload = { domain: 'a', aud: 'b', version: '1', nonce: 'c', iat: 'd' }
  const asked = {
    authPayload: { ...payload, chains: ['eip155:1'] },
    requester: peer,
    expiryTimestamp: 1,
  }
  expect(read(rpcMethods.wc_sessionAuthenticate.params, asked)).toEqual(asked)
  const cacao = { h: { t: 'caip122' }, p: { ...payload, iss: 'e' }, s: { t: 'eip191', s: '0x' } }
  const answer = { cacaos: [cacao], responder: peer }
  expect(read(rpcMethods.wc_sessionAuthenticate.result, answer)).toEqual(answer)
})

test('behavior: absent metadata is empty', () => {
  expect(
    read(rpcMethods.wc_sessionPropose.params, {
      relays: [],
      proposer: { publicKey: key, metadata: { name: 'App' } },
    }),
  ).toEqual({ relays: [], proposer: peer, requiredNamespaces: {}, optionalNamespaces: {} })
})

test('error: invalid params are refused', () => {
  const settle = { relay, namespaces, controller: peer, expiry: 1_700_000_300 }
  const refused: [keyof typeof rpcMethods, unknown][] = [
    ['wc_sessionPropose', { relays: [], proposer: { ...peer, publicKey: 'ab' } }],
    ['wc_sessionPropose', { relays: [], proposer: peer, sessionProperties: { a: null } }],
    ['wc_sessionSettle', { ...settle, expiry: '1' }],
    ['wc_sessionSettle', { ...settle, expiry: -1 }],
    ['wc_sessionSettle', { ...settle, namespaces: [] }],
    ['wc_sessionUpdate', {}],
    ['wc_sessionUpdate', { namespaces: { eip155: { accounts: 'a', methods: [], events: [] } } }],
    ['wc_sessionExtend', { expiry: 1.5 }],
    ['wc_sessionRequest', { request: {}, chainId: 'eip155:1' }],
    ['wc_sessionEvent', { event: { name: 1 }, chainId: 'eip155:1' }],
    ['wc_sessionDelete', { code: '6000', message: '' }],
    ['wc_sessionPing', null],
    ['wc_sessionAuthenticate', { authPayload: {}, requester: peer, expiryTimestamp: 1 }],
  ]
  for (const [name, params] of refused)
    expect(read<unknown>(rpcMethods[name].params, params), name).toBeUndefined()
})

test('error: any JSON is read or refused, never thrown over', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom(...Object.values<RpcMethod>(rpcMethods)),
      (json, method) => {
        read<unknown>(method.params, json)
        read<unknown>(method.result, json)
      },
    ),
  )
  expect(isMethodName('wc_sessionPing')).toBe(true)
  expect(isMethodName('toString')).toBe(false)
})
