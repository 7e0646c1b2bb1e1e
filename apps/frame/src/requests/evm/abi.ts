import type { Hex } from 'viem'
import type { Effect, EffectAsset } from '../effect.ts'
import { toSelector } from './codec/toSelector.ts'

/** The target of a call and the account that makes it. */
export type CallTarget = { readonly contract: Hex; readonly account: Hex }
type Args = readonly unknown[]
/**
 * Returns the effects of a call, or its inner calls if it is a batch; undefined if the call does
 * not match its function.
 */
type Read = (
  args: Args,
  at: CallTarget,
) => readonly Effect[] | { readonly calls: readonly Hex[] } | undefined

/** Functions without effects whose call takes nothing. Any other named call may be harmful. */
const harmlessCalls: ReadonlySet<string> = new Set([
  // It has no arguments, and it takes only its payment. Without a payment it can take tokens.
  'deposit',
])

/**
 * Functions that the frame can decode, as JSON ABI, because a parser of signatures would be larger.
 * Without `read`, the call is only named, with its arguments.
 */
const call = (
  name: string,
  types: string,
  read: Read = (args, { contract }) => [
    {
      kind: 'call',
      contract,
      data: '0x',
      name: `${name}(${args})`,
      isHarmless: harmlessCalls.has(name),
    },
  ],
  payable?: true,
) => ({
  type: 'function' as const,
  name,
  selector: toSelector(`${name}(${types.replaceAll(' ', ',')})`),
  stateMutability: payable ? ('payable' as const) : ('nonpayable' as const),
  inputs: types === '' ? [] : types.split(' ').map((type) => ({ type, name: '' })),
  outputs: [],
  read,
})

const units = (token: Hex, amount: unknown): EffectAsset => ({
  kind: 'units',
  token,
  amount: amount as bigint,
})
const either = (token: Hex, amount: unknown): EffectAsset => ({
  kind: 'either',
  token,
  amount: amount as bigint,
})
const send = (asset: EffectAsset, from: unknown, to: unknown): Effect => ({
  kind: 'send',
  asset,
  from: from as Hex,
  to: to as Hex,
})
const maxItems = 100
/**
 * A transfer of items with data. The recipient contract is called with this data and may act on it.
 */
const sendItems = (
  token: Hex,
  [from, to, data = '0x']: Args,
  { name, items }: { readonly name: string; readonly items: readonly (readonly unknown[])[] },
): Effect[] => [
  ...items.map(([id, amount]) =>
    send({ kind: 'item', token, id: id as bigint, amount: amount as bigint }, from, to),
  ),
  ...(data === '0x'
    ? []
    : [
        {
          kind: 'call' as const,
          contract: to as Hex,
          data: data as Hex,
          name: `on${name}Received`,
        },
      ]),
]

const transfer: Read = ([to, amount], { contract, account }) => [
  send(units(contract, amount), account, to),
]
const changeAllowance =
  (change: 'more' | 'less'): Read =>
  ([spender, amount], { contract, account }) => [
    {
      kind: 'allow',
      asset: units(contract, amount),
      owner: account,
      spender: spender as Hex,
      change,
    },
  ]
const item: Read = ([from, to, id, data], { contract }) =>
  sendItems(contract, [from, to, data], { name: 'ERC721', items: [[id, 1n]] })
/** The calls that the frame can decode, and their effects. */
export const callDecoders = [
  call('transfer', 'address uint256', transfer),
  call('transferFrom', 'address address uint256', ([from, to, amount], { contract }) => [
    send(either(contract, amount), from, to),
  ]),
  call('approve', 'address uint256', ([spender, amount], { contract, account }) => [
    { kind: 'allow', asset: either(contract, amount), owner: account, spender: spender as Hex },
  ]),
  call('increaseAllowance', 'address uint256', changeAllowance('more')),
  call('decreaseAllowance', 'address uint256', changeAllowance('less')),
  // Older names of the same functions.
  call('increaseApproval', 'address uint256', changeAllowance('more')),
  call('decreaseApproval', 'address uint256', changeAllowance('less')),
  call('safeTransferFrom', 'address address uint256', item),
  call('safeTransferFrom', 'address address uint256 bytes', item),
  call(
    'safeTransferFrom',
    'address address uint256 uint256 bytes',
    ([from, to, id, amount, data], { contract }) =>
      sendItems(contract, [from, to, data], { name: 'ERC1155', items: [[id, amount]] }),
  ),
  call(
    'safeBatchTransferFrom',
    'address address uint256[] uint256[] bytes',
    ([from, to, ids, amounts, data], { contract }) => {
      const [each, counts] = [ids as readonly bigint[], amounts as readonly bigint[]]
      if (each.length !== counts.length || each.length > maxItems) return undefined
      const items = each.map((id, index) => [id, counts[index]])
      return sendItems(contract, [from, to, data], { name: 'ERC1155Batch', items })
    },
  ),
  call('setApprovalForAll', 'address bool', ([operator, approved], { contract }) => [
    {
      kind: 'operate',
      collection: contract,
      operator: operator as Hex,
      approved: approved as boolean,
    },
  ]),
  // EIP-2612
  call(
    'permit',
    'address address uint256 uint256 uint8 bytes32 bytes32',
    ([owner, spender, amount, until], { contract }) => [
      {
        kind: 'allow',
        asset: units(contract, amount),
        owner: owner as Hex,
        spender: spender as Hex,
        until: until as bigint,
      },
    ],
  ),
  // Permit2
  call(
    'approve',
    'address address uint160 uint48',
    ([token, spender, amount, until], { contract, account }) => [
      {
        kind: 'allow',
        asset: units(token as Hex, amount),
        owner: account,
        spender: spender as Hex,
        until: BigInt(until as number),
        via: contract,
      },
    ],
  ),
  call('multicall', 'bytes[]', ([inner]) => ({ calls: inner as readonly Hex[] }), true),
  call('multicall', 'uint256 bytes[]', ([, inner]) => ({ calls: inner as readonly Hex[] }), true),
  call('deposit', '', undefined, true),
  call('withdraw', 'uint256'),
] as const
