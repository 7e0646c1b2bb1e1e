import { createHash } from 'node:crypto'
import { encodeBase58 } from '@latchkey/wire'
import { parseSolanaTransaction } from '@latchkey/wire/solana'
import { type Address, createNoopSigner, type Instruction as KitInstruction } from '@solana/kit'
import {
  getRequestHeapFrameInstruction,
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
  getSetLoadedAccountsDataSizeLimitInstruction,
} from '@solana-program/compute-budget'
import * as system from '@solana-program/system'
import * as token from '@solana-program/token'
import { expect, test } from 'vitest'
import { buildTransaction, other, own } from '../../../../test/solanaRequest.ts'
import { solanaTexts } from '../../../locales/solana.en.ts'
import { programs, sysvars } from '../programs.ts'
import { decodeInstructions, type LayoutField } from './decodeInstructions.ts'
import { layouts } from './layouts.ts'

const me = createNoopSigner(own)
const key = (byte: number) => encodeBase58(new Uint8Array(32).fill(byte)) as Address
const [mint, source, nonce, ata] = [key(50), key(51), key(52), key(53)]
const newAccount = createNoopSigner(key(54))

function decode(instruction: KitInstruction) {
  const bytes = Buffer.from(buildTransaction([instruction]), 'base64')
  const transaction = parseSolanaTransaction(Uint8Array.from(bytes))
  const [decoded] = decodeInstructions(transaction, transaction.keys)
  const roles = Object.fromEntries((decoded?.roles ?? []).map((one) => [one.role, one.address]))
  const uses = (decoded?.roles ?? []).filter((one) => one.uses).map(({ role }) => role)
  return { name: decoded?.name, fields: decoded?.fields, roles, uses }
}

type Case = [KitInstruction, string, Record<string, LayoutField>, Record<string, string>, string[]]
const nonceAccount = nonce
const cases: Case[] = [
  [
    system.getCreateAccountInstruction({
      payer: me,
      newAccount,
      lamports: 5n,
      space: 165n,
      programAddress: other,
    }),
    'createAccount',
    { lamports: 5n, space: 165n, program: other },
    { payer: own, account: key(54) },
    ['payer', 'account'],
  ],
  [
    system.getCreateAccountWithSeedInstruction({
      payer: me,
      newAccount: ata,
      baseAccount: me,
      base: own,
      seed: 'stäke',
      amount: 5n,
      space: 0n,
      programAddress: other,
    }),
    'createAccountWithSeed',
    { base: own, seed: 'stäke', lamports: 5n, space: 0n, program: other },
    { payer: own, account: ata },
    ['payer', 'base'],
  ],
  [
    system.getCreateAccountAllowPrefundInstruction({
      payer: me,
      newAccount,
      lamports: 5n,
      space: 1n,
      programAddress: other,
    }),
    'createAccountPrefunded',
    { lamports: 5n, space: 1n, program: other },
    { payer: own, account: key(54) },
    ['account', 'payer'],
  ],
  [
    system.getTransferSolWithSeedInstruction({
      source,
      baseAccount: me,
      destination: other,
      amount: 7n,
      fromSeed: 'x',
      fromOwner: mint,
    }),
    'transferSolWithSeed',
    { lamports: 7n, seed: 'x', program: mint },
    { from: source, base: own, to: other },
    ['base'],
  ],
  [
    system.getWithdrawNonceAccountInstruction({
      nonceAccount,
      recipientAccount: other,
      nonceAuthority: me,
      withdrawAmount: 3n,
    }),
    'withdrawNonce',
    { lamports: 3n },
    { nonce, to: other, authority: own },
    ['authority'],
  ],
  [
    system.getAuthorizeNonceAccountInstruction({
      nonceAccount,
      nonceAuthority: me,
      newNonceAuthority: other,
    }),
    'authorizeNonce',
    { newAuthority: other },
    { nonce, authority: own },
    ['authority'],
  ],
  [
    system.getAssignWithSeedInstruction({
      account: source,
      baseAccount: me,
      base: own,
      seed: 's',
      programAddress: other,
    }),
    'assignWithSeed',
    { base: own, seed: 's', program: other },
    { account: source, base: own },
    ['base'],
  ],
  [
    token.getTransferCheckedInstruction({
      source,
      mint,
      destination: other,
      authority: nonce,
      amount: 9n,
      decimals: 2,
      multiSigners: [me],
    }),
    'transferChecked',
    { amount: 9n, decimals: 2n },
    { source, mint, destination: other, authority: nonce, signer: own },
    ['authority', 'signer'],
  ],
  [
    token.getApproveCheckedInstruction({
      source,
      mint,
      delegate: other,
      owner: me,
      amount: 9n,
      decimals: 2,
    }),
    'approveChecked',
    { amount: 9n, decimals: 2n },
    { source, mint, delegate: other, authority: own },
    ['authority'],
  ],
  [
    token.getSetAuthorityInstruction({
      owned: mint,
      owner: me,
      authorityType: token.AuthorityType.FreezeAccount,
      newAuthority: null,
    }),
    'setAuthority',
    { authorityKind: 1n, newAuthority: undefined },
    { account: mint, authority: own },
    ['authority'],
  ],
  [
    token.getInitializeMint2Instruction({
      mint,
      decimals: 6,
      mintAuthority: own,
      freezeAuthority: other,
    }),
    'initializeMint',
    { decimals: 6n, mintAuthority: own, freezeAuthority: other },
    { mint },
    [],
  ],
  [
    token.getBurnCheckedInstruction({
      account: source,
      mint,
      authority: me,
      amount: 1n,
      decimals: 0,
    }),
    'burnChecked',
    { amount: 1n, decimals: 0n },
    { source, mint, authority: own },
    ['authority'],
  ],
  [
    token.getUnwrapLamportsInstruction({ source, destination: other, authority: me, amount: 4n }),
    'unwrapLamports',
    { lamports: 4n },
    { source, destination: other, authority: own },
    ['authority'],
  ],
  [
    token.getCreateAssociatedTokenIdempotentInstruction({ payer: me, ata, owner: other, mint }),
    'createTokenAccount',
    {},
    { payer: own, account: ata, owner: other, mint },
    ['payer'],
  ],
  [getSetComputeUnitLimitInstruction({ units: 9 }), 'computeLimit', { units: 9n }, {}, []],
  [
    getSetComputeUnitPriceInstruction({ microLamports: 9n }),
    'computePrice',
    { microLamports: 9n },
    {},
    [],
  ],
  [getRequestHeapFrameInstruction({ bytes: 9 }), 'computeHeap', { bytes: 9n }, {}, []],
  [
    getSetLoadedAccountsDataSizeLimitInstruction({ accountDataSizeLimit: 9 }),
    'computeData',
    { bytes: 9n },
    {},
    [],
  ],
]

test('behavior: instructions of the programs’ own encoders are read with fields, accounts and authorities', () => {
  for (const [instruction, name, fields, roles, uses] of cases) {
    const decoded = decode(instruction)
    expect(decoded).toMatchObject({ name, uses })
    expect(decoded.fields).toEqual(fields)
    expect(decoded.roles).toMatchObject(roles)
  }
})

const account = (address: Address, role = 1) => ({ address, role })
const clock = sysvars[0] as Address
const u64 = (value: number) => [value, 0, 0, 0, 0, 0, 0, 0]

test('behavior: stakes, memos and extensions of Token-2022 are read as their programs lay them out', () => {
  const stake = programs.stake as Address
  const withdraw = decode({
    programAddress: stake,
    accounts: [source, other, clock, clock].map((one) => account(one)).concat(account(own, 2)),
    data: Uint8Array.from([4, 0, 0, 0, ...u64(9)]),
  })
  expect(withdraw).toMatchObject({
    name: 'stakeWithdraw',
    fields: { lamports: 9n },
    roles: { stake: source, to: other, authority: own },
  })
  const lockup = decode({
    programAddress: stake,
    accounts: [account(source), account(own, 2)],
    data: Uint8Array.from([6, 0, 0, 0, 1, ...u64(5), 0, 0]),
  })
  expect(lockup).toMatchObject({
    name: 'stakeSetLockup',
    fields: { lockupTime: 5n, lockupEpoch: undefined, custodian: undefined },
  })
  const memo = decode({
    programAddress: programs.memo as Address,
    data: new TextEncoder().encode('Grüße'),
  })
  expect(memo).toMatchObject({ name: 'memo', fields: { memo: 'Grüße' } })
  const fee = decode({
    programAddress: programs.token2022 as Address,
    accounts: [source, mint, other].map((one) => account(one)).concat(account(own, 2)),
    data: Uint8Array.from([26, 1, ...u64(7), 6, ...u64(2)]),
  })
  expect(fee).toMatchObject({
    name: 'transferCheckedWithFee',
    fields: { amount: 7n, decimals: 6n, fee: 2n },
    uses: ['authority'],
  })
  // Cut off, and the older program has no extensions.
  for (const [programAddress, data] of [
    [programs.token2022, [27, 7]],
    [programs.token, [26, 1, ...u64(7), 6, ...u64(2)]],
  ] as const) {
    const accounts = [source, mint, other, own].map((one) => account(one))
    const hidden = {
      programAddress: programAddress as Address,
      accounts,
      data: Uint8Array.from(data),
    }
    expect(decode(hidden).name).toBeUndefined()
  }
})

test('behavior: every instruction, field and account has a label', () => {
  const { names, labels } = solanaTexts
  for (const { layouts: all } of Object.values(layouts))
    for (const { name, fields, accounts } of Object.values(all)) {
      expect(names).toHaveProperty(name)
      for (const one of [...fields, ...accounts])
        expect(labels).toHaveProperty(one.replace(/:.*$|[!?*]/g, ''))
    }
})

const token2022 = programs.token2022 as Address
const bytes = (count: number, value = 7) => new Array<number>(count).fill(value)
const own2022 = (data: readonly number[], ...accounts: Address[]) =>
  decode({
    programAddress: token2022,
    accounts: [...accounts.map((one) => account(one)), account(own, 2)],
    data: Uint8Array.from(data),
  })

test('behavior: reads a confidential transfer with any form of proofs, and its signing account', () => {
  const data = [27, 7, ...bytes(36), ...bytes(128), 1, 2, 255]
  for (const proofs of [[], [key(1)], [key(1), key(2), key(3), key(4)]]) {
    const decoded = own2022(data, source, mint, other, ...proofs)
    expect(decoded).toMatchObject({
      name: 'transferConfidential',
      roles: { source, mint, destination: other, proof: own },
      fields: { proofOffset: 1n, rangeOffset: -1n, balance: `0x${'07'.repeat(36)}` },
    })
    expect(decoded.uses).toHaveLength(proofs.length + 1)
  }
  // The program refuses the form of earlier versions, which had no auditor.
  expect(own2022([27, 7, ...bytes(36), 1, 2, 3], source, mint, other).name).toBeUndefined()
})

test('behavior: names, groups and permitted burns of Token-2022 are read', () => {
  const text = (words: string) => [words.length, 0, 0, 0, ...new TextEncoder().encode(words)]
  // Tags as the first bytes of SHA-256, so says the interface: spl-token-metadata-interface,
  // `#[discriminator_hash_input(...)]`.
  const tag = (name: string) => [...createHash('sha256').update(name).digest().subarray(0, 8)]
  const rename = tag('spl_token_metadata_interface:updating_field')
  expect(own2022([...rename, 1, ...text('USDC')], mint)).toMatchObject({
    name: 'updateMetadata',
    fields: { metadataField: 'symbol', value: 'USDC' },
    uses: ['authority'],
  })
  expect(own2022([...rename, 3, ...text('site'), ...text('x')], mint).fields).toEqual({
    metadataField: 'site',
    value: 'x',
  })
  expect(own2022([...rename, 4, ...text('x')], mint).name).toBeUndefined()
  const hand = tag('spl_token_metadata_interface:update_the_authority')
  expect(own2022([...hand, ...bytes(32, 0)], mint)).toMatchObject({
    name: 'setMetadataAuthority',
    fields: { newAuthority: undefined },
  })
  const resize = tag('spl_token_group_interface:update_group_max_size')
  expect(own2022([...resize, ...u64(9)], mint)).toMatchObject({ name: 'updateGroupSize' })
  expect(own2022([46, 2, ...u64(9), 6], source, mint, other)).toMatchObject({
    name: 'burnPermitted',
    fields: { amount: 9n, decimals: 6n },
    uses: ['burnAuthority', 'authority'],
  })
})
