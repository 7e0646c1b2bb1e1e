import { type Address, parseEther, zeroHash } from 'viem'
import type { Builder } from './builder.ts'

/**
 * The salt that the publishers of EntryPoint 0.8 used; it leads to
 * 0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108.
 */
const entryPointSalt = '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9'
const deposit = parseEther('100')

/**
 * ERC-4337: the EntryPoint and the account that EIP-7702 delegates to, both where every network has
 * them, and a paymaster with a deposit that pays for what `sponsor` has signed.
 */
export function planAccounts(builder: Builder, { sponsor }: { sponsor: Address }) {
  const entryPoint = builder.deployCanonical('EntryPoint', entryPointSalt)
  const smartAccount = builder.deployCanonical('Simple7702Account', zeroHash)
  const paymaster = builder.deploy('DevPaymaster', entryPoint.address, sponsor)
  builder.call(entryPoint, 'depositTo', [paymaster.address], deposit)
  return {
    entryPoint: entryPoint.address,
    smartAccount: smartAccount.address,
    paymaster: paymaster.address,
  }
}
