import { losesWallet } from '../../wallet/sign/losesWallet.ts'
import {
  type DecodedInstruction,
  getAccountAddress,
  type LayoutField,
} from './instructions/decodeInstructions.ts'
import { findTouched } from './instructions/harmlessPlaces.ts'
import { programs } from './programs.ts'
import { type Accounts, isHeldBy } from './readAccounts.ts'

/**
 * An amount of SOL or of a token. `account`: the token account it leaves. `mint` and `decimals`:
 * the values in the bytes, which the network enforces. Without `value`: the whole balance for SOL;
 * an encrypted amount for a token.
 */
export type SolanaAmount =
  | { readonly unit: 'lamports'; readonly value: bigint | undefined }
  | {
      readonly unit: 'tokens'
      readonly value: bigint | undefined
      readonly account: string
      readonly mint: string | undefined
      readonly decimals: number | undefined
    }

/**
 * An effect of an instruction, computed from the bytes that are signed. `isOwn`: the instruction
 * uses the wallet's authority, or an account of the wallet according to the node.
 */
export type SolanaEffect = { readonly isOwn: boolean } & (
  | {
      readonly kind: 'send'
      readonly amount: SolanaAmount
      readonly from: string
      readonly to: string
    }
  | {
      readonly kind: 'allow'
      readonly amount: SolanaAmount
      readonly from: string
      readonly spender: string
    }
  | { readonly kind: 'revoke'; readonly from: string }
  | { readonly kind: 'burn'; readonly amount: SolanaAmount; readonly from: string }
  /** `authority`: a key of the locale strings. Without `to`: no one. */
  | {
      readonly kind: 'control'
      readonly authority: string
      readonly account: string
      readonly to: string | undefined
    }
  | { readonly kind: 'close'; readonly account: string; readonly to: string }
  /** Pays the rent of a new token account. */
  | { readonly kind: 'open'; readonly account: string; readonly owner: string }
  /** Delegates staked SOL to a validator. */
  | { readonly kind: 'stake'; readonly account: string; readonly to: string }
  /** The wallet's own address gets data or another owner, and with it goes everything it holds. */
  | { readonly kind: 'lose'; readonly instruction: DecodedInstruction }
  /**
   * A named instruction that has the wallet or its accounts (`touched`) in places that are not
   * listed as harmless.
   */
  | {
      readonly kind: 'touch'
      readonly instruction: DecodedInstruction
      readonly touched: readonly string[]
    }
  /** An instruction that cannot be described. `isSigned`: it gets the account's signature. */
  | { readonly kind: 'run'; readonly instruction: DecodedInstruction; readonly isSigned: boolean }
)

/**
 * The wallet (`own`) and the states of accounts according to the node, which can only add effects.
 */
export type WalletAccounts = { readonly own: string; readonly accounts: Accounts }

/** The effects of one instruction for the wallet. */
export function getEffects(
  instruction: DecodedInstruction,
  { own, accounts }: WalletAccounts,
): SolanaEffect[] {
  const places = instruction.roles.map(({ address }) => address)
  if (losesWallet({ ...instruction, accounts: places }, own))
    return [{ kind: 'lose', instruction, isOwn: true }]
  if (instruction.name === undefined)
    return [{ kind: 'run', instruction, isSigned: instruction.isSignedBy(own), isOwn: true }]
  const isMine = (address: string) => isHeldBy(accounts.get(address), own)
  const touched = findTouched(instruction, { own, isMine })
  return [
    ...getNamedEffects(instruction, own, isMine),
    ...(touched.length > 0 ? [{ kind: 'touch' as const, instruction, touched, isOwn: true }] : []),
  ]
}

/** The effects of a named instruction; none if it gives nothing away. */
function getNamedEffects(
  instruction: DecodedInstruction,
  own: string,
  isMine: (address: string) => boolean,
): SolanaEffect[] {
  const { name, roles } = instruction
  const isSigned = roles.some(({ uses, address }) => uses && address === own)
  const account = (role: string) => getAccountAddress(instruction, role) ?? ''
  const field = (key: string) => instruction.fields[key]
  const sol = (value = field('lamports')): SolanaAmount => ({
    unit: 'lamports',
    value: toBig(value),
  })
  const tokens = (): SolanaAmount => ({
    unit: 'tokens',
    value: toBig(field('amount')),
    account: account('source'),
    mint: getAccountAddress(instruction, 'mint'),
    decimals: field('decimals') === undefined ? undefined : Number(field('decimals')),
  })
  const of = (role: string) => ({ isOwn: isSigned || isMine(account(role)) })
  const send = (amount: SolanaAmount, from: string, to: string): SolanaEffect[] => [
    { kind: 'send', amount, from: account(from), to: account(to), ...of(from) },
  ]
  const control = (authority: string, role: string, to: LayoutField): SolanaEffect[] => [
    { kind: 'control', authority, account: account(role), to: toText(to), ...of(role) },
  ]
  /** A right over a new account. Granting it to the wallet itself gives nothing away. */
  const grant = (authority: string, role: string, to: LayoutField) =>
    to === own ? [] : control(authority, role, to)
  switch (name) {
    case 'transferSol':
    case 'transferSolWithSeed':
      return send(sol(), 'from', 'to')
    case 'createAccount':
    case 'createAccountWithSeed':
    case 'createAccountPrefunded':
      return field('lamports') === 0n ? [] : send(sol(), 'payer', 'account')
    case 'withdrawNonce':
      return send(sol(), 'nonce', 'to')
    case 'stakeWithdraw':
      return send(sol(), 'stake', 'to')
    case 'assign':
    case 'assignWithSeed':
    case 'allocateWithSeed':
      return control('program', 'account', field('program'))
    case 'initializeNonce':
      return grant('nonce', 'nonce', field('newAuthority'))
    case 'authorizeNonce':
      return control('nonce', 'nonce', field('newAuthority'))
    case 'stakeAuthorize':
      return control(stakeAuthority(field('stakeAuthority')), 'stake', field('newAuthority'))
    case 'stakeAuthorizeChecked':
      return control(stakeAuthority(field('stakeAuthority')), 'stake', account('newAuthority'))
    case 'stakeSetLockup':
      return control(
        'lockup',
        'stake',
        field('custodian') ?? getAccountAddress(instruction, 'custodian'),
      )
    case 'stakeInitialize':
      return [
        ...grant('stake', 'stake', field('staker')),
        ...grant('withdraw', 'stake', field('withdrawer')),
        ...(hasLockup(instruction, own) ? control('lockup', 'stake', field('custodian')) : []),
      ]
    case 'stakeInitializeChecked':
      return [
        ...grant('stake', 'stake', account('staker')),
        ...grant('withdraw', 'stake', account('withdrawer')),
      ]
    case 'stakeDelegate':
      return [{ kind: 'stake', account: account('stake'), to: account('vote'), ...of('stake') }]
    case 'transfer':
    case 'transferChecked':
    case 'transferCheckedWithFee':
    case 'transferConfidential':
      return send(tokens(), 'source', 'destination')
    case 'approve':
    case 'approveChecked':
      return [
        {
          kind: 'allow',
          amount: tokens(),
          from: account('source'),
          spender: account('delegate'),
          ...of('source'),
        },
      ]
    case 'revoke':
      return [{ kind: 'revoke', from: account('source'), ...of('source') }]
    case 'setAuthority':
      return control(`token${field('authorityKind')}`, 'account', field('newAuthority'))
    case 'burn':
    case 'burnChecked':
    case 'burnPermitted':
    case 'burnConfidential':
      return [{ kind: 'burn', amount: tokens(), from: account('source'), ...of('source') }]
    case 'closeAccount':
      return [
        {
          kind: 'close',
          account: account('account'),
          to: account('destination'),
          ...of('account'),
        },
      ]
    case 'withdrawExcessLamports':
    case 'unwrapLamports':
      return send(sol(), 'source', 'destination')
    case 'setMetadataAuthority':
      return control('metadata', 'metadata', field('newAuthority'))
    case 'setGroupAuthority':
      return control('group', 'group', field('newAuthority'))
    case 'initializePermanentDelegate':
      return control('permanentDelegate', 'mint', field('delegateKey'))
    case 'createTokenAccount':
      return isSigned
        ? [{ kind: 'open', account: account('account'), owner: account('owner'), isOwn: true }]
        : []
  }
  return []
}

/**
 * Whether a new stake account has a lock or a custodian. The all-zero key, which is the System
 * program's, stands for no custodian; a wallet that is the custodian can end the lock.
 */
const hasLockup = ({ fields }: DecodedInstruction, own: string) =>
  fields.custodian !== own &&
  (fields.lockupTime !== 0n || fields.lockupEpoch !== 0n || fields.custodian !== programs.system)

const stakeAuthority = (kind: LayoutField) => (kind === 0n ? 'stake' : 'withdraw')
const toBig = (value: LayoutField) => (typeof value === 'bigint' ? value : undefined)
const toText = (value: LayoutField) => (typeof value === 'string' ? value : undefined)
