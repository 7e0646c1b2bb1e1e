import type { Hex } from 'viem'
import type { Asset, Effect } from '../effect.ts'
import type { At } from './abi.ts'
import type { SignedData, SignedStruct, SignedValue } from './checkTypedData.ts'
import { readOrder } from './readOrder.ts'

/**
 * What a signature allows others to do. `unread`: it allows something that we cannot interpret (`danger`), or
 * nothing that we know of (`unknown`).
 */
export type TypedReading = {
  readonly effects: readonly Effect[]
  readonly unread?: 'danger' | 'unknown'
}

const unlimited = 2n ** 256n - 1n
const maxAssets = 20

/**
 * Reads what a contract would do with the signature. The hash of the type decides, as it does in the contract: names
 * and fields that only resemble a known type are not interpreted as it.
 */
export function readTypedData(data: SignedData, account: Hex): TypedReading {
  const contract = data.domain.verifyingContract as Hex | undefined
  const read = Object.hasOwn(known, data.encoded) ? known[data.encoded] : witnessed(data)
  const effects =
    contract && (read ? read(data.message, { contract, account }) : readOrder(data, account))
  if (effects && effects.length > 0 && effects.length <= maxAssets) return { effects }
  return { effects: [], unread: looksHarmful(data) ? 'danger' : 'unknown' }
}

type Read = (message: SignedStruct, at: At) => Effect[]

const text = (value: SignedValue | undefined) => value as Hex
const number = (value: SignedValue | undefined) => BigInt(value as string)
const structs = (value: SignedValue | undefined) => [value].flat() as SignedStruct[]
const units = (token: Hex, amount: bigint): Asset => ({ kind: 'units', token, amount })

const authorized: Read = ({ from, to, value, validBefore }, { contract }) => [
  {
    kind: 'send',
    asset: units(contract, number(value)),
    from: text(from),
    to: text(to),
    until: number(validBefore),
  },
]

/** Permit2's allowances. */
const allowed: Read = ({ details, spender }, { contract, account }) =>
  structs(details).map(({ token, amount, expiration }) => ({
    kind: 'allow',
    asset: units(text(token), number(amount)),
    owner: account,
    spender: text(spender),
    until: number(expiration),
    via: contract,
  }))

/** Permit2's transfers, each of which can happen once. */
const transferred: Read = ({ permitted, spender, deadline }, { contract, account }) =>
  structs(permitted).map(({ token, amount }) => ({
    kind: 'allow',
    asset: units(text(token), number(amount)),
    owner: account,
    spender: text(spender),
    until: number(deadline),
    via: contract,
  }))

const details = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)'
const permissions = 'TokenPermissions(address token,uint256 amount)'
const transfer = 'permitted,address spender,uint256 nonce,uint256 deadline'
const authorization =
  'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce'

/** Parsers by the hashed type. */
const known: Readonly<Record<string, Read>> = {
  // EIP-2612
  'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)': (
    { owner, spender, value, deadline },
    { contract },
  ) => [
    {
      kind: 'allow',
      asset: units(contract, number(value)),
      owner: text(owner),
      spender: text(spender),
      until: number(deadline),
    },
  ],
  // DAI's older form
  'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)': (
    { holder, spender, expiry, allowed: isAllowed },
    { contract },
  ) => [
    {
      kind: 'allow',
      asset: units(contract, isAllowed ? unlimited : 0n),
      owner: text(holder),
      spender: text(spender),
      // It does not expire where the others have 0.
      until: number(expiry) || unlimited,
    },
  ],
  // ERC-4494
  'Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)': (
    { spender, tokenId, deadline },
    { contract, account },
  ) => [
    {
      kind: 'allow',
      asset: { kind: 'item', token: contract, id: number(tokenId), amount: 1n },
      owner: account,
      spender: text(spender),
      until: number(deadline),
    },
  ],
  'PermitForAll(address operator,bool approved,uint256 nonce,uint256 deadline)': (
    { operator, approved, deadline },
    { contract },
  ) => [
    {
      kind: 'operate',
      collection: contract,
      operator: text(operator),
      approved: approved === true,
      until: number(deadline),
    },
  ],
  // EIP-3009
  [`TransferWithAuthorization(${authorization})`]: authorized,
  [`ReceiveWithAuthorization(${authorization})`]: authorized,
  // Permit2
  [`PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${details}`]: allowed,
  [`PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${details}`]: allowed,
  [`PermitTransferFrom(TokenPermissions ${transfer})${permissions}`]: transferred,
  [`PermitBatchTransferFrom(TokenPermissions[] ${transfer})${permissions}`]: transferred,
}

/** Permit2's transfers with a witness: the start of the type is fixed, and the requester chooses the rest. */
function witnessed({ encoded, types }: SignedData): Read | undefined {
  const begins = [
    `PermitWitnessTransferFrom(TokenPermissions ${transfer},`,
    `PermitBatchWitnessTransferFrom(TokenPermissions[] ${transfer},`,
  ]
  const fields = types.TokenPermissions?.map(({ name, type }) => `${type} ${name}`).join()
  const isPlain = permissions === `TokenPermissions(${fields})`
  return isPlain && begins.some((begin) => encoded.startsWith(begin)) ? transferred : undefined
}

// Names in data that moves, sells or delegates assets. Contracts fix these names, so a page cannot choose others.
const harmful =
  /permit|order|approv|allow|spend|operator|transfer|authori[sz]|delegat|withdraw|sell|sale|offer|listing|bid|swap|trade|token|asset|amount|collection|currency|taker|maker|recipient|receiver|beneficiary|call|signature|payload|operation|execut|transaction|forwardrequest|send/i

/** Contracts that move assets of others with a signature, in lower case: Permit2, marketplaces and order books. */
const movers: ReadonlySet<string> = new Set([
  '0x000000000022d473030f116ddee9f6b43ac78ba3',
  // Seaport 1.1, 1.4, 1.5, 1.6
  '0x00000000006c3852cbef3e08e8df289169ede581',
  '0x00000000000001ad428e4906ae43d8f9852d0dd6',
  '0x00000000000000adc04c56bf30ac9d3c0aaf14dc',
  '0x0000000000000068f116a894984e2db1123eb395',
  // Blur, LooksRare, Wyvern
  '0x000000000000ad05ccc4f10045630fb830b95127',
  '0x39da41747a83aee658334415666f3ef92dd0d541',
  '0x59728544b08ab483533076417fbbb2fd0b17ce3a',
  '0x0000000000e655fae4d56241588680f86e3b2377',
  '0x7f268357a8c2552623316e2562d90e642bb538e5',
  // 0x, CoW, 1inch 4, 5, 6
  '0xdef1c0ded9bec7f1a1670819833240f027b25eff',
  '0x9008d19f58aabd9ed0d60971565aa8510560ab41',
  '0x1111111254fb6c44bac0bed2854e76f90643097d',
  '0x1111111254eeb25477b68fb85ed929f73a960582',
  '0x111111125421ca6dc452d289314280a0f8842a65',
])

/** Whether data that we cannot interpret is for a contract that moves assets of others, or uses its words. */
function looksHarmful({ domain, encoded }: SignedData): boolean {
  if (movers.has(String(domain.verifyingContract).toLowerCase())) return true
  // Bytes may be a call from the account.
  return harmful.test(encoded) || /[(,]bytes(\[\d*\])* /.test(encoded)
}
