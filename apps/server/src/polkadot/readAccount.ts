import type { ChainId } from '@latchkey/wire'
import { decodeSs58Address, getAccountKey } from '@latchkey/wire/polkadot'
import { rpcUnavailable } from '../nodes/rpcUnavailable.ts'
import type { Upstreams } from '../nodes/upstreams.ts'

/**
 * The balance of an account in the smallest unit; `reserved` belongs to the account too, but cannot
 * be spent now.
 */
export type PolkadotAccount = { readonly free: bigint; readonly reserved: bigint }

/**
 * Reads an account from a chain's storage; an unknown account owns nothing. Throws RPC_UNAVAILABLE.
 */
export async function readAccount(
  { upstreams, chainId }: { readonly upstreams: Upstreams; readonly chainId: ChainId },
  address: string,
): Promise<PolkadotAccount> {
  const id = decodeSs58Address(address)
  if (id === undefined) throw new Error('The address was not parsed')
  const params = JSON.stringify([getAccountKey(id)])
  const answer = await upstreams.read(chainId, [{ method: 'state_getStorage', params }])
  const reply = 'replies' in answer ? answer.replies[0] : undefined
  const account = parseAccount(reply?.result)
  if (account === undefined) throw rpcUnavailable(chainId)
  return account
}

/**
 * `AccountInfo` in SCALE
 * (https://paritytech.github.io/polkadot-sdk/master/frame_system/struct.AccountInfo.html), little
 * endian: nonce, consumers, providers and sufficients in 4 bytes each; free, reserved, frozen and
 * flags in 16 each.
 */
function parseAccount(stored: unknown): PolkadotAccount | undefined {
  if (stored === null) return { free: 0n, reserved: 0n }
  if (typeof stored !== 'string' || !/^0x[0-9a-f]{160}$/.test(stored)) return undefined
  const bytes = Buffer.from(stored.slice(2), 'hex')
  return { free: readAmount(bytes, 16), reserved: readAmount(bytes, 32) }
}

const readAmount = (bytes: Buffer, offset: number): bigint =>
  bytes.readBigUInt64LE(offset) + (bytes.readBigUInt64LE(offset + 8) << 64n)
