import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import * as wire from '../index.ts'
import type { Route } from './route.ts'

const {
  describeSignedRoute,
  getWalletRoute,
  readRisksRoute,
  readTokenNamesRoute,
  simulateCallsRoute,
} = wire
const account = `0x${'11'.repeat(20)}`
const token = `0x${'22'.repeat(20)}`
const later = { later: { from: 'a newer server' } }

test('behavior: a page that was opened before its server was updated ignores new members', () => {
  const effects = { isComplete: true, changes: [{ token, id: null, amount: '-5' }], allowances: [] }
  const outcomes = [{ status: 'done' as const, ...effects }]
  const prices = [{ token, usd: 2 }]
  const [price] = prices
  expect(
    simulateCallsRoute.result.parse({
      asked: 1,
      outcomes,
      prices: [{ ...price, ...later }],
      ...later,
    }),
  ).toEqual({ asked: 1, outcomes, prices })

  const named = { address: token, name: 'Dev USD', symbol: 'dUSD' }
  const names = { tokens: [{ ...named, ...later }], ...later }
  expect(readTokenNamesRoute.result.parse(names)).toEqual({ tokens: [named] })

  const none = { description: null, ...later }
  expect(describeSignedRoute.result.parse(none)).toEqual({ description: null })

  const state = { userId: 'ann', realm: 'main', deviceId: 'one', deviceThumb: 'thumb' }
  expect(getWalletRoute.result.parse({ ...state, ...later })).toEqual(state)
})

test('security: an approval with an unknown effect, warning or format is refused, not shortened', () => {
  const effects = { isComplete: true, changes: [], allowances: [] }
  for (const outcome of [
    { status: 'done', ...effects, ...later },
    { status: 'done', ...effects, changes: [{ token, id: null, amount: '-5', ...later }] },
    { status: 'failed', reason: 'reverted', ran: { ...effects, ...later } },
  ])
    expect(() => simulateCallsRoute.result.parse({ asked: 1, outcomes: [outcome] })).toThrow()
  const risks = { blockList: 'read', listed: [account], young: [{ address: token, ageSeconds: 9 }] }
  expect(readRisksRoute.result.parse(risks)).toEqual(risks)
  const young = risks.young.map((one) => ({ ...one, ...later }))
  for (const newer of [
    { ...risks, ...later },
    { ...risks, young },
  ])
    expect(() => readRisksRoute.result.parse(newer)).toThrow()
  const field = { path: '#.amount', label: 'Amount', format: 'raw', ...later }
  const description = { source: 'abi', name: 'pay', inputs: [], fields: [field] }
  expect(() => describeSignedRoute.result.parse({ description })).toThrow()
})

test('error: parameters of a call that are more than sixteen tuples within each other are refused', () => {
  const nest = (depth: number): object =>
    depth === 0
      ? { name: 'a', type: 'bool' }
      : { name: 'a', type: 'tuple', components: [nest(depth - 1)] }
  const parse = (depth: number) =>
    describeSignedRoute.result.safeParse({
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
    'describeSignedRoute.description',
    'simulateCallsRoute.outcomes',
    'listSessionsRoute.pcis.permissions',
    'readRisksRoute',
    'readSessionsRoute.sessions.permissions',
  ],
  // These are compared with signed data, or are signed data together with its signatures.
  signed: [
    'getWalletRoute.moves',
    'getWalletRoute.other.addresses',
    'getWalletRoute.wallet.addresses',
    'getWalletRoute.wallet.manifest',
    'pollEnrollmentRoute.addresses',
    'pollEnrollmentRoute.manifest',
  ],
  sealed: [
    'getWalletRoute.wallet.factors',
    'getWalletRoute.wallet.sealedSeed',
    'getWalletRoute.wallet.slot.sealedDeviceShare',
    'getWalletRoute.wallet.slot.sealedRecoveryShare',
    'pollEnrollmentRoute.sealedDeviceShare',
    'pollEnrollmentRoute.sealedRecoveryShare',
    'recoverySharesRoute.sealed',
    'recoverySharesRoute.sealedRecoveryShare',
    'releaseOperatorRecoveryRoute.sealed',
    'releaseShareRoute.sealed',
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
