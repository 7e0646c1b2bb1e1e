import { type Address, zeroHash } from 'viem'
import type { Builder } from './builder.ts'

/** Owner of the manager: an address without a key, so that the manager can never be paused. */
const nobody = '0x000000000000000000000000000000000000dEaD'

/**
 * The enforcers of smart sessions, in the order of the addresses in `permissionContracts` of wire.
 */
const enforcers = {
  targets: 'AllowedTargetsEnforcer',
  methods: 'AllowedMethodsEnforcer',
  value: 'ValueLteEnforcer',
  calldata: 'ExactCalldataEnforcer',
  time: 'TimestampEnforcer',
  nativePeriod: 'NativeTokenPeriodTransferEnforcer',
  erc20Period: 'ERC20PeriodTransferEnforcer',
  argument: 'ArgumentEnforcer',
} as const

/**
 * The delegation framework (manager and enforcers) and its executing account, by CREATE2: each
 * address proves its code on every network, so no server or node has to be trusted.
 */
export function planPermissions(builder: Builder) {
  const manager = builder.deployCanonical('DelegationManager', zeroHash, nobody)
  const account = builder.deployCanonical('PermissionAccount', zeroHash, manager.address)
  const entries = Object.entries(enforcers).map(
    ([key, name]) => [key, builder.deployCanonical(name, zeroHash).address] as const,
  )
  return {
    permissions: {
      manager: manager.address,
      account: account.address,
      ...(Object.fromEntries(entries) as Record<keyof typeof enforcers, Address>),
    },
  }
}
