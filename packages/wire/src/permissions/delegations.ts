import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { fromHex } from '../encoding/fromHex.ts'
import { permissionContracts as contracts } from './permissionContracts.ts'
import type { Allowed } from './readPermissions.ts'

type Caveat = { readonly enforcer: string; readonly terms: string }

/** A delegation of the delegation framework from an account to the key of a session. */
export type Delegation = {
  readonly delegate: string
  readonly delegator: string
  readonly caveats: readonly Caveat[]
  readonly salt: bigint
  /** EIP-712, with the domain of the manager: the hash that the account signs and revokes. */
  readonly hash: string
  /** The hash of the struct without the domain. Enforcers count usage by this hash. */
  readonly structHash: string
}

/** The parties and the domain of a delegation; `salt` distinguishes two equal grants. */
export type DelegationParameters = {
  readonly chainId: number
  readonly account: string
  readonly delegate: string
  /** Unix time in seconds. */
  readonly until: number
  readonly salt: bigint
}

/** The delegation for one permission. The chain enforces each of its limits. */
export function toDelegation(allowed: Allowed, parameters: DelegationParameters): Delegation {
  const { account, delegate, salt, chainId, until } = parameters
  const caveats: Caveat[] = [
    { enforcer: contracts.time, terms: `0x${'0'.repeat(32)}${hex(BigInt(until), 16)}` },
    ...toCaveats(allowed),
  ]
  const list = concatBytes(
    ...caveats.map(({ enforcer, terms }) =>
      keccak_256(concatBytes(caveatType, word(enforcer), keccak_256(fromHex(terms)))),
    ),
  )
  const struct = keccak_256(
    concatBytes(
      delegationType,
      word(delegate),
      word(account),
      fromHex(rootAuthority),
      keccak_256(list),
      word(salt),
    ),
  )
  const domain = keccak_256(
    concatBytes(
      domainType,
      keccak_256(utf8ToBytes('DelegationManager')),
      keccak_256(utf8ToBytes('1')),
      word(BigInt(chainId)),
      word(contracts.manager),
    ),
  )
  return {
    delegate,
    delegator: account,
    caveats,
    salt,
    structHash: `0x${bytesToHex(struct)}`,
    hash: `0x${bytesToHex(keccak_256(concatBytes(Uint8Array.of(0x19, 1), domain, struct)))}`,
  }
}

/** The authority of a delegation without a parent delegation. */
export const rootAuthority = `0x${'f'.repeat(64)}`

function toCaveats(allowed: Allowed): Caveat[] {
  switch (allowed.kind) {
    case 'native':
      return [
        // Only transfers without calldata; with calldata, the account could call any contract.
        { enforcer: contracts.calldata, terms: '0x' },
        { enforcer: contracts.nativePeriod, terms: `0x${period(allowed)}` },
      ]
    case 'erc20':
      return [
        { enforcer: contracts.value, terms: `0x${hex(0n, 32)}` },
        {
          enforcer: contracts.erc20Period,
          terms: `0x${allowed.token.slice(2)}${period(allowed)}`,
        },
      ]
    case 'call':
      return [
        { enforcer: contracts.targets, terms: allowed.contract },
        { enforcer: contracts.methods, terms: allowed.selector },
        { enforcer: contracts.value, terms: `0x${hex(allowed.valueLimit, 32)}` },
        ...allowed.rules.map(({ index, operator, word: value }) => ({
          enforcer: contracts.argument,
          terms: `0x${hex(BigInt(index), 1)}${hex(operators[operator], 1)}${hex(value, 32)}`,
        })),
      ]
  }
}

const operators = { EQUAL: 0n, GREATER_THAN: 1n, LESS_THAN: 2n } as const

const period = (one: { amount: bigint; period: number; start: number }) =>
  [one.amount, BigInt(one.period), BigInt(one.start)].map((value) => hex(value, 32)).join('')

const hex = (value: bigint, bytes: number) => value.toString(16).padStart(2 * bytes, '0')
const word = (value: string | bigint) => hexToBytes(hex(BigInt(value), 32))

const typeHash = (text: string) => keccak_256(utf8ToBytes(text))
const caveat = 'Caveat(address enforcer,bytes terms)'
const caveatType = typeHash(caveat)
const delegationType = typeHash(
  `Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)${caveat}`,
)
const domainType = typeHash(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
)
