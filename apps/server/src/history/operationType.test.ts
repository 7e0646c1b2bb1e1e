import { operationTypes } from '@latchkey/wire'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ActivityRow, ActivityTransfer } from '../activity/activity.ts'
import { getDirection, getOperationType } from './operationType.ts'

const me = '0x00000000000000000000000000000000000000a1'
const you = '0x00000000000000000000000000000000000000b2'
const vault = '0x00000000000000000000000000000000000000c3'
const zero = '0x0000000000000000000000000000000000000000'
const gold = '0x00000000000000000000000000000000000000d4'
const shares = '0x00000000000000000000000000000000000000f6'
const art = '0x00000000000000000000000000000000000000e5'

const row = (changes: Partial<ActivityRow> = {}): ActivityRow => ({
  chainId: 'eip155:1',
  hash: `0x${'1'.repeat(64)}`,
  blockNumber: 1n,
  index: 0,
  minedAtMs: 0,
  from: me,
  to: vault,
  created: undefined,
  nonce: 0,
  valueWei: 0n,
  feeWei: 0n,
  selector: '0x12345678',
  status: 'confirmed',
  transfers: [],
  ...changes,
})
const move = (
  standard: ActivityTransfer['standard'],
  from: ActivityTransfer['from'],
  to: ActivityTransfer['to'],
): ActivityTransfer => ({
  standard,
  contract: standard === 'native' ? undefined : standard === 'erc20' ? gold : art,
  from,
  to,
  tokenId: standard === 'native' || standard === 'erc20' ? undefined : 7n,
  amount: 1n,
})
const money = (from: ActivityTransfer['from'], to: ActivityTransfer['to']) =>
  move('native', from, to)
const token = (from: ActivityTransfer['from'], to: ActivityTransfer['to']) =>
  move('erc20', from, to)
/** Another token than gold. */
const share = (...moved: Parameters<typeof token>): ActivityTransfer => ({
  ...token(...moved),
  contract: shares,
})
const much = (transfer: ActivityTransfer): ActivityTransfer => ({ ...transfer, amount: 100n })
const nft = (from: ActivityTransfer['from'], to: ActivityTransfer['to']) => move('erc721', from, to)

const cases: [string, Partial<ActivityRow>, string][] = [
  ['money out', { selector: undefined, transfers: [money(me, you)] }, 'send'],
  ['a token out', { selector: '0xa9059cbb', transfers: [token(me, you)] }, 'send'],
  ['taken by an allowance', { from: you, transfers: [token(me, you)] }, 'send'],
  ['a transfer that failed', { selector: '0xa9059cbb', status: 'failed' }, 'send'],
  ['money in', { from: you, to: me, transfers: [money(you, me)] }, 'receive'],
  ['an NFT from nowhere', { transfers: [nft(zero, me)] }, 'mint'],
  ['an NFT from nowhere, paid', { transfers: [money(me, art), nft(zero, me)] }, 'mint'],
  ['a token to nowhere', { selector: '0x42966c68', transfers: [token(me, zero)] }, 'burn'],
  [
    'an NFT to the dead',
    { transfers: [nft(me, '0x000000000000000000000000000000000000dead')] },
    'burn',
  ],
  ['approve', { selector: '0x095ea7b3' }, 'approve'],
  ['setApprovalForAll', { selector: '0xa22cb465' }, 'approve'],
  ['permit', { selector: '0xd505accf' }, 'approve'],
  ['one token for another', { transfers: [money(me, vault), token(vault, me)] }, 'trade'],
  [
    'a token for money that another contract pays',
    { transfers: [token(me, art), money(vault, me)] },
    'trade',
  ],
  ['a contract made', { to: undefined, created: vault, selector: '0x60806040' }, 'deploy'],
  ['wrapping', { selector: '0xd0e30db0', transfers: [money(me, vault)] }, 'deposit'],
  [
    'unwrapping',
    { selector: '0x2e1a7d4d', transfers: [token(me, zero), money(vault, me)] },
    'withdraw',
  ],
  [
    'wrapping by a bare payment',
    { to: gold, transfers: [money(me, gold), token(gold, me)] },
    'deposit',
  ],
  [
    'unwrapping in a batch',
    { selector: '0x34fcd5be', transfers: [token(me, gold), money(gold, me)] },
    'withdraw',
  ],
  ['ERC-4626 deposit', { selector: '0x6e553f65', transfers: [token(me, vault)] }, 'deposit'],
  ['ERC-4626 redeem', { selector: '0xba087652', transfers: [money(vault, me)] }, 'withdraw'],
  ['shares for money', { transfers: [money(me, vault), token(zero, me)] }, 'deposit'],
  ['money for shares', { transfers: [token(me, zero), money(vault, me)] }, 'withdraw'],
  [
    'a swap of a token that burns a part of each transfer',
    { transfers: [much(token(me, vault)), token(me, zero), money(vault, me)] },
    'trade',
  ],
  [
    'a swap of a token that keeps a part of each transfer',
    { transfers: [much(token(me, vault)), token(me, gold), money(vault, me)] },
    'trade',
  ],
  [
    'a swap for a token that adds a part to each transfer',
    { transfers: [money(me, vault), much(token(vault, me)), token(gold, me)] },
    'trade',
  ],
  [
    'a deposit with change',
    { transfers: [much(token(me, vault)), share(zero, me), token(vault, me)] },
    'deposit',
  ],
  [
    'a withdrawal with change',
    { transfers: [much(share(me, zero)), share(vault, me), token(vault, me)] },
    'withdraw',
  ],
  [
    'a withdrawal of two assets',
    { transfers: [share(me, zero), token(vault, me), money(vault, me)] },
    'withdraw',
  ],
  [
    'a withdrawal with a fee',
    { transfers: [share(me, zero), money(me, vault), token(vault, me)] },
    'withdraw',
  ],
  [
    'wrapping in a router with change',
    { transfers: [much(money(me, vault)), much(token(gold, me)), money(vault, me)] },
    'deposit',
  ],
  [
    'unwrapping in a router with change',
    { transfers: [much(token(me, gold)), token(vault, me), money(vault, me)] },
    'withdraw',
  ],
  [
    'a swap of money with change',
    { transfers: [much(money(me, vault)), token(art, me), money(vault, me)] },
    'trade',
  ],
  [
    'money wrapped and swapped by a smart account',
    { from: you, transfers: [money(me, gold), token(gold, me), token(me, art), share(art, me)] },
    'trade',
  ],
  [
    'a token swapped and unwrapped by a smart account that pays a fee',
    {
      from: you,
      transfers: [
        ...[share(me, art), much(token(art, me)), much(token(me, gold)), much(money(gold, me))],
        money(me, vault),
      ],
    },
    'trade',
  ],
  ['money out and back', { transfers: [money(me, vault), money(vault, me)] }, 'execute'],
  ['stake', { selector: '0xa694fc3a', transfers: [token(me, vault)] }, 'stake'],
  ['unstake', { selector: '0x2e17de78', transfers: [token(vault, me)] }, 'unstake'],
  ['getReward', { selector: '0x3d18b912', transfers: [token(vault, me)] }, 'claim'],
  ['borrow', { selector: '0xa415bcad', transfers: [token(vault, me)] }, 'borrow'],
  ['repay', { selector: '0x573ade81', transfers: [token(me, vault)] }, 'repay'],
  ['an NFT for money', { transfers: [money(me, you), nft(you, me)] }, 'bought'],
  ['money for an NFT', { from: you, transfers: [nft(me, you), token(you, me)] }, 'sell'],
  ['nothing to itself', { to: me, selector: undefined }, 'cancel'],
  ['a call', {}, 'execute'],
  ['a call of somebody else', { from: you, selector: '0x095ea7b3' }, 'execute'],
]

test.each(cases)('default: %s', (_, changes, expected) => {
  expect(getOperationType(row(changes), me)).toBe(expected)
})

const address = fc.constantFrom(me, you, vault, zero, gold) as fc.Arbitrary<typeof me>
const anyTransfer: fc.Arbitrary<ActivityTransfer> = fc.record({
  standard: fc.constantFrom('native', 'erc20', 'erc721', 'erc1155'),
  contract: fc.option(address, { nil: undefined }),
  from: address,
  to: address,
  tokenId: fc.option(fc.bigInt({ min: 0n }), { nil: undefined }),
  amount: fc.bigInt({ min: 0n }),
})
const anyRow = fc
  .record({
    from: address,
    to: fc.option(address, { nil: undefined }),
    created: fc.option(address, { nil: undefined }),
    valueWei: fc.bigInt({ min: 0n }),
    selector: fc.constantFrom(undefined, '0x095ea7b3', '0xd0e30db0', '0xa9059cbb', '0x00000000'),
    status: fc.constantFrom('confirmed', 'failed', 'pending'),
    transfers: fc.array(anyTransfer),
  })
  .map((changes) => row(changes as Partial<ActivityRow>))

test('behavior: every row has a type that the views have words for', () => {
  fc.assert(
    fc.property(anyRow, address, (one, account) => {
      expect(operationTypes).toContain(getOperationType(one, account))
    }),
  )
})

test('behavior: what goes out is never said to come in', () => {
  fc.assert(
    fc.property(fc.array(anyTransfer, { minLength: 1 }), (transfers) => {
      const outs = transfers.map((one) => ({ ...one, from: me, to: you, amount: 1n }) as const)
      expect(getOperationType(row({ transfers: outs }), me)).not.toMatch(
        /receive|mint|bought|claim/,
      )
      expect(outs.map((one) => getDirection(one, you))).toEqual(outs.map(() => 'in'))
    }),
  )
})
