import { encodeFunctionData, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { swapRouterAbi } from './abi.ts'
import { checkSwap, type ExpectedSwap } from './checkSwap.ts'

const router = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'
const wrappedNative = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const user = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const thief = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const usd = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const gold = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const routerItself = '0x0000000000000000000000000000000000000002'
const nowSeconds = 1_800_000_000n

type Name = (typeof swapRouterAbi)[number] extends { name: infer Names } ? Names : never
const encode = (functionName: Name, args: readonly unknown[]) =>
  encodeFunctionData({ abi: swapRouterAbi, functionName, args } as Parameters<
    typeof encodeFunctionData
  >[0])
const multicall = (data: readonly Hex[], deadline = nowSeconds + 600n) =>
  encode('multicall', [deadline, data])
const v2 = (amount: bigint, minimum: bigint, path: readonly string[], to: string) =>
  encode('swapExactTokensForTokens', [amount, minimum, path, to])
const v3 = (amount: bigint, minimum: bigint, path: string, recipient: string) =>
  encode('exactInput', [{ path, recipient, amountIn: amount, amountOutMinimum: minimum }])
const toPath = (...tokens: string[]) =>
  `0x${tokens.map((token) => token.slice(2)).join('000bb8')}`.toLowerCase()

const wanted: ExpectedSwap = {
  contracts: { router, wrappedNative },
  user,
  from: usd,
  to: gold,
  amount: 1_000n,
  slippageBps: 100n,
  nowSeconds,
}
const prepared = (data: Hex, value = 0n, expected = 500n) => ({
  to: router.toLowerCase(),
  data,
  value,
  expected,
  gas: 1n,
})
const honest = multicall([v2(1_000n, 495n, [usd, gold], user)])

test('default: all that our server prepares', () => {
  expect(checkSwap(prepared(honest), wanted)).toEqual({
    to: router,
    data: honest,
    value: 0n,
    expected: 500n,
    minimum: 495n,
    deadlineSeconds: nowSeconds + 600n,
  })
  const deep = multicall([v3(1_000n, 495n, toPath(usd, wrappedNative, gold), user)])
  expect(checkSwap(prepared(deep), wanted).minimum).toBe(495n)
  const split = multicall([
    v2(400n, 0n, [usd, gold], routerItself),
    v3(600n, 0n, toPath(usd, gold), routerItself),
    encode('sweepToken', [gold, 498n, user]),
  ])
  expect(checkSwap(prepared(split), wanted).minimum).toBe(498n)
  const toNative = multicall([
    v2(1_000n, 0n, [usd, wrappedNative], routerItself),
    encode('unwrapWETH9', [495n, user]),
  ])
  expect(checkSwap(prepared(toNative), { ...wanted, to: undefined }).minimum).toBe(495n)
  const fromNative = multicall([v2(1_000n, 495n, [wrappedNative, gold], user)])
  expect(checkSwap(prepared(fromNative, 1_000n), { ...wanted, from: undefined }).value).toBe(1_000n)
})

const collected = (...last: Hex[]) =>
  multicall([v2(1_000n, 0n, [usd, gold], routerItself), ...last])

test.each<[string, string, ReturnType<typeof prepared>]>([
  ['another contract', 'contract', { ...prepared(honest), to: thief }],
  ['another value', 'value', prepared(honest, 1n)],
  [
    'it is over',
    'a past deadline',
    prepared(multicall([v2(1_000n, 495n, [usd, gold], user)], nowSeconds)),
  ],
  [
    'it does not end soon',
    'a far deadline',
    prepared(multicall([v2(1_000n, 495n, [usd, gold], user)], nowSeconds + 1_201n)),
  ],
  ['another receiver', 'receiver', prepared(multicall([v2(1_000n, 495n, [usd, gold], thief)]))],
  [
    'another receiver',
    'receiver of V3',
    prepared(multicall([v3(1_000n, 495n, toPath(usd, gold), thief)])),
  ],
  [
    'another receiver',
    'receiver of what is collected',
    prepared(collected(encode('sweepToken', [gold, 495n, thief]))),
  ],
  [
    'another receiver',
    'a path around the collector',
    prepared(
      multicall([
        v2(500n, 0n, [usd, gold], routerItself),
        v2(500n, 0n, [usd, gold], thief),
        encode('sweepToken', [gold, 495n, user]),
      ]),
    ),
  ],
  ['another token', 'token paid', prepared(multicall([v2(1_000n, 495n, [gold, gold], user)]))],
  ['another token', 'token received', prepared(multicall([v2(1_000n, 495n, [usd, usd], user)]))],
  [
    'another token',
    'token of V3',
    prepared(multicall([v3(1_000n, 495n, toPath(usd, wrappedNative), user)])),
  ],
  [
    'another token',
    'a cut path',
    prepared(multicall([v3(1_000n, 495n, `0x${usd.slice(2)}`, user)])),
  ],
  [
    'another token',
    'token collected',
    prepared(collected(encode('sweepToken', [wrappedNative, 495n, user]))),
  ],
  [
    'another token',
    'native currency in place of the token',
    prepared(collected(encode('unwrapWETH9', [495n, user]))),
  ],
  ['another amount', 'more', prepared(multicall([v2(1_001n, 495n, [usd, gold], user)]))],
  ['another amount', 'less', prepared(multicall([v2(999n, 495n, [usd, gold], user)]))],
  [
    'another amount',
    'what the router holds',
    prepared(
      multicall([
        v2(1_000n, 0n, [usd, gold], routerItself),
        v2(0n, 0n, [usd, gold], routerItself),
        encode('sweepToken', [gold, 495n, user]),
      ]),
    ),
  ],
  ['a lower minimum', 'minimum', prepared(multicall([v2(1_000n, 494n, [usd, gold], user)]))],
  ['another minimum', 'no minimum', prepared(multicall([v2(1_000n, 0n, [usd, gold], user)]))],
  ['another minimum', 'nothing expected', prepared(honest, 0n, 0n)],
  ['another minimum', 'a minimum above', prepared(honest, 0n, 494n)],
  [
    'another minimum',
    'none where it is collected',
    prepared(collected(encode('sweepToken', [gold, 0n, user]))),
  ],
  [
    'the steps differ',
    'several minimums',
    prepared(multicall([v2(500n, 250n, [usd, gold], user), v2(500n, 250n, [usd, gold], user)])),
  ],
  [
    'the steps differ',
    'a collector first',
    prepared(
      multicall([
        encode('sweepToken', [gold, 495n, user]),
        v2(1_000n, 0n, [usd, gold], routerItself),
      ]),
    ),
  ],
  [
    'the steps differ',
    'two collectors',
    prepared(
      collected(encode('sweepToken', [gold, 495n, user]), encode('sweepToken', [gold, 495n, user])),
    ),
  ],
  ['the steps differ', 'no swap', prepared(multicall([]))],
  ['the steps differ', 'no multicall', prepared(v2(1_000n, 495n, [usd, gold], user))],
  ['the steps differ', 'a multicall in it', prepared(multicall([honest]))],
  [
    'it cannot be read',
    'an unknown function',
    prepared(multicall([v2(1_000n, 495n, [usd, gold], user), '0x12345678'])),
  ],
  ['it cannot be read', 'nothing', prepared('0x')],
  ['it cannot be read', 'bytes behind the end', prepared(`${honest}00`)],
])('error: %s: %s', (reason, _, lie) => {
  expect(() => checkSwap(lie, wanted)).toThrow(
    expect.objectContaining({ code: 'SWAP_ALTERED', data: { reason } }),
  )
})

test('error: the native currency has to be unwrapped, and nothing else may be taken with it', () => {
  const lies: [ReturnType<typeof prepared>, ExpectedSwap][] = [
    [
      prepared(multicall([v2(1_000n, 495n, [usd, wrappedNative], user)])),
      { ...wanted, to: undefined },
    ],
    [prepared(honest, 1_000n), { ...wanted, from: undefined }],
    [
      prepared(multicall([v2(1_000n, 495n, [wrappedNative, gold], user)]), 999n),
      { ...wanted, from: undefined },
    ],
  ]
  for (const [lie, question] of lies)
    expect(() => checkSwap(lie, question)).toThrow(
      expect.objectContaining({ code: 'SWAP_ALTERED' }),
    )
})

test('behavior: a change of any byte is refused, or still does what the user requested', () => {
  const bytes = honest.slice(2)
  let refused = 0
  for (let index = 0; index < bytes.length; index += 2) {
    const other = (Number.parseInt(bytes.slice(index, index + 2), 16) ^ 0x41).toString(16)
    const data: Hex = `0x${bytes.slice(0, index)}${other.padStart(2, '0')}${bytes.slice(index + 2)}`
    try {
      const { minimum, value, to } = checkSwap(prepared(data), wanted)
      expect({ isEnough: minimum >= 495n, value, to }).toEqual({
        isEnough: true,
        value: 0n,
        to: router,
      })
    } catch (error) {
      expect(error).toMatchObject({ code: 'SWAP_ALTERED' })
      refused += 1
    }
  }
  // What may differ is the minimum, upwards, and the deadline by minutes.
  expect(refused).toBeGreaterThan(bytes.length / 2 - 4)
})
