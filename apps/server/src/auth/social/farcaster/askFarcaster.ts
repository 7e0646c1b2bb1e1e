import { cleanText, isError, LatchkeyError } from '@latchkey/wire'
import { decodeAbiParameters, encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem/utils'
import { verifySignature } from '../../../signatures/verifySignature.ts'
import type { Auth } from '../../auth.ts'
import type { SocialLogin } from '../../tables.ts'
import type { FarcasterConfig } from '../socialsFile.ts'
import { type ChainReader, openChainReader } from './chainReader.ts'
import { type Claim, expectMessage, findFarcaster, readChannel } from './channel.ts'
import { readSignInMessage } from './signInMessage.ts'

const chainId = 'eip155:10'
const abi = parseAbi([
  'function idOf(address) view returns (uint256)',
  'function keyDataOf(uint256, bytes) view returns (uint8, uint32)',
])
/** The registry's state of a key that is valid. */
const keyAdded = 1
const authKeyType = 2
const maxLength = 80

/**
 * Polls the relay once for the signed message of a login, and stores the user who signed. The relay
 * is not trusted: the message must be the message of this login, signed by an address that the
 * chain's registries assign to the fid in the message.
 */
export async function askFarcaster(auth: Auth, login: SocialLogin): Promise<void> {
  const farcaster = findFarcaster(auth)
  try {
    const claim = await readChannel(auth, farcaster, login)
    if (claim === 'pending') return
    const result =
      typeof claim === 'string'
        ? { outcome: claim === 'gone' ? ('refused' as const) : ('failed' as const) }
        : await readResult(auth, { farcaster, login, claim })
    await auth.db
      .updateTable('social_logins')
      .set({ ...result, answered_at: new Date(auth.clock()) })
      .where('hash', '=', login.hash)
      .where('outcome', 'is', null)
      .execute()
  } catch (error) {
    // The caller polls the relay again.
    if (!isError(error, 'OUTBOUND_FAILED') && !isError(error, 'RPC_UNAVAILABLE')) throw error
    auth.log.warn({ code: error.code }, 'Farcaster was not reached')
  }
}

type Claimed = {
  readonly farcaster: FarcasterConfig
  readonly login: SocialLogin
  readonly claim: Claim
}

async function readResult(auth: Auth, claimed: Claimed) {
  const found = await findFid(auth, claimed)
  if ('fault' in found) {
    auth.log.warn({ reason: found.fault }, 'a Farcaster login failed')
    return { outcome: 'failed' as const }
  }
  const { fid } = found
  // Only the relay states the name, so the id from the chain is shown next to it.
  const name = `${cleanText(claimed.claim.name, { maxLength }) ?? ''} (fid ${fid})`.trim()
  const [identity_index, name_sealed] = await Promise.all([
    auth.secrets.mac('identity-index', JSON.stringify(['farcaster', 'farcaster', String(fid)])),
    auth.secrets.seal({ purpose: 'identity-name' }, Buffer.from(name)),
  ])
  return { outcome: 'done' as const, identity_index, name_sealed }
}

/** The invalid part of a claim. `address`: the signer does not belong to the fid. */
type ClaimFault = 'form' | 'message' | 'time' | 'signature' | 'address'

/** The fid of a claim, or why the claim is not valid. Throws `RPC_UNAVAILABLE`. */
async function findFid(
  auth: Auth,
  { farcaster, login, claim }: Claimed,
): Promise<{ readonly fid: bigint } | { readonly fault: ClaimFault }> {
  const message = readSignInMessage(claim.message)
  if (message === undefined) return { fault: 'form' }
  const expected = await expectMessage(auth, login.hash)
  const { domain, uri, nonce, address, fid, expiresAtMs, notBeforeMs } = message
  if (domain !== expected.domain || uri !== expected.uri || nonce !== expected.nonce)
    return { fault: 'message' }
  const nowMs = auth.clock()
  if ((expiresAtMs ?? nowMs) < nowMs || (notBeforeMs ?? nowMs) > nowMs) return { fault: 'time' }
  const reader = openChainReader(farcaster.rpcUrl)
  const signed = { chainId, address, message: claim.message, signature: claim.signature } as const
  if (!(await verifySignature({ upstreams: reader }, signed))) return { fault: 'signature' }
  return (await belongsTo(reader, { farcaster, address: address as `0x${string}`, fid }))
    ? { fid }
    : { fault: 'address' }
}

type Belonging = {
  readonly farcaster: FarcasterConfig
  readonly address: `0x${string}`
  readonly fid: bigint
}

/** Whether an address has the custody of a fid, or is among its auth addresses. */
async function belongsTo(
  reader: ChainReader,
  { farcaster, address, fid }: Belonging,
): Promise<boolean> {
  const custody = await reader.call(
    farcaster.idRegistry,
    encodeFunctionData({ abi, functionName: 'idOf', args: [address] }),
  )
  const [owned] = decode(() => decodeAbiParameters([{ type: 'uint256' }], custody))
  if (owned === fid) return true
  const key = encodeAbiParameters([{ type: 'address' }], [address])
  const data = await reader.call(
    farcaster.keyRegistry,
    encodeFunctionData({ abi, functionName: 'keyDataOf', args: [fid, key] }),
  )
  const [state, keyType] = decode(() =>
    decodeAbiParameters([{ type: 'uint8' }, { type: 'uint32' }], data),
  )
  return state === keyAdded && keyType === authKeyType
}

function decode<Values>(read: () => Values): Values {
  try {
    return read()
  } catch (cause) {
    throw new LatchkeyError('RPC_UNAVAILABLE', { data: { chain: chainId }, cause })
  }
}
