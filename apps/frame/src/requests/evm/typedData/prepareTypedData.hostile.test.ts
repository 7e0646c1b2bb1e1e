import { maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import {
  account,
  answerReads,
  type ChainAnswers,
  createTestRequest,
  dollars,
  prepareRequest,
} from '../../../../test/testRequest.ts'
import type { ApprovalView } from '../../../approval/approvalView.ts'
import { orderTypes } from './readOrder.ts'
import { knownTypes } from './readTypedData.ts'

const attacker = '0x6666666666666666666666666666666666666666'
const token = '0x7777777777777777777777777777777777777777'
const other = '0x8888888888888888888888888888888888888888'
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const seaport = '0x0000000000000068F116a894984e2DB1123eB395'

/** `address to,uint256 amount` as fields. */
const fields = (list: string) =>
  list.split(',').map((pair) => {
    const [type = '', name = ''] = pair.split(' ')
    return { name, type }
  })
const EIP712Domain = fields('string name,uint256 chainId,address verifyingContract')

type TypedDataInput = {
  types: Record<string, unknown>
  primaryType: string
  domain?: object
  message: object
}

const prepareData = (data: unknown, said: ChainAnswers = dollars, signed: unknown[] = []) =>
  prepareRequest(
    createTestRequest({
      method: 'eth_signTypedData_v4',
      params: [account, data],
      read: answerReads(said),
      keys: {
        do: async (_: string, given: unknown) => {
          signed.push(given)
          return { signature: '0x' }
        },
      } as never,
    }),
  )

async function shownOf(
  { types, primaryType, domain, message }: TypedDataInput,
  said: ChainAnswers = dollars,
) {
  const data = {
    types: { EIP712Domain, ...types },
    primaryType,
    domain: domain ?? { name: 'Login', chainId: 1, verifyingContract: token },
    message,
  }
  return (await prepareData(data, said)).view
}

const dangers = ({ warnings }: Pick<ApprovalView, 'warnings'>) =>
  warnings.flatMap(({ level, text }) => (level === 'danger' ? text : []))
const values = ({ groups }: Pick<ApprovalView, 'groups'>) =>
  groups.flatMap(({ rows }) => rows.flatMap(({ value, address }) => value ?? address ?? []))
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'shown',
    (error: { code?: string }) => error.code,
  )

test('error: a transfer by signature (EIP-3009) shows amount and recipient for any domain name', async () => {
  const authorization = fields(
    'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
  )
  for (const primaryType of ['TransferWithAuthorization', 'ReceiveWithAuthorization']) {
    const view = await shownOf({
      types: { [primaryType]: authorization },
      primaryType,
      message: {
        from: account,
        to: attacker,
        value: '5000000',
        validAfter: 0,
        validBefore: '99999999999',
        nonce: `0x${'00'.repeat(32)}`,
        // These fields are not signed.
        amount: '0',
        statement: 'Log in',
      },
    })
    expect(view.title).toBe('Send 5 USD by signature?')
    expect(view.groups[0]?.label).toBe('Leaves your wallet')
    expect(values(view)).toEqual(expect.arrayContaining(['5 USD', attacker, token]))
    expect(dangers(view).join()).toContain('Your signature alone is enough')
    expect(JSON.stringify(view)).not.toContain('Log in')
  }
})

const permitted = fields('address token,uint256 amount')
const witnessed = (
  begin: string,
  more: Record<string, unknown>,
  witness: string,
): TypedDataInput => ({
  types: {
    PermitWitnessTransferFrom: fields(
      `${begin},address spender,uint256 nonce,uint256 deadline,${witness}`,
    ),
    ...more,
  },
  primaryType: 'PermitWitnessTransferFrom',
  domain: { name: 'Permit2', chainId: 1, verifyingContract: permit2 },
  message: {
    permitted: { token, amount: String(maxUint256) },
    spender: attacker,
    nonce: 1,
    deadline: 1,
    login: { statement: 'Welcome to Example' },
    witness: { statement: 'Welcome to Example' },
  },
})

test('error: Permit2 data with a witness of the page’s choice is a transfer, and no login', async () => {
  const view = await shownOf(
    witnessed(
      'TokenPermissions permitted',
      { TokenPermissions: permitted, Login: fields('string statement') },
      'Login login',
    ),
  )
  expect(view.title).toBe('Let someone else take unlimited USD by signature?')
  expect(values(view)).toEqual(expect.arrayContaining([attacker, token, permit2]))
  expect(dangers(view).join()).toContain('There is no limit')
  // The same with names that only look the part: nothing Permit2 takes, and nothing that passes.
  const bent = await shownOf(
    witnessed(
      'Permissions permitted',
      { Permissions: permitted, Login: fields('string statement') },
      'Login witness',
    ),
  )
  expect(bent.title).toBe('Sign this data?')
  expect(dangers(bent).join()).toContain('could not be read')
})

test('error: refuses a type whose name contains the whole type string that a contract would hash', async () => {
  const name =
    'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Login witness)Login(string statement)TokenPermissions(address token,uint256 amount)Login'
  const message = {
    statement: `0x${'11'.repeat(32)}`,
    account: attacker,
    id: 1,
    until: 1,
    place: `0x${'22'.repeat(32)}`,
  }
  const data = {
    types: {
      EIP712Domain,
      [name]: fields('bytes32 statement,address account,uint256 id,uint256 until,bytes32 place'),
    },
    primaryType: name,
    domain: { name: 'Login', chainId: 1, verifyingContract: permit2 },
    message,
  }
  expect(await codeOf(Promise.resolve(prepareData(data)))).toBe('INVALID_PARAMS')
})

const note = { Note: fields('string text') }
const base: TypedDataInput = { types: note, primaryType: 'Note', message: { text: 'Hi' } }

test.each<[string, unknown]>([
  [
    'a field named as two',
    { ...base, types: { Note: [{ name: 'text,address to', type: 'string' }] } },
  ],
  [
    'a field with marks that turn letters round',
    { ...base, types: { Note: [{ name: 'te\u202ext', type: 'string' }] } },
  ],
  [
    'a field with letters of another alphabet',
    { ...base, types: { Note: [{ name: 'tеxt', type: 'string' }] } },
  ],
  [
    'a field of no name',
    { ...base, types: { Note: [{ name: '', type: 'string' }] }, message: { '': 'Hi' } },
  ],
  [
    'a field like words of ours',
    {
      ...base,
      types: { Note: [{ name: 'Can be taken by', type: 'string' }] },
      message: { 'Can be taken by': 'Nobody' },
    },
  ],
  [
    'the prototype as a field',
    { ...base, types: { Note: [{ name: '__proto__', type: 'string' }] } },
  ],
  ['a field that comes twice', { ...base, types: { Note: fields('string text,string text') } }],
  [
    'a type that takes the name of a number',
    { ...base, types: { Note: fields('uint256 text'), uint256: fields('string text') } },
  ],
  [
    'a type that takes the name of an address',
    {
      ...base,
      types: { Note: fields('address text'), address: fields('string text') },
      message: { text: { text: 'x' } },
    },
  ],
  ['a type nobody describes', { ...base, types: { Note: fields('Other text') } }],
  ['a list in the name of a type', { ...base, types: { 'Note[]': fields('string text') } }],
  [
    'a number out of its range',
    { ...base, types: { Note: fields('uint8 text') }, message: { text: 256 } },
  ],
  [
    'a negative number without sign',
    { ...base, types: { Note: fields('uint8 text') }, message: { text: -1 } },
  ],
  [
    'a number without an exact value',
    { ...base, types: { Note: fields('uint256 text') }, message: { text: 1e21 } },
  ],
  [
    'a number of a size there is not',
    { ...base, types: { Note: fields('uint7 text') }, message: { text: 1 } },
  ],
  [
    'an address that is too long',
    { ...base, types: { Note: fields('address text') }, message: { text: `${attacker}00` } },
  ],
  [
    'a list of another length',
    { ...base, types: { Note: fields('uint256[2] text') }, message: { text: [1] } },
  ],
  ['a value that is not there', { ...base, message: {} }],
  ['a value that is inherited', { ...base, types: { Note: fields('string toString') } }],
  [
    'the domain as its type, so that the message is not signed',
    { ...base, primaryType: 'EIP712Domain' },
  ],
  ['a type that is not there', { ...base, primaryType: 'toString' }],
  [
    'a domain with a salt that is too short',
    { ...base, types: { ...note, EIP712Domain: fields('bytes32 salt') }, domain: { salt: '0x00' } },
  ],
  [
    'more than can be read',
    {
      ...base,
      types: { Note: fields('uint256[] text') },
      message: { text: Array.from({ length: 60_000 }, () => 1) },
    },
  ],
])('error: %s is refused', async (_, asked) => {
  const { types, domain, ...rest } = asked as TypedDataInput
  const data = {
    ...rest,
    types: { EIP712Domain, ...types },
    domain: domain ?? { name: 'Login', chainId: 1, verifyingContract: token },
  }
  expect(await codeOf(Promise.resolve(prepareData(data)))).toBe('INVALID_PARAMS')
  const text = JSON.stringify(data)
  expect(await codeOf(Promise.resolve(prepareData(text)))).toBe('INVALID_PARAMS')
})

test('undo: data of an unknown type is a danger, with any words and any contract', async () => {
  const quiet = { supply: undefined, balance: undefined, decimals: undefined }
  const unknown: TypedDataInput[] = [
    base,
    // An exchange that keeps its books elsewhere: the agent that it names can trade, and its
    // transfers name no contract.
    {
      ...base,
      types: {
        EIP712Domain: fields('string name'),
        Agent: fields('string source,bytes32 connectionId'),
      },
      primaryType: 'Agent',
      domain: { name: 'Books' },
      message: { source: 'a', connectionId: `0x${'11'.repeat(32)}` },
    },
    // A vote, or the vote of another.
    {
      ...base,
      types: { Ballot: fields('uint256 proposalId,uint8 support') },
      primaryType: 'Ballot',
      message: { proposalId: 1, support: 1 },
    },
    // Polygon's tokens: any call in the account's name.
    {
      ...base,
      types: { Meta: fields('uint256 nonce,address from,bytes functionSignature') },
      primaryType: 'Meta',
      message: { nonce: 0, from: account, functionSignature: '0xa9059cbb' },
    },
    // An older market's order.
    {
      ...base,
      types: { MakerOrder: fields('bool isOrderAsk,address signer,uint256 price') },
      primaryType: 'MakerOrder',
      message: { isOrderAsk: true, signer: account, price: 0 },
    },
    // Credit in the account's name.
    {
      ...base,
      types: { DelegationWithSig: fields('address delegatee,uint256 value') },
      primaryType: 'DelegationWithSig',
      message: { delegatee: attacker, value: 1 },
    },
    // Permit2's single permit with a field more than it has.
    { ...base, domain: { name: 'x', chainId: 1, verifyingContract: permit2 }, types: note },
    { ...base, domain: { name: 'x', chainId: 1, verifyingContract: seaport }, types: note },
    // A transfer without a contract: any contract may accept it.
    {
      ...base,
      types: {
        EIP712Domain: fields('string name'),
        Permit: fields(
          'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline',
        ),
      },
      primaryType: 'Permit',
      domain: { name: 'x' },
      message: { owner: account, spender: attacker, value: 1, nonce: 0, deadline: 1 },
    },
  ]
  for (const one of unknown) {
    const view = await shownOf(one, quiet)
    expect(view.title).toBe('Sign this data?')
    expect(dangers(view).join()).toContain('could not be read')
  }
})

const item = fields(
  'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount',
)
const seaportTypes = {
  OfferItem: item,
  ConsiderationItem: [...item, ...fields('address recipient')],
  OrderComponents: fields(
    'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
  ),
}
const zero = `0x${'00'.repeat(20)}`
const offered = (itemType: number, id: number, amount = 1) => ({
  itemType,
  token: other,
  identifierOrCriteria: id,
  startAmount: amount,
  endAmount: 1,
})
const paid = (recipient: string, amount: string, itemType = 0, end = amount) => ({
  itemType,
  token: itemType === 0 ? zero : token,
  identifierOrCriteria: 0,
  startAmount: amount,
  endAmount: end,
  recipient,
})
const order = (offer: object[], consideration: object[]) => ({
  offerer: account,
  zone: zero,
  offer,
  consideration,
  orderType: 0,
  startTime: 0,
  endTime: 1,
  zoneHash: `0x${'00'.repeat(32)}`,
  salt: 1,
  conduitKey: `0x${'00'.repeat(32)}`,
  counter: 0,
})
const market = { name: 'Seaport', chainId: 1, verifyingContract: seaport }
const sell = (message: object) =>
  shownOf(
    { types: seaportTypes, primaryType: 'OrderComponents', domain: market, message },
    { ...dollars, symbol: 'APES' },
  )

test('error: the title of a marketplace order that brings nothing back states it', async () => {
  for (const consideration of [[], [paid(attacker, '1000000000000000000')]]) {
    const view = await sell(order([offered(2, 7), offered(2, 8)], consideration))
    expect(view.title).toBe('Give item 7 of APES and item 8 of APES away for nothing by signature?')
    expect(dangers(view)).toContain('You get nothing for it.')
    expect(values(view)).toEqual(expect.arrayContaining([other, 'Anyone', 'Nothing']))
  }
  // Only the least that comes back counts, and the most that leaves.
  const falling = await sell(
    order([offered(3, 7, 9)], [paid(account, '1000000000000000000', 0, '0')]),
  )
  expect(falling.title).toBe('Offer 9 of item 7 of APES for 0 ETH by signature?')
  expect(dangers(falling)).toContain('You get nothing for it.')
})

test('error: an order for any item, for a token of a false name, or hidden among many', async () => {
  const any = await sell(order([offered(4, 0)], [paid(account, '1000000000000000000')]))
  expect(any.title).toContain('any of them')
  expect(dangers(any).join()).toContain('The buyer chooses')
  const fake = await shownOf(
    {
      types: seaportTypes,
      primaryType: 'OrderComponents',
      domain: market,
      message: order([offered(2, 7)], [paid(account, '5', 1)]),
    },
    { ...dollars, symbol: 'ETH' },
  )
  expect(dangers(fake).join()).toContain('not the network’s currency')
  const good = order([offered(2, 1)], [paid(account, '1000000000000000000')])
  const bad = order([offered(2, 99)], [])
  const bulk = await shownOf(
    {
      types: { ...seaportTypes, BulkOrder: fields('OrderComponents[2][2] tree') },
      primaryType: 'BulkOrder',
      domain: market,
      message: {
        tree: [
          [good, good],
          [good, bad],
        ],
      },
    },
    { ...dollars, symbol: 'APES' },
  )
  expect(bulk.title).toContain('give item 99 of APES away for nothing')
  expect(dangers(bulk)).toContain('You get nothing for it.')
})

const cow =
  'address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance'
const oneInch =
  'uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits'
const rfq =
  'address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,address maker,address taker,address txOrigin,bytes32 pool,uint64 expiry,uint256 salt'

test('error: orders of order books show the given and received assets, and the recipient', async () => {
  const cowOrder = {
    sellToken: token,
    buyToken: other,
    receiver: zero,
    sellAmount: 5_000_000,
    buyAmount: 1,
    validTo: 1,
    appData: `0x${'00'.repeat(32)}`,
    feeAmount: 1_000_000,
    kind: 'sell',
    partiallyFillable: false,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
  }
  const traits = { fair: '0', extended: String(1n << 249n) }
  const inch = {
    salt: 1,
    maker: account,
    receiver: zero,
    makerAsset: token,
    takerAsset: other,
    makingAmount: 5_000_000,
    takingAmount: 7_000_000,
    makerTraits: traits.fair,
  }
  const zeroEx = {
    makerToken: token,
    takerToken: other,
    makerAmount: 5_000_000,
    takerAmount: 0,
    maker: account,
    taker: zero,
    txOrigin: attacker,
    pool: `0x${'00'.repeat(32)}`,
    expiry: 1,
    salt: 1,
  }
  const show = (primaryType: string, list: string, message: object) =>
    shownOf({ types: { [primaryType]: fields(list) }, primaryType, message })
  expect((await show('Order', cow, cowOrder)).title).toBe(
    'Offer 6 USD for 0.000001 USD by signature?',
  )
  const away = await show('Order', cow, { ...cowOrder, receiver: attacker })
  expect(away.title).toBe('Give 6 USD away for nothing by signature?')
  expect((await show('Order', oneInch, inch)).title).toBe('Offer 5 USD for 7 USD by signature?')
  const extended = await show('Order', oneInch, { ...inch, makerTraits: traits.extended })
  expect(extended.title).toBe('Give 5 USD away for nothing by signature?')
  expect(dangers(extended).join()).toContain('Another contract decides')
  expect(dangers(await show('RfqOrder', rfq, zeroEx))).toContain('You get nothing for it.')
  // Row 14: 0x, and 1inch by Permit2, call a token without code, and take it for paid.
  const native = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
  const paid = { ...zeroEx, takerAmount: String(10n ** 18n) }
  const paidInch = { ...inch, takingAmount: String(10n ** 18n) }
  for (const nothing of [native, zero]) {
    for (const unpaid of [
      await show('RfqOrder', rfq, { ...paid, takerToken: nothing }),
      await show('Order', oneInch, { ...paidInch, takerAsset: nothing }),
    ]) {
      expect(unpaid.title).toBe('Give 5 USD away for nothing by signature?')
      expect(dangers(unpaid)).toContain('You get nothing for it.')
    }
  }
  const inEther = { ...cowOrder, buyToken: native, buyAmount: String(10n ** 18n) }
  expect((await show('Order', cow, inEther)).title).toBe('Offer 6 USD for 1 ETH by signature?')
  // This browser has never used the price token.
  const { warnings } = await show('Order', oneInch, inch)
  expect(warnings.map(({ text }) => text).join()).toContain(
    'anyone can create a token with any name',
  )
})

test('error: of a batch of permits each is named, and many by their number', async () => {
  const details = [token, other, attacker].map((one) => ({
    token: one,
    amount: '5',
    expiration: 1,
    nonce: 0,
  }))
  const view = await shownOf({
    types: {
      PermitBatch: fields('PermitDetails[] details,address spender,uint256 sigDeadline'),
      PermitDetails: fields('address token,uint160 amount,uint48 expiration,uint48 nonce'),
    },
    primaryType: 'PermitBatch',
    domain: { name: 'Permit2', chainId: 1, verifyingContract: permit2 },
    message: { details, spender: attacker, sigDeadline: 1 },
  })
  expect(view.title).toBe('Let someone else take 3 amounts of tokens by signature?')
  expect(view.groups).toHaveLength(3)
})

test('behavior: signs exactly what is shown, and nothing that no type names', async () => {
  const signed: unknown[] = []
  const data = {
    types: { EIP712Domain, Note: fields('uint256 n,address to,bytes data') },
    primaryType: 'Note',
    domain: { name: 'x', chainId: '0x1', verifyingContract: token, version: '7' },
    message: {
      n: '0x10',
      to: attacker.toUpperCase().replace('X', 'x'),
      data: '0xAB',
      more: 'unseen',
    },
    more: 'unseen',
  }
  const prepared = await prepareData(JSON.stringify(data), dollars, signed)
  expect(prepared.view.rows.at(-1)?.tree).toEqual([
    { depth: 0, label: 'domain', value: '' },
    { depth: 1, label: 'name', value: 'x' },
    { depth: 1, label: 'chainId', value: '1' },
    { depth: 1, label: 'verifyingContract', value: token },
    { depth: 0, label: 'Note', value: '' },
    { depth: 1, label: 'n', value: '16' },
    { depth: 1, label: 'to', value: attacker },
    { depth: 1, label: 'data', value: '0xab' },
  ])
  await prepared.approve()
  expect(signed).toEqual([
    {
      data: {
        types: data.types,
        primaryType: 'Note',
        domain: { name: 'x', chainId: '1', verifyingContract: token },
        message: { n: '16', to: attacker, data: '0xab' },
      },
    },
  ])
})

test('error: another network is blocked in every spelling, and none at all is warned of', async () => {
  for (const chainId of [2, '2', '0x2', '0x02', 0])
    expect(
      (await shownOf({ ...base, domain: { name: 'x', chainId, verifyingContract: token } }))
        .blocked,
    ).toContain('another network')
  // A domain whose type leaves the network away does not sign the one it names.
  const bare = {
    ...base,
    types: { ...note, EIP712Domain: fields('string name') },
    domain: { name: 'x', chainId: 1 },
  }
  const { blocked, warnings } = await shownOf(bare)
  expect(blocked).toBeUndefined()
  expect(warnings.map(({ text }) => text)).toContain(
    'It names no network, so it is valid on all of them.',
  )
})

/** The types of a hashed type in the form that a page hands over. */
const typesOf = (encoded: string) =>
  Object.fromEntries(
    [...encoded.matchAll(/(\w+)\(([^)]*)\)/g)].map(([, name = '', list = '']) => [
      name,
      fields(list),
    ]),
  )

function fill(type: string, types: Record<string, { name: string; type: string }[]>): unknown {
  const list = /^(.*)\[\]$/.exec(type)
  if (list) return [fill(list[1] ?? '', types)]
  const own = types[type]
  if (own) return Object.fromEntries(own.map((one) => [one.name, fill(one.type, types)]))
  if (type === 'address') return attacker
  if (type === 'bool') return true
  if (type === 'string') return 'sell'
  return type.startsWith('bytes') ? `0x${'11'.repeat(Number(type.slice(5)))}` : '7'
}

test('undo: each known type shows what it allows, and is a danger', async () => {
  const all = [...Object.keys(knownTypes), ...Object.keys(orderTypes)]
  expect(all.length).toBeGreaterThan(10)
  for (const encoded of all) {
    const types = typesOf(encoded)
    const primaryType = encoded.slice(0, encoded.indexOf('('))
    const message = fill(primaryType, types) as object
    const view = await shownOf({ types, primaryType, message })
    expect([encoded, view.title]).not.toEqual([encoded, 'Sign this data?'])
    expect([encoded, view.groups.length]).toEqual([encoded, 1])
    expect([encoded, dangers(view).join()]).toEqual([
      ...[encoded, expect.stringContaining('Your signature alone is enough')],
    ])
  }
})
