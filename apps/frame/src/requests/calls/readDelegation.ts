import { bytesToHex, LatchkeyError } from '@latchkey/wire'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Hex } from 'viem'
import type { FrameChain } from '../../chains.ts'
import type { ReadChain } from '../../readChain.ts'
import {
  type AccountDelegation,
  delegateAddress,
  delegateCodeHash,
  permissionDelegate,
} from '../../smartAccount.ts'
import { fromHex } from '../../wallet/crypto/bytes.ts'

type DelegationParameters = {
  readonly read: ReadChain
  readonly chain: FrameChain
  readonly signal?: AbortSignal
}

/**
 * The account's current delegation. Throws SIGNING_REFUSED if the account delegates to another
 * contract or is itself a contract, and CHAIN_NOT_SUPPORTED if the code at our contract's address
 * is not the pinned code.
 */
export async function readDelegation(
  { read, chain, signal }: DelegationParameters,
  account: Hex,
): Promise<AccountDelegation> {
  const [own, code] = await Promise.all([
    read(chain, 'eth_getCode', [account, 'latest'], signal),
    read(chain, 'eth_getCode', [delegateAddress, 'latest'], signal),
  ])
  if (!isHex(own) || !isHex(code)) throw new LatchkeyError('ANSWER_INVALID')
  if (`0x${bytesToHex(keccak_256(fromHex(code)))}` !== delegateCodeHash)
    throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
  if (own === '0x') return 'none'
  if (own.toLowerCase() === `0xef0100${delegateAddress.slice(2)}`) return 'ours'
  if (own.toLowerCase() === `0xef0100${permissionDelegate.slice(2)}`) return 'permissions'
  const found = own.toLowerCase().startsWith('0xef0100') ? `0x${own.slice(8, 48)}` : account
  throw new LatchkeyError('SIGNING_REFUSED', {
    data: { reason: `the account delegates to ${found}` },
  })
}

const isHex = (value: unknown): value is Hex =>
  typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value)
