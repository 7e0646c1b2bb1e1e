import type { Hex } from 'viem'
import type { Effect, EffectAsset } from '../../effect.ts'
import type { CallTarget } from '../abi.ts'
import type { SignedData, SignedStruct, SignedValue } from './checkTypedData.ts'
import { readOrder } from './readOrder.ts'

const unlimited = 2n ** 256n - 1n
const maxEffects = 64

/**
 * The effects that the signature allows others to cause; undefined if the type of the data is
 * unknown. Like the contract, this compares the hash of the type: names and fields that only
 * resemble a known type are not interpreted as that type.
 */
export function readTypedData(data: SignedData, account: Hex): readonly Effect[] | undefined {
  const { contract } = data
  const read = Object.hasOwn(knownTypes, data.encoded) ? knownTypes[data.encoded] : witnessed(data)
  const effects =
    contract && (read ? read(data.message, { contract, account }) : readOrder(data, account))
  return effects && effects.length > 0 && effects.length <= maxEffects ? effects : undefined
}

type Read = (message: SignedStruct, at: CallTarget) => Effect[]

const text = (value: SignedValue | undefined) => value as Hex
const number = (value: SignedValue | undefined) => BigInt(value as string)
const structs = (value: SignedValue | undefined) => [value].flat() as SignedStruct[]
const units = (token: Hex, amount: bigint): EffectAsset => ({ kind: 'units', token, amount })

const authorized: Read = ({ from, to, value, validBefore }, { contract }) => [
  {
    kind: 'send',
    asset: units(contract, number(value)),
    from: text(from),
    to: text(to),
    until: number(validBefore),
  },
]

/** Permit2 allowances. */
const allowed: Read = ({ details, spender }, { contract, account }) =>
  structs(details).map(({ token, amount, expiration }) => ({
    kind: 'allow',
    asset: units(text(token), number(amount)),
    owner: account,
    spender: text(spender),
    until: number(expiration),
    via: contract,
  }))

/**
 * Permit2 transfers, each of which can happen once. A transfer of 0 does not revoke an allowance,
 * and its purpose is unknown.
 */
const transferred: Read = ({ permitted, spender, deadline }, { contract, account }) => {
  const given = structs(permitted).filter(({ amount }) => number(amount) > 0n)
  return given.map(({ token, amount }) => ({
    kind: 'allow',
    asset: units(text(token), number(amount)),
    owner: account,
    spender: text(spender),
    until: number(deadline),
    via: contract,
  }))
}

const details = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)'
const permissions = 'TokenPermissions(address token,uint256 amount)'
const transfer = 'permitted,address spender,uint256 nonce,uint256 deadline'
const authorization =
  'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce'

/** Parsers by the hashed type. */
export const knownTypes: Readonly<Record<string, Read>> = {
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
      // Unlike in the other types, 0 means that the permit does not expire.
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

/**
 * Whether typed data contains a witness for the contract that takes the tokens. That contract
 * decides what the witness means.
 */
export const hasWitness = ({ encoded }: SignedData): boolean =>
  /^Permit(Batch)?WitnessTransferFrom\(/.test(encoded)

/**
 * Permit2 transfers with a witness: the start of the type is fixed, and the requester chooses the
 * rest.
 */
function witnessed({ encoded, types }: SignedData): Read | undefined {
  const begins = [
    `PermitWitnessTransferFrom(TokenPermissions ${transfer},`,
    `PermitBatchWitnessTransferFrom(TokenPermissions[] ${transfer},`,
  ]
  const fields = types.TokenPermissions?.map(({ name, type }) => `${type} ${name}`).join()
  const isPlain = permissions === `TokenPermissions(${fields})`
  return isPlain && begins.some((begin) => encoded.startsWith(begin)) ? transferred : undefined
}
