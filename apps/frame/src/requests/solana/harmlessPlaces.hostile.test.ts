import { decodeBase58, encodeBase58 } from '@latchkey/wire'
import { parseSolanaTransaction } from '@latchkey/wire/solana'
import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit'
import * as system from '@solana-program/system'
import { expect, test } from 'vitest'
import {
  answerSolana,
  buildTransaction,
  createSolanaRequest,
  type Node,
  other,
  own,
  tokenAccountData,
} from '../../../test/solanaRequest.ts'
import { prepareRequest } from '../../../test/testRequest.ts'
import type { ApprovalView } from '../../approval/approvalView.ts'
import { getEffects } from './getEffects.ts'
import { decodeInstructions } from './instructions/decodeInstructions.ts'
import { harmlessPlaces } from './instructions/harmlessPlaces.ts'
import { layouts } from './instructions/layouts.ts'
import { type KnownProgram, programs, sysvars } from './programs.ts'

const me = createNoopSigner(own)
const key = (byte: number) => encodeBase58(new Uint8Array(32).fill(byte)) as Address
const program = key(52)
const bytesOf = (address: string) => [...(decodeBase58(address) ?? [])]

const viewOf = async (instructions: readonly Instruction[], node: Node = {}) => {
  const params = { transaction: buildTransaction(instructions), pubkey: own }
  const read = answerSolana(node)
  return (await prepareRequest(createSolanaRequest('solana_signTransaction', params, { read })))
    .view
}
const dangers = ({ warnings }: Pick<ApprovalView, 'warnings'>) =>
  warnings.flatMap(({ level, text }) => (level === 'danger' ? text : [])).join('\n')

/** The bytes of a field's value. All keys belong to a stranger. */
function encodeField(type: string): number[] {
  const stranger = bytesOf(other)
  const known: Readonly<Record<string, number[]>> = {
    key: stranger,
    keyOrZero: stranger,
    'key?': [1, ...stranger],
    'u64?': [0],
    'i64?': [0],
    str: [1, 0, 0, 0, 0, 0, 0, 0, 65],
    text32: [1, 0, 0, 0, 65],
    metadataField: [0],
    text: [65],
    u16s: [1, 0],
  }
  const found = known[type]
  if (found) return found
  const bits = /^[uif](\d+)$/.exec(type)
  const bytes = bits ? Number(bits[1]) / 8 : Number(/^b(\d+)$/.exec(type)?.[1])
  return [1, ...new Array<number>(bytes - 1).fill(0)]
}

function encodeTag(tag: string, tagBytes: 1 | 4): number[] {
  if (/^[0-9a-f]{16}$/.test(tag)) return [...Buffer.from(tag, 'hex')]
  if (tag === '' || tag === '*') return []
  const [first = 0, ...more] = tag.split('.').map(Number)
  return [first, ...new Array<number>(tagBytes - 1).fill(0), ...more]
}

/** Roles that only these accounts can have. */
const fixed: Readonly<Record<string, string>> = {
  sysvar: sysvars[0] ?? '',
  system: programs.system,
  tokenProgram: programs.token2022,
}

type InstructionPosition = {
  name: string
  role: string
  isFixed: boolean
  build: (address: string) => Instruction
}

/**
 * Every place of every instruction that is put into words, and one behind the last. All other
 * accounts are strangers'.
 */
const places: InstructionPosition[] = Object.entries(layouts).flatMap(
  ([known, { tagBytes, layouts: all }]) =>
    Object.entries(all).flatMap(([tag, { name, fields, accounts }]) => {
      const roles = [...accounts.map((account) => account.replace(/[!?*]/g, '')), 'behind']
      const build = (address: string, at: number): Instruction => ({
        programAddress: programs[known as KnownProgram] as Address,
        accounts: roles.map((role, index) => ({
          address: (index === at ? address : (fixed[role] ?? key(100 + index))) as Address,
          role: AccountRole.WRITABLE,
        })),
        data: Uint8Array.from([
          ...encodeTag(tag, tagBytes),
          ...fields.flatMap((field) => encodeField(field.split(':')[1] ?? '')),
        ]),
      })
      return roles.map((place, at) => ({
        name,
        isFixed: Object.hasOwn(fixed, place),
        role: decode(build(own, at))[0]?.roles[at]?.role ?? '',
        build: (address: string) => build(address, at),
      }))
    }),
)

function decode(instruction: Instruction) {
  const bytes = Buffer.from(buildTransaction([instruction]), 'base64')
  const transaction = parseSolanaTransaction(Uint8Array.from(bytes))
  return decodeInstructions(transaction, transaction.keys)
}

/** The places in which the wallet would get data or another owner. */
const losingPlaces: Readonly<Record<string, string>> = {
  createAccount: 'account',
  createAccountWithSeed: 'account',
  createAccountPrefunded: 'account',
  assign: 'account',
  assignWithSeed: 'account',
  allocate: 'account',
  allocateWithSeed: 'account',
  initializeNonce: 'nonce',
}

const isListed = (list: string | undefined, role: string) =>
  list?.split(' ').includes(role) ?? false

test('changed email: the wallet in any unlisted place of a known instruction is a danger', async () => {
  expect(places.length).toBeGreaterThan(400)
  for (const { name, role, isFixed, build } of places) {
    const instruction = build(own)
    const view = await viewOf([instruction])
    const what = `${name}.${role}`
    const isUnread = view.rows[0]?.label === '1. Unreadable'
    expect([what, isUnread]).toEqual([what, isFixed])
    if (isFixed) {
      expect([what, dangers(view)]).toEqual([what, expect.stringContaining('could not be read')])
    } else if (isListed(losingPlaces[name], role)) {
      expect([what, view.blocked]).toEqual([what, expect.stringContaining('for good')])
      expect([what, dangers(view)]).toEqual([what, expect.stringContaining('nothing can undo')])
    } else if (!isListed(harmlessPlaces[name]?.wallet, role))
      expect([what, dangers(view)]).toEqual([
        what,
        expect.stringContaining('a right or changes an account'),
      ])
  }
})

/** Accounts of the wallet, in the form that a node returns. */
const held: Readonly<Record<string, { owner: string; data: Uint8Array }>> = {
  token: {
    owner: programs.token,
    data: tokenAccountData({ mint: key(50), owner: own, amount: 5n }),
  },
  token2022: {
    owner: programs.token2022,
    data: Uint8Array.from([
      ...tokenAccountData({ mint: key(50), owner: own, amount: 5n }),
      ...[2, 7, 0, 0, 0],
    ]),
  },
  stakedBy: { owner: programs.stake, data: stakeData({ staker: own }) },
  withdrawnBy: { owner: programs.stake, data: stakeData({ withdrawer: own }) },
  lockedBy: { owner: programs.stake, data: stakeData({ custodian: own }) },
  nonce: { owner: programs.system, data: nonceData(own) },
}

function stakeData(given: { staker?: string; withdrawer?: string; custodian?: string }) {
  const data = new Uint8Array(200)
  data.set([2], 0)
  data.set(bytesOf(given.staker ?? other), 12)
  data.set(bytesOf(given.withdrawer ?? other), 44)
  data.set(bytesOf(given.custodian ?? other), 92)
  return data
}

function nonceData(authority: string) {
  const data = new Uint8Array(80)
  data.set([1, 0, 0, 0, 1], 0)
  data.set(bytesOf(authority), 8)
  return data
}

test('changed email: the wallet’s token, stake or nonce account in any unlisted place is a danger', async () => {
  const account = key(99)
  for (const { name, role, isFixed, build } of places) {
    if (isFixed || isListed(harmlessPlaces[name]?.accounts, role)) continue
    const [instruction] = decode(build(account))
    for (const [kind, state] of Object.entries(held)) {
      const accounts = new Map([[account, { ...state, lamports: 1n }]])
      const effects = instruction ? getEffects(instruction, { own, accounts }) : []
      expect([`${kind}: ${name}.${role}`, effects]).toContainEqual(
        expect.arrayContaining([expect.objectContaining({ kind: 'touch', touched: [account] })]),
      )
    }
  }
  const [first] = places.filter(({ name, role }) => name === 'freezeAccount' && role === 'account')
  const call = first ? [first.build(account)] : []
  const view = await viewOf(call, { accounts: { [account]: held.withdrawnBy } })
  expect(dangers(view)).toContain('a right or changes an account')
})

/** Listed places without any warning or row, because the instruction gives nothing away. */
const silent = [
  'transferSol.to',
  ...[
    'advanceNonce.authority',
    'initializeAccount.owner',
    'createTokenAccount.owner',
    'memo.other',
  ],
  ...['getAccountDataSize.mint', 'amountToUiAmount.mint', 'uiAmountToAmount.mint'],
  ...['stakeSplit.authority', 'stakeDeactivate.authority', 'stakeMerge.authority'],
  ...['stakeMove.authority', 'stakeMoveSol.authority'],
]

test('changed email: each listed place exists and the card shows its effect', async () => {
  for (const [name, { wallet, accounts = '' }] of Object.entries(harmlessPlaces)) {
    for (const role of `${wallet} ${accounts}`.split(' ').filter(Boolean))
      expect(places.map((one) => `${one.name}.${one.role}`)).toContain(`${name}.${role}`)
    for (const role of wallet.split(' ').filter(Boolean)) {
      if (silent.includes(`${name}.${role}`)) continue
      const place = places.find((one) => one.name === name && one.role === role)
      const groups = place ? (await viewOf([place.build(own)])).groups : []
      // The last group is what the node expects.
      expect([`${name}.${role}`, groups.length]).toEqual([`${name}.${role}`, 2])
    }
  }
})

test('changed email: the instructions that gave the whole account away under a plain card are blocked', async () => {
  const cases: [Instruction, string][] = [
    [system.getAllocateInstruction({ newAccount: me, space: 80n }), 'Allocate'],
    [
      system.getCreateAccountInstruction({
        ...{ payer: createNoopSigner(other), newAccount: me, lamports: 1_000_000n },
        ...{ space: 0n, programAddress: program },
      }),
      'CreateAccount',
    ],
    [
      system.getCreateAccountAllowPrefundInstruction({
        ...{ newAccount: me, lamports: 0n, space: 0n, programAddress: program },
      }),
      'CreateAccountAllowPrefund',
    ],
    [system.getAssignInstruction({ account: me, programAddress: program }), 'Assign'],
  ]
  for (const [instruction, what] of cases) {
    const view = await viewOf([instruction])
    expect([what, view.title]).toEqual([what, 'Give your whole account away by signature?'])
    expect([what, view.groups[0]?.label]).toEqual([what, 'Gives your whole account away'])
    expect([what, view.blocked]).toEqual([what, expect.stringContaining('for good')])
    // A passkey confirms what has no limit.
    expect(view.warnings[0]).toMatchObject({ level: 'danger', isUnlimited: true })
  }
  const both = await viewOf([
    system.getTransferSolInstruction({ source: me, destination: other, amount: 1n }),
    system.getAllocateInstruction({ newAccount: me, space: 80n }),
  ])
  expect(both.title).toBe('Give your whole account away and send 0.000000001 SOL by signature?')
})

test('changed email: an address that is derived from the wallet is given away with a danger', async () => {
  const derived = { account: key(70), baseAccount: me, base: own, seed: 's' }
  const paid = system.getTransferSolInstruction({ source: me, destination: key(70), amount: 1n })
  const assign = system.getAssignWithSeedInstruction({ ...derived, programAddress: program })
  const allocate = system.getAllocateWithSeedInstruction({
    ...{ newAccount: key(70), baseAccount: me, base: own, seed: 's', space: 80n },
    programAddress: program,
  })
  for (const one of [assign, allocate])
    expect(dangers(await viewOf([paid, one]))).toContain('belongs to the program')
})

test('changed email: a new stake or nonce account that others hold or can lock is a danger', async () => {
  const none = programs.system
  const stake = (given: {
    staker?: string
    withdrawer?: string
    custodian?: string
    until?: number
  }) =>
    ({
      programAddress: programs.stake as Address,
      accounts: [key(70), sysvars[0] as Address].map((address) => ({
        ...{ address, role: AccountRole.WRITABLE },
      })),
      data: Uint8Array.from([
        ...[0, 0, 0, 0, ...bytesOf(given.staker ?? own), ...bytesOf(given.withdrawer ?? own)],
        ...[given.until ?? 0, 0, 0, 0, 0, 0, 0, 0, ...new Array<number>(8).fill(0)],
        ...bytesOf(given.custodian ?? none),
      ]),
    }) satisfies Instruction
  expect(dangers(await viewOf([stake({})]))).toBe('')
  expect(dangers(await viewOf([stake({ until: 9, custodian: own })]))).toBe('')
  expect(dangers(await viewOf([stake({ staker: other })]))).toContain('Decide where it is staked')
  expect(dangers(await viewOf([stake({ withdrawer: other })]))).toContain('Withdraw all')
  expect(dangers(await viewOf([stake({ custodian: other })]))).toContain('Lock the stake')
  expect(dangers(await viewOf([stake({ until: 9 })]))).toContain('Lock the stake')
  const nonce = (nonceAuthority: string) =>
    system.getInitializeNonceAccountInstruction({
      ...{ nonceAccount: key(70), nonceAuthority: nonceAuthority as Address },
    })
  expect(dangers(await viewOf([nonce(own)]))).toBe('')
  expect(dangers(await viewOf([nonce(other)]))).toContain('empty the nonce account')
})

test('changed email: tokens that a delegate moves out of the wallet are shown as leaving', async () => {
  const source = key(70)
  const accounts = { [source]: held.token }
  const view = await viewOf(
    [
      {
        programAddress: programs.token as Address,
        accounts: [source, key(71), other].map((address) => ({
          ...{ address, role: AccountRole.WRITABLE },
        })),
        data: Uint8Array.of(3, 5, 0, 0, 0, 0, 0, 0, 0),
      },
    ],
    { accounts },
  )
  expect(view.groups[0]?.label).toBe('Leaves your wallet')
  expect(view.warnings.map(({ text }) => text)).toContain('You have never sent to this address.')
})

test('changed email: simulated changes of owner, holder, length or allowance of own accounts are a danger', async () => {
  const account = key(70)
  const run: Instruction = {
    programAddress: program,
    accounts: [own, account].map((address) => ({ address, role: AccountRole.WRITABLE })),
    data: Uint8Array.of(1),
  }
  const wallet = { owner: programs.system, lamports: 9_000 }
  type States = NonNullable<Node['after']>
  const ask = async (after: States, before: States = { [own]: wallet }) =>
    dangers(await viewOf([run], { accounts: before, after }))
  const data = new Uint8Array(80)
  expect(await ask({})).not.toContain('After it')
  expect(await ask({ [own]: { ...wallet, data } })).toContain('nothing can undo')
  expect(await ask({ [own]: { ...wallet, owner: program } })).toContain('nothing can undo')
  // Also of a wallet that the node did not know before.
  expect(await ask({ [own]: { ...wallet, data } }, {})).toContain('nothing can undo')
  expect(await ask({ [own]: wallet }, {})).not.toContain('nothing can undo')
  const { token, token2022, withdrawnBy, nonce } = held
  const change = (state = token, at = 0, bytes: readonly number[] = []) => {
    const changed = Uint8Array.from(state?.data ?? [])
    changed.set(bytes, at)
    return { owner: state?.owner ?? '', data: changed }
  }
  const stranger = bytesOf(other)
  const longer = Uint8Array.from([...(token2022?.data ?? []), 9])
  const cases: [string, (typeof held)[string] | undefined, ReturnType<typeof change>][] = [
    ['owner of tokens', token, change(token, 32, stranger)],
    ['who closes it', token, change(token, 129, [1, 0, 0, 0, ...stranger])],
    ['program', token, { ...change(token), owner: program }],
    ['length', token2022, { ...change(token2022), data: longer }],
    ['staker', withdrawnBy, change(withdrawnBy, 12, bytesOf(key(9)))],
    ['lock', withdrawnBy, change(withdrawnBy, 76, [9])],
    ['nonce', nonce, change(nonce, 8, stranger)],
  ]
  for (const [what, before, after] of cases)
    expect([what, await ask({ [account]: after }, { [account]: before })]).toEqual([
      ...[what, expect.stringContaining('would belong to someone else')],
    ])
  // The same spender with a higher allowance takes more too.
  const allowed = change(token, 72, [1, 0, 0, 0, ...stranger])
  const more = change({ ...allowed }, 121, [5])
  expect(await ask({ [account]: more }, { [account]: allowed })).toContain('could take tokens')
  expect(await ask({ [account]: allowed }, { [account]: more })).not.toContain('could take tokens')
})
