import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import {
  account,
  answerReads,
  type ChainAnswers,
  createTestRequest,
  dollars,
  prepareRequest,
} from '../../../test/testRequest.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'

const token = '0x7777777777777777777777777777777777777777'
const chainId = 'eip155:1'

function open(said: ChainAnswers = dollars, more: Partial<ApprovalRequest> = {}) {
  const request = (params: unknown) =>
    createTestRequest({
      method: 'wallet_watchAsset',
      params,
      read: answerReads(said),
      keys: { do: () => Promise.reject(new Error('Nothing is signed here')) },
      ...more,
    })
  return { request, prepare: (params: unknown) => prepareRequest(request(params)) }
}
const asked = (options: object = {}, type = 'ERC20') => ({
  type,
  options: { address: token, symbol: 'USD', decimals: 6, ...options },
})

test('default: prompts the user with facts from the chain, and stores an added token for the account', async () => {
  const { request } = open()
  const given = request(asked())
  const { view, approve } = await prepareRequest(given)
  expect(view.title).toBe('Add this token to your list?')
  expect(view.rows).toEqual([
    { label: 'Symbol, according to the token', value: 'USD' },
    { label: 'Contract', address: token },
    { label: 'Decimals', value: '6' },
    { label: 'You have', value: '100' },
  ])
  expect(view.place).toMatchObject([{ value: 'One' }, { address: account }])
  expect(view.warnings).toMatchObject([{ level: 'caution' }])
  expect(view.blocked).toBeUndefined()
  expect(await given.calls.watched.read(chainId)).toEqual([])
  expect(await approve()).toBe(true)
  expect(await given.calls.watched.read(chainId)).toEqual([token])
})

test('param: accepts a list with one object, which some pages send', async () => {
  const { prepare } = open()
  expect((await prepare([asked()])).view.rows).toHaveLength(4)
})

test('security: shows none of the page’s data about the token', async () => {
  const { prepare } = open()
  const lies = {
    symbol: 'Claim reward at evil.example',
    decimals: 18,
    name: 'Evil',
    image: 'https://evil.example/x.png',
  }
  const { view } = await prepare(asked(lies))
  expect(view).toEqual((await prepare(asked())).view)
  expect(JSON.stringify(view)).not.toMatch(/evil|claim/i)
})

test.each([
  'Claim reward at x',
  'evil.example',
  'evil。com',
  'evil · com',
  'get:reward',
  '@evilbot',
  'www-evil',
  't.me/evil',
  'C-L-A-I-M',
  'FreeAirdrop',
  'ｃｌａｉｍ',
  'Ѵіѕіt',
  'ᴄʟᴀɪᴍ',
  'т.ме',
  'V1S1T',
])(
  'security: a token that calls itself %j cannot be added, and its name is not shown',
  async (symbol) => {
    const { view } = await open({ ...dollars, symbol }).prepare(asked())
    expect(view.blocked).toContain('reads like an invitation')
    expect(JSON.stringify(view)).not.toContain(symbol)
  },
)

test.each(['USDC.e', 'aEthUSDC', 'UNI-V2', '$DAI', 'USD₮0', 'stETH+', 'B.', 'Cake-LP', 'BTC-USD'])(
  'behavior: %s is the symbol of a token',
  async (symbol) => {
    const { view } = await open({ ...dollars, symbol }).prepare(asked())
    expect(view.blocked).toBeUndefined()
    expect(JSON.stringify(view.rows)).toContain(symbol)
  },
)

test('security: a token named like the currency is a danger, and a name in other letters a caution', async () => {
  const levels = async (symbol: string) =>
    (await open({ ...dollars, symbol }).prepare(asked())).view.warnings.map(({ level }) => level)
  expect(await levels('eth')).toEqual(['danger', 'caution'])
  expect(await levels('UЅD')).toEqual(['caution', 'caution'])
})

test('security: a token with a misleading name, by our server, is a danger', async () => {
  const posted: unknown[] = []
  const post = async (_route: unknown, body: unknown) => {
    posted.push(body)
    return { blockList: 'off', listed: [], young: [], misnamed: [token] }
  }
  const { view } = await open(dollars, { post: post as ApprovalRequest['post'] }).prepare(asked())
  expect(view.warnings[0]).toMatchObject({
    level: 'danger',
    text: expect.stringContaining('uses the name of another token'),
  })
  expect(posted).toEqual([{ origin: 'https://app.example', chainId, addresses: [token] }])
})

test('error: refuses other asset types than ERC-20, and addresses without a token', async () => {
  const { prepare } = open()
  const reasonOf = (params: unknown, from = prepare) =>
    from(params).then(
      () => 'shown',
      (error: LatchkeyError) => [error.code, (error.data as { reason?: string }).reason],
    )
  for (const [params, field] of [
    [undefined, 'params'],
    [asked({}, 'ERC721'), 'type'],
    [asked({ address: 'usd.eth' }), 'options.address'],
    [{ type: 'ERC20' }, 'options'],
  ] as const)
    expect(await reasonOf(params)).toEqual(['INVALID_PARAMS', field])
  const failing = (error: Error) => open(dollars, { read: () => Promise.reject(error) }).prepare
  const reverts = new LatchkeyError('RPC_FAILED', { data: { reason: 'execution reverted' } })
  expect(await reasonOf(asked(), failing(reverts))).toEqual(['INVALID_PARAMS', 'options.address'])
  const [code] = await reasonOf(asked(), failing(new LatchkeyError('OFFLINE')))
  expect(code).toBe('RPC_UNAVAILABLE')
})

test('security: a page that asks again and again fills no memory', async () => {
  const { request } = open()
  const { watched } = request(asked()).calls
  for (let at = 0; at < 60; at++)
    await watched.add(chainId, `0x${at.toString(16).padStart(40, '0')}`)
  await watched.add(chainId, `0x${'30'.padStart(40, '0').toUpperCase()}`.replace('0X', '0x'))
  const kept = await watched.read(chainId)
  expect(kept).toHaveLength(50)
  expect(kept.at(-1)).toBe(`0x${'30'.padStart(40, '0')}`)
  expect(await watched.read('eip155:2')).toEqual([])
})
