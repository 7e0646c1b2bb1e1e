import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import * as wire from '../index.ts'
import type { Route } from './route.ts'

const { describeSigned, getWallet, readRisks, readTokenNames, simulateCalls } = wire
const account = `0x${'11'.repeat(20)}`
const token = `0x${'22'.repeat(20)}`
const later = { later: { from: 'a newer server' } }

test('behavior: a page that was opened before its server was updated ignores new members', () => {
  const effects = { isComplete: true, changes: [{ token, id: null, amount: '-5' }], allowances: [] }
  const outcomes = [{ status: 'done' as const, ...effects }]
  const prices = [{ token, usd: 2 }]
  const [price] = prices
  expect(
    simulateCalls.result.parse({ asked: 1, outcomes, prices: [{ ...price, ...later }], ...later }),
  ).toEqual({ asked: 1, outcomes, prices })

  const named = { address: token, name: 'Dev USD', symbol: 'dUSD' }
  const names = { tokens: [{ ...named, ...later }], ...later }
  expect(readTokenNames.result.parse(names)).toEqual({ tokens: [named] })

  const none = { description: null, ...later }
  expect(describeSigned.result.parse(none)).toEqual({ description: null })

  const state = { userId: 'ann', realm: 'main', deviceId: 'one', deviceThumb: 'thumb' }
  expect(getWallet.result.parse({ ...state, ...later })).toEqual(state)
})

test('security: an effect, a warning, or a way to read a value, that this page does not know is not left out of an approval', () => {
  const effects = { isComplete: true, changes: [], allowances: [] }
  for (const outcome of [
    { status: 'done', ...effects, ...later },
    { status: 'done', ...effects, changes: [{ token, id: null, amount: '-5', ...later }] },
    { status: 'failed', reason: 'reverted', ran: { ...effects, ...later } },
  ])
    expect(() => simulateCalls.result.parse({ asked: 1, outcomes: [outcome] })).toThrow()
  const risks = { blockList: 'read', listed: [account], young: [{ address: token, ageSeconds: 9 }] }
  expect(readRisks.result.parse(risks)).toEqual(risks)
  const young = risks.young.map((one) => ({ ...one, ...later }))
  for (const newer of [
    { ...risks, ...later },
    { ...risks, young },
  ])
    expect(() => readRisks.result.parse(newer)).toThrow()
  const field = { path: '#.amount', label: 'Amount', format: 'raw', ...later }
  const description = { source: 'abi', name: 'pay', inputs: [], fields: [field] }
  expect(() => describeSigned.result.parse({ description })).toThrow()
})

test('error: parameters of a call that are more than sixteen tuples within each other are refused', () => {
  const nest = (depth: number): object =>
    depth === 0
      ? { name: 'a', type: 'bool' }
      : { name: 'a', type: 'tuple', components: [nest(depth - 1)] }
  const parse = (depth: number) =>
    describeSigned.result.safeParse({
      description: { source: 'abi', name: 'pay', inputs: [nest(depth)], fields: [] },
    }).success
  expect([parse(16), parse(17)]).toEqual([true, false])
})

test('default: unknown members are refused only in data that is signed, sealed or shown in an approval', () => {
  const found = Object.entries(wire).flatMap(([name, value]) =>
    isRoute(value) ? listStrict(value.result).map((path) => `${name}${path}`) : [],
  )
  expect(found.sort()).toEqual(Object.values(refusing).flat().sort())
})

/** The parts of responses in which unknown members are refused, by reason. */
const refusing = {
  // If part of these were not shown, a user could approve or keep something unseen.
  shown: [
    'describeSigned.description',
    'simulateCalls.outcomes',
    'listSessions.pcis.permissions',
    'readRisks',
    'readSessions.sessions.permissions',
  ],
  // These are compared with signed data, or are signed data together with its signatures.
  signed: [
    'getWallet.moves',
    'getWallet.other.addresses',
    'getWallet.wallet.addresses',
    'getWallet.wallet.manifest',
    'pollEnrollment.addresses',
    'pollEnrollment.manifest',
  ],
  sealed: [
    'getWallet.wallet.factors',
    'getWallet.wallet.sealedSeed',
    'getWallet.wallet.slot.sealedDeviceShare',
    'getWallet.wallet.slot.sealedRecoveryShare',
    'pollEnrollment.sealedDeviceShare',
    'pollEnrollment.sealedRecoveryShare',
    'recoveryShares.sealed',
    'recoveryShares.sealedRecoveryShare',
    'releaseOperatorRecovery.sealed',
    'releaseShare.sealed',
  ],
}

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'path' in value && 'result' in value

type Def = {
  readonly type: string
  readonly shape?: Record<string, z.ZodMiniType>
  readonly catchall?: z.ZodMiniType
  readonly element?: z.ZodMiniType
  readonly options?: readonly z.ZodMiniType[]
  readonly innerType?: z.ZodMiniType
  readonly valueType?: z.ZodMiniType
  readonly items?: readonly z.ZodMiniType[]
}

/** Paths of the outermost objects in a schema that refuse unknown members. */
function listStrict(schema: z.ZodMiniType): string[] {
  const def = schema._zod.def as unknown as Def
  const { shape = {}, catchall, element, options = [], innerType, valueType, items = [] } = def
  if (catchall?._zod.def.type === 'never') return ['']
  const inner = [element, innerType, valueType, ...options, ...items].filter((one) => !!one)
  const members = Object.entries(shape).flatMap(([key, value]) =>
    listStrict(value).map((path) => `.${key}${path}`),
  )
  return [...new Set([...members, ...inner.flatMap(listStrict)])]
}
