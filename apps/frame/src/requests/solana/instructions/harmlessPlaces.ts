import type { DecodedInstruction } from './decodeInstructions.ts'

/**
 * The roles that the wallet and its accounts may have in an instruction without a danger beyond the
 * instruction's effects. `wallet`: roles of the wallet's address; `accounts`: roles of the token,
 * stake and nonce accounts that it holds.
 */
type Places = { readonly wallet: string; readonly accounts?: string }

/**
 * Not `signer`: a token's own program runs with each transfer and can use the signatures of
 * accounts behind the authority.
 */
const owned = { wallet: 'authority', accounts: 'source destination' }
const approval = { wallet: 'authority signer', accounts: 'source' }
const held = { wallet: 'authority signer', accounts: 'account' }
const freed = {
  wallet: 'authority signer destination',
  accounts: 'source destination',
}
const rightOfIssuer = { wallet: 'authority signer' }
const computed = { wallet: 'mint' }

/**
 * The instructions that may have the wallet or its accounts in these places, by name. Every other
 * place is a danger, so an instruction that is missing here, or that a program adds later, is a
 * danger too. The card shows what each instruction does, from the signed bytes; for the others a
 * comment explains what makes them safe.
 */
export const harmlessPlaces: Readonly<Record<string, Places>> = {
  createAccount: { wallet: 'payer' },
  createAccountWithSeed: { wallet: 'payer base' },
  createAccountPrefunded: { wallet: 'payer' },
  assignWithSeed: { wallet: 'base' },
  allocateWithSeed: { wallet: 'base' },
  transferSol: { wallet: 'from to', accounts: 'to' },
  transferSolWithSeed: { wallet: 'base to', accounts: 'to' },
  // The instruction only replaces the nonce. For a durable transaction, the card has another
  // warning.
  advanceNonce: { wallet: 'authority', accounts: 'nonce' },
  withdrawNonce: { wallet: 'authority to', accounts: 'nonce to' },
  authorizeNonce: { wallet: 'authority', accounts: 'nonce' },

  transfer: owned,
  transferChecked: owned,
  transferCheckedWithFee: owned,
  transferConfidential: { wallet: '', accounts: 'source destination' },
  approve: approval,
  approveChecked: approval,
  revoke: approval,
  burn: approval,
  burnChecked: approval,
  burnPermitted: { wallet: 'authority burnAuthority signer', accounts: 'source' },
  burnConfidential: { wallet: 'proof', accounts: 'source' },
  setAuthority: held,
  closeAccount: { ...freed, accounts: 'account destination' },
  withdrawExcessLamports: freed,
  unwrapLamports: freed,
  setMetadataAuthority: rightOfIssuer,
  setGroupAuthority: rightOfIssuer,
  // The new token account belongs to the wallet.
  initializeAccount: { wallet: 'owner' },
  // The tokens arrive in the account.
  mintTo: { wallet: '', accounts: 'destination' },
  mintToChecked: { wallet: '', accounts: 'destination' },
  // It only updates the account's count of the SOL that it already holds.
  syncNative: { wallet: '', accounts: 'account' },
  // These only compute something and change no account.
  getAccountDataSize: computed,
  amountToUiAmount: computed,
  uiAmountToAmount: computed,
  createTokenAccount: { wallet: 'payer owner', accounts: 'account' },
  // The instruction only writes to the log.
  memo: { wallet: 'other', accounts: 'other' },

  stakeInitializeChecked: { wallet: 'staker withdrawer' },
  stakeAuthorize: { wallet: 'authority base custodian', accounts: 'stake' },
  stakeAuthorizeChecked: {
    wallet: 'authority base newAuthority custodian',
    accounts: 'stake',
  },
  stakeSetLockup: { wallet: 'authority custodian', accounts: 'stake' },
  stakeDelegate: { wallet: 'authority', accounts: 'stake' },
  stakeWithdraw: { wallet: 'authority to', accounts: 'stake to' },
  // The new stake account gets the holders of the old one.
  stakeSplit: { wallet: 'authority', accounts: 'stake' },
  // Nothing leaves the account, and it can be staked again.
  stakeDeactivate: { wallet: 'authority', accounts: 'stake' },
  // The network requires that both stake accounts have the same holders.
  stakeMerge: { wallet: 'authority', accounts: 'stake otherStake' },
  stakeMove: { wallet: 'authority', accounts: 'stake otherStake' },
  stakeMoveSol: { wallet: 'authority', accounts: 'stake otherStake' },
}

const includes = (roles: string | undefined, role: string) =>
  roles?.split(' ').includes(role) ?? false

/**
 * The wallet and its accounts that are in places of an instruction that are not known to be
 * harmless.
 */
export function findTouched(
  { name = '', roles }: DecodedInstruction,
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
