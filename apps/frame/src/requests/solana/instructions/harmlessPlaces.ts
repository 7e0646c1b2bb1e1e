import type { Instruction } from './decodeInstructions.ts'

/**
 * Where the wallet and its accounts may stand in an instruction without a danger beyond those of its effects. `wallet`: roles of the
 * wallet's address; `accounts`: roles of the token, stake and nonce accounts that it holds; `why`: what makes that safe.
 */
type Places = { readonly wallet: string; readonly accounts?: string; readonly why: string }

const said = 'The card shows what it does, from the signed bytes.'
const sameHolders = 'The network requires that both stake accounts have the same holders.'
const reads = 'It only computes something and changes no account.'

/** Not `signer`: a token's own program runs with each transfer and can use the signatures of accounts behind the authority. */
const owned = { wallet: 'authority', accounts: 'source destination', why: said }
const approval = { wallet: 'authority signer', accounts: 'source', why: said }
const held = { wallet: 'authority signer', accounts: 'account', why: said }
const freed = {
  wallet: 'authority signer destination',
  accounts: 'source destination',
  why: said,
}
const rightOfIssuer = { wallet: 'authority signer', why: said }
const computed = { wallet: 'mint', why: reads }

/**
 * The instructions that may have the wallet or its accounts in these places, by name. Every other place is a danger, so an instruction
 * that is not here, or that a program adds later, is one too.
 */
export const harmlessPlaces: Readonly<Record<string, Places>> = {
  createAccount: { wallet: 'payer', why: said },
  createAccountWithSeed: { wallet: 'payer base', why: said },
  createAccountPrefunded: { wallet: 'payer', why: said },
  assignWithSeed: { wallet: 'base', why: said },
  allocateWithSeed: { wallet: 'base', why: said },
  transferSol: { wallet: 'from to', accounts: 'to', why: said },
  transferSolWithSeed: { wallet: 'base to', accounts: 'to', why: said },
  advanceNonce: {
    wallet: 'authority',
    accounts: 'nonce',
    why: 'It only replaces the nonce; a transaction that is bound to one has a danger of its own.',
  },
  withdrawNonce: { wallet: 'authority to', accounts: 'nonce to', why: said },
  authorizeNonce: { wallet: 'authority', accounts: 'nonce', why: said },

  transfer: owned,
  transferChecked: owned,
  transferCheckedWithFee: owned,
  transferConfidential: { wallet: '', accounts: 'source destination', why: said },
  approve: approval,
  approveChecked: approval,
  revoke: approval,
  burn: approval,
  burnChecked: approval,
  burnPermitted: { wallet: 'authority burnAuthority signer', accounts: 'source', why: said },
  burnConfidential: { wallet: 'proof', accounts: 'source', why: said },
  setAuthority: held,
  closeAccount: { ...freed, accounts: 'account destination' },
  withdrawExcessLamports: freed,
  unwrapLamports: freed,
  setMetadataAuthority: rightOfIssuer,
  setGroupAuthority: rightOfIssuer,
  initializeAccount: { wallet: 'owner', why: 'The new token account belongs to the wallet.' },
  mintTo: { wallet: '', accounts: 'destination', why: 'The tokens arrive in the account.' },
  mintToChecked: { wallet: '', accounts: 'destination', why: 'The tokens arrive in the account.' },
  syncNative: {
    wallet: '',
    accounts: 'account',
    why: 'Anyone may have it counted what SOL the account holds already.',
  },
  getAccountDataSize: computed,
  amountToUiAmount: computed,
  uiAmountToAmount: computed,
  createTokenAccount: { wallet: 'payer owner', accounts: 'account', why: said },
  memo: { wallet: 'other', accounts: 'other', why: 'It only writes a text to the log.' },

  stakeInitializeChecked: { wallet: 'staker withdrawer', why: said },
  stakeAuthorize: { wallet: 'authority base custodian', accounts: 'stake', why: said },
  stakeAuthorizeChecked: {
    wallet: 'authority base newAuthority custodian',
    accounts: 'stake',
    why: said,
  },
  stakeSetLockup: { wallet: 'authority custodian', accounts: 'stake', why: said },
  stakeDelegate: { wallet: 'authority', accounts: 'stake', why: said },
  stakeWithdraw: { wallet: 'authority to', accounts: 'stake to', why: said },
  stakeSplit: {
    wallet: 'authority',
    accounts: 'stake',
    why: 'The new stake account gets the holders of the old one.',
  },
  stakeDeactivate: {
    wallet: 'authority',
    accounts: 'stake',
    why: 'Nothing leaves the account, and it can be staked again.',
  },
  stakeMerge: { wallet: 'authority', accounts: 'stake otherStake', why: sameHolders },
  stakeMove: { wallet: 'authority', accounts: 'stake otherStake', why: sameHolders },
  stakeMoveSol: { wallet: 'authority', accounts: 'stake otherStake', why: sameHolders },
}

const includes = (roles: string | undefined, role: string) =>
  roles?.split(' ').includes(role) ?? false

/** The wallet and its accounts that stand in an instruction where that is not known to be harmless. */
export function findTouched(
  { name = '', roles }: Instruction,
  { own, isMine }: { own: string; isMine: (address: string) => boolean },
): string[] {
  const places = Object.hasOwn(harmlessPlaces, name) ? harmlessPlaces[name] : undefined
  const touched = roles.filter(({ role, address }) =>
    address === own
      ? !includes(places?.wallet, role)
      : isMine(address) && !includes(places?.accounts, role),
  )
  return [...new Set(touched.map(({ address }) => address))]
}
