import { sanitizeText } from '@latchkey/wire'
import { checksumAddress } from '../checksumAddress.ts'
import { fill } from '../locales/en.ts'
import { signatures as t } from '../locales/signatures.en.ts'
import type { ApprovalRequest } from './approvalRequest.ts'
import { isFor, readSignIn } from './readSignIn.ts'

/** The reason to refuse a sign-in that names another site, account or network. Undefined if the request may be signed. */
export function refuseSignIn(
  { origin, accounts, chain }: ApprovalRequest,
  text: string,
): string | undefined {
  const signIn = readSignIn(text)
  if (signIn === 'none') return undefined
  if (signIn === 'broken') return t.block.signInForm
  if (!isFor(signIn, origin))
    return fill(t.block.signInDomain, {
      domain: sanitizeText(signIn.domain).slice(0, 100),
      origin,
    })
  const evm = chain.namespace === 'eip155'
  if (evm !== (signIn.network === 'Ethereum')) return t.block.signInForm
  if (signIn.address !== (evm ? checksumAddress(accounts.eip155) : accounts.solana))
    return t.block.signInAddress
  if (evm && signIn.chainId !== undefined && signIn.chainId !== chain.reference)
    return fill(t.block.chain, { id: sanitizeText(signIn.chainId).slice(0, 40) })
  return undefined
}
