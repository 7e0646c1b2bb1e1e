import type { KnownProgram } from '../programs.ts'
import { token2022Table } from './token2022Layouts.ts'

/**
 * The layout of one instruction: its name in the locale, its fields after the tag (`name:type`),
 * and its accounts. `!` marks an account whose authority the instruction uses, `?` an optional
 * account, `*` any number of accounts.
 */
export type Layout = {
  readonly name: string
  readonly fields: readonly string[]
  readonly accounts: readonly string[]
}

/**
 * The instructions of one program. `tagBytes`: the length of the tag; an 8-bit tag may be followed
 * by a second tag.
 */
export type ProgramLayouts = {
  readonly tagBytes: 1 | 4
  /** The authority can be several accounts that sign together, listed after all others. */
  readonly hasMoreSigners?: boolean
  readonly layouts: Readonly<Record<string, Layout>>
}

/** Parses `name | fields | accounts` by tag. */
const parseLayouts = (table: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(table).map(([tag, line]) => {
      const [name = '', fields = '', accounts = ''] = line.split('|').map((part) => part.trim())
      const split = (text: string) => text.split(' ').filter((word) => word !== '')
      return [tag, { name, fields: split(fields), accounts: split(accounts) }]
    }),
  )

const system = parseLayouts({
  0: 'createAccount | lamports:u64 space:u64 program:key | payer! account!',
  1: 'assign | program:key | account!',
  2: 'transferSol | lamports:u64 | from! to',
  3: 'createAccountWithSeed | base:key seed:str lamports:u64 space:u64 program:key | payer! account base!?',
  4: 'advanceNonce | | nonce sysvar authority!',
  5: 'withdrawNonce | lamports:u64 | nonce to sysvar sysvar authority!',
  6: 'initializeNonce | newAuthority:key | nonce sysvar sysvar',
  7: 'authorizeNonce | newAuthority:key | nonce authority!',
  8: 'allocate | space:u64 | account!',
  9: 'allocateWithSeed | base:key seed:str space:u64 program:key | account base!',
  10: 'assignWithSeed | base:key seed:str program:key | account base!',
  11: 'transferSolWithSeed | lamports:u64 seed:str program:key | from base! to',
  12: 'upgradeNonce | | nonce',
  13: 'createAccountPrefunded | lamports:u64 space:u64 program:key | account! payer!?',
})

const tokenTable = {
  0: 'initializeMint | decimals:u8 mintAuthority:key freezeAuthority:key? | mint sysvar',
  1: 'initializeAccount | | account mint owner sysvar',
  2: 'initializeMultisig | required:u8 | account sysvar',
  3: 'transfer | amount:u64 | source destination authority!',
  4: 'approve | amount:u64 | source delegate authority!',
  5: 'revoke | | source authority!',
  6: 'setAuthority | authorityKind:u8 newAuthority:key? | account authority!',
  7: 'mintTo | amount:u64 | mint destination authority!',
  8: 'burn | amount:u64 | source mint authority!',
  9: 'closeAccount | | account destination authority!',
  10: 'freezeAccount | | account mint authority!',
  11: 'thawAccount | | account mint authority!',
  12: 'transferChecked | amount:u64 decimals:u8 | source mint destination authority!',
  13: 'approveChecked | amount:u64 decimals:u8 | source mint delegate authority!',
  14: 'mintToChecked | amount:u64 decimals:u8 | mint destination authority!',
  15: 'burnChecked | amount:u64 decimals:u8 | source mint authority!',
  16: 'initializeAccount | owner:key | account mint sysvar',
  17: 'syncNative | | account sysvar?',
  18: 'initializeAccount | owner:key | account mint',
  19: 'initializeMultisig | required:u8 | account',
  20: 'initializeMint | decimals:u8 mintAuthority:key freezeAuthority:key? | mint',
  21: 'getAccountDataSize | extensions:u16s | mint',
  22: 'initializeImmutableOwner | | account',
  23: 'amountToUiAmount | amount:u64 | mint',
  24: 'uiAmountToAmount | uiAmount:text | mint',
  38: 'withdrawExcessLamports | | source destination authority!',
  45: 'unwrapLamports | lamports:u64? | source destination authority!',
}

const stake = parseLayouts({
  0: 'stakeInitialize | staker:key withdrawer:key lockupTime:i64 lockupEpoch:u64 custodian:key | stake sysvar',
  1: 'stakeAuthorize | newAuthority:key stakeAuthority:u32 | stake sysvar authority! custodian!?',
  2: 'stakeDelegate | | stake vote sysvar sysvar config authority!',
  3: 'stakeSplit | lamports:u64 | stake newStake authority!',
  4: 'stakeWithdraw | lamports:u64 | stake to sysvar sysvar authority! custodian!?',
  5: 'stakeDeactivate | | stake sysvar authority!',
  6: 'stakeSetLockup | lockupTime:i64? lockupEpoch:u64? custodian:key? | stake authority!',
  7: 'stakeMerge | | stake otherStake sysvar sysvar authority!',
  8: 'stakeAuthorize | newAuthority:key stakeAuthority:u32 seed:str program:key | stake base! sysvar? custodian!?',
  9: 'stakeInitializeChecked | | stake sysvar staker withdrawer!',
  10: 'stakeAuthorizeChecked | stakeAuthority:u32 | stake sysvar authority! newAuthority! custodian!?',
  11: 'stakeAuthorizeChecked | stakeAuthority:u32 seed:str program:key | stake base! sysvar newAuthority! custodian!?',
  12: 'stakeSetLockup | lockupTime:i64? lockupEpoch:u64? | stake authority! custodian!?',
  13: 'stakeGetMinimum | |',
  14: 'stakeDeactivateDelinquent | | stake vote referenceVote',
  15: 'stakeRedelegate | | stake newStake vote config authority!',
  16: 'stakeMove | lamports:u64 | stake otherStake authority!',
  17: 'stakeMoveSol | lamports:u64 | stake otherStake authority!',
})

const computeBudget = parseLayouts({
  0: 'computeDeprecated | units:u32 extraFee:u32 |',
  1: 'computeHeap | bytes:u32 |',
  2: 'computeLimit | units:u32 |',
  3: 'computePrice | microLamports:u64 |',
  4: 'computeData | bytes:u32 |',
})

const associated = 'payer! account owner mint system tokenProgram'
const associatedToken = parseLayouts({
  '': `createTokenAccount | | ${associated} sysvar?`,
  0: `createTokenAccount | | ${associated} sysvar?`,
  1: `createTokenAccount | | ${associated} sysvar?`,
  2: 'recoverNested | | nested nestedMint destination ownerAccount mint authority! tokenProgram',
})

const memo = parseLayouts({ '*': 'memo | memo:text |' })

/** The layouts of the programs whose instructions are decoded. */
export const layouts: Partial<Record<KnownProgram, ProgramLayouts>> = {
  system: { tagBytes: 4, layouts: system },
  token: { tagBytes: 1, hasMoreSigners: true, layouts: parseLayouts(tokenTable) },
  token2022: {
    tagBytes: 1,
    hasMoreSigners: true,
    layouts: parseLayouts({ ...tokenTable, ...token2022Table }),
  },
  associatedToken: { tagBytes: 1, layouts: associatedToken },
  memo: { tagBytes: 1, layouts: memo },
  memo1: { tagBytes: 1, layouts: memo },
  memo4: { tagBytes: 1, layouts: memo },
  computeBudget: { tagBytes: 1, layouts: computeBudget },
  stake: { tagBytes: 4, layouts: stake },
}
