import { type Field, getAccount, type Instruction } from './instructions/decodeInstructions.ts'

/**
 * What an amount is of. `account`: the token account it leaves. `mint` and `decimals`: as the bytes have them, which the
 * network enforces. No `value`: all that is there of SOL; of a token an amount that is encrypted.
 */
export type Amount =
  | { readonly unit: 'lamports'; readonly value: bigint | undefined }
  | {
      readonly unit: 'tokens'
      readonly value: bigint | undefined
      readonly account: string
      readonly mint: string | undefined
      readonly decimals: number | undefined
    }

/** What an instruction can do, computed from the bytes that are signed. `isOwn`: with the authority of the account. */
export type Effect = { readonly isOwn: boolean } & (
  | { readonly kind: 'send'; readonly amount: Amount; readonly from: string; readonly to: string }
  | {
      readonly kind: 'allow'
      readonly amount: Amount
      readonly from: string
      readonly spender: string
    }
  | { readonly kind: 'revoke'; readonly from: string }
  | { readonly kind: 'burn'; readonly amount: Amount; readonly from: string }
  /** `authority`: a key of the texts. No `to`: nobody. */
  | {
      readonly kind: 'control'
      readonly authority: string
      readonly account: string
      readonly to: string | undefined
    }
  | { readonly kind: 'close'; readonly account: string; readonly to: string }
  /** Pays the rent of a new token account. */
  | { readonly kind: 'open'; readonly account: string; readonly owner: string }
  /** Code that is not put into words. `isSigned`: it gets the account's signature. */
  | { readonly kind: 'run'; readonly instruction: Instruction; readonly isSigned: boolean }
)

/** The effects of one instruction for the account `own`. */
export function getEffects(instruction: Instruction, own: string): Effect[] {
  const { name, roles } = instruction
  if (name === undefined)
    return [{ kind: 'run', instruction, isSigned: instruction.isSignedBy(own), isOwn: true }]
  const isOwn = roles.some(({ uses, address }) => uses && address === own)
  const account = (role: string) => getAccount(instruction, role) ?? ''
  const field = (key: string) => instruction.fields[key]
  const sol = (value = field('lamports')): Amount => ({ unit: 'lamports', value: toBig(value) })
  const tokens = (): Amount => ({
    unit: 'tokens',
    value: toBig(field('amount')),
    account: account('source'),
    mint: getAccount(instruction, 'mint'),
    decimals: field('decimals') === undefined ? undefined : Number(field('decimals')),
  })
  const send = (amount: Amount, from: string, to: string): Effect[] => [
    { kind: 'send', amount, from: account(from), to: account(to), isOwn },
  ]
  const control = (authority: string, of: string, to: Field): Effect[] => [
    { kind: 'control', authority, account: account(of), to: toText(to), isOwn },
  ]
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
      return control('program', 'account', field('program'))
    case 'authorizeNonce':
      return control('nonce', 'nonce', field('newAuthority'))
    case 'stakeAuthorize':
      return control(stakeAuthority(field('stakeAuthority')), 'stake', field('newAuthority'))
    case 'stakeAuthorizeChecked':
      return control(stakeAuthority(field('stakeAuthority')), 'stake', account('newAuthority'))
    case 'stakeSetLockup':
      return control('lockup', 'stake', field('custodian') ?? getAccount(instruction, 'custodian'))
    case 'stakeInitialize':
      return field('withdrawer') === own ? [] : control('withdraw', 'stake', field('withdrawer'))
    case 'stakeInitializeChecked':
      return account('withdrawer') === own
        ? []
        : control('withdraw', 'stake', account('withdrawer'))
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
          isOwn,
        },
      ]
    case 'revoke':
      return [{ kind: 'revoke', from: account('source'), isOwn }]
    case 'setAuthority':
      return control(`token${field('authorityKind')}`, 'account', field('newAuthority'))
    case 'burn':
    case 'burnChecked':
    case 'burnPermitted':
    case 'burnConfidential':
      return [{ kind: 'burn', amount: tokens(), from: account('source'), isOwn }]
    case 'closeAccount':
      return [{ kind: 'close', account: account('account'), to: account('destination'), isOwn }]
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
      return isOwn
        ? [{ kind: 'open', account: account('account'), owner: account('owner'), isOwn }]
        : []
  }
  return []
}

const stakeAuthority = (kind: Field) => (kind === 0n ? 'stake' : 'withdraw')
const toBig = (value: Field) => (typeof value === 'bigint' ? value : undefined)
const toText = (value: Field) => (typeof value === 'string' ? value : undefined)
