import { LatchkeyError } from '@latchkey/wire'
import { AccountRole, type Address, createNoopSigner, type Instruction } from '@solana/kit'
import { getAddMemoInstruction } from '@solana-program/memo'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import { type AccountData, nodeRefused } from './nodeResponses.ts'
import {
  extension,
  getTransferFee,
  type Mint,
  type ParsedTokenAccount,
  readAddressAt,
  smaller,
  toTokenAccount,
} from './token.ts'

/** The version that Token-2022 accepts in every release so far. */
const memoProgram = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address
/** The memo, if the receiver requires a memo. */
const memo = 'Transfer'
/** The most accounts that one transfer may empty; more do not fit into a transaction. */
const maxSources = 5
const noAddress = '1'.repeat(32)

export type TokenTransfer = {
  instructions: readonly Instruction[]
  /**
   * The received amount in the token's smallest unit: less than the sent amount if the token takes
   * a fee.
   */
  received: bigint
  /** Whether the receiver's account has to be created. */
  createsAccount: boolean
}

/** The address of a wallet's own account for a token. */
export async function getAssociatedAddress(parameters: {
  owner: Address
  mint: Address
  tokenProgram: Address
}): Promise<Address> {
  const [address] = await findAssociatedTokenPda(parameters)
  return address
}

/** Throws TRANSFER_REFUSED with the reason for a mint whose tokens we cannot send. */
export function checkMint({ extensions }: Mint): void {
  const hook = extensions.get(extension.transferHook)
  if (extensions.has(extension.nonTransferable)) throw notSendable('it is bound to its account')
  // The authority comes first.
  if (extensions.get(extension.pausable)?.[32] === 1)
    throw notSendable('its issuer has paused all transfers')
  if (hook && readAddressAt(hook, 32) !== noAddress)
    throw notSendable('a program of its issuer decides on every transfer')
}

/** Whether an authority may take the tokens from every account. */
export function hasPermanentDelegate({ extensions }: Mint): boolean {
  const delegate = extensions.get(extension.permanentDelegate)
  return delegate !== undefined && readAddressAt(delegate, 0) !== noAddress
}

/**
 * The accounts to send from, the largest balance first. Throws TRANSFER_REFUSED if all accounts
 * with a balance are frozen.
 */
export function getSources(accounts: readonly ParsedTokenAccount[]): ParsedTokenAccount[] {
  const full = accounts.filter(({ amount }) => amount > 0n)
  const free = full.filter(({ isFrozen }) => !isFrozen)
  if (full.length > 0 && free.length === 0) throw notSendable('its issuer has frozen your account')
  return free.sort((one, other) => (other.amount > one.amount ? 1 : -1)).slice(0, maxSources)
}

/** Builds the transfer. Throws INSUFFICIENT_FUNDS, TRANSFER_REFUSED. */
export function transferTokens({
  from,
  to,
  mint,
  amount,
  epoch,
  sources,
  destination,
}: {
  from: Address
  to: Address
  mint: Mint
  amount: bigint
  epoch: bigint
  sources: readonly ParsedTokenAccount[]
  destination: { address: Address; account: AccountData | undefined }
}): TokenTransfer {
  const existing = destination.account
    ? toTokenAccount(destination.address, destination.account)
    : undefined
  checkDestination(existing, { to, mint })
  const parts = splitAmount(sources, amount)
  const fees = parts.map((part) => getTransferFee(mint, part.amount, epoch))
  const payer = createNoopSigner(from)
  const create = getCreateAssociatedTokenIdempotentInstruction({
    payer,
    ata: destination.address,
    owner: to,
    mint: mint.address,
    tokenProgram: mint.program,
  })
  const transfers = parts.flatMap((part, index) => [
    ...(existing?.extensions.get(extension.memoRequired)?.[0] === 1
      ? [getAddMemoInstruction({ memo }, { programAddress: memoProgram })]
      : []),
    transferPart({ ...part, from, mint, destination: destination.address, fee: fees[index] ?? 0n }),
  ])
  return {
    instructions: existing ? transfers : [create, ...transfers],
    received: fees.reduce((left, fee) => left - fee, amount),
    createsAccount: existing === undefined,
  }
}

function checkDestination(
  account: ParsedTokenAccount | undefined,
  { to, mint: { address, extensions } }: { to: Address; mint: Mint },
) {
  const frozen = 2
  if (!account && extensions.get(extension.defaultState)?.[0] === frozen)
    throw notSendable('its issuer has to admit new receivers first')
  if (!account) return
  // An associated account can be given to another owner.
  if (account.owner !== to || account.mint !== address)
    throw nodeRefused("The receiver's account for this token belongs to another owner")
  if (account.isFrozen) throw notSendable("its issuer has frozen the receiver's account")
}

type Part = { source: Address; amount: bigint }

/** Splits an amount over the accounts, one after the other. */
function splitAmount(sources: readonly ParsedTokenAccount[], amount: bigint): Part[] {
  let left = amount
  const parts: Part[] = []
  for (const { address, amount: held } of sources) {
    const amount = smaller(held, left)
    if (amount > 0n) parts.push({ source: address, amount })
    left -= amount
  }
  if (left > 0n) throw new LatchkeyError('INSUFFICIENT_FUNDS')
  return parts
}

function transferPart({
  source,
  amount,
  from,
  mint,
  destination,
  fee,
}: Part & { from: Address; mint: Mint; destination: Address; fee: bigint }): Instruction {
  const { address, program, decimals } = mint
  const authority = createNoopSigner(from)
  if (!mint.extensions.has(extension.transferFee))
    return getTransferCheckedInstruction(
      { source, mint: address, destination, authority, amount, decimals },
      { programAddress: program },
    )
  return {
    programAddress: program,
    accounts: [
      { address: source, role: AccountRole.WRITABLE },
      { address, role: AccountRole.READONLY },
      { address: destination, role: AccountRole.WRITABLE },
      { address: from, role: AccountRole.READONLY_SIGNER },
    ],
    data: encodeTransferWithFee({ amount, decimals, fee }),
  }
}

/**
 * TransferCheckedWithFee of Token-2022: the transfer fails if the token takes another fee than
 * this.
 */
function encodeTransferWithFee({
  amount,
  decimals,
  fee,
}: {
  amount: bigint
  decimals: number
  fee: bigint
}): Uint8Array {
  const data = new Uint8Array(19)
  const view = new DataView(data.buffer)
  data.set([26, 1])
  view.setBigUint64(2, amount, true)
  view.setUint8(10, decimals)
  view.setBigUint64(11, fee, true)
  return data
}

const notSendable = (reason: string) => nodeRefused(`This token cannot be sent: ${reason}`)
