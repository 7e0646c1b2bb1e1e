import { truncateAddress } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Value } from './Section.tsx'
import type { Verdict } from './verifySignature.ts'

export type SignedMessage = { signature: string; address: string; verdict: Verdict }

/** A signature, and whether it is valid for the request. */
export const Verified = ({ signature, address, verdict }: SignedMessage) => (
  <>
    <p className="verdict" data-valid={verdict.isValid}>
      {sentence(address, verdict)}
    </p>
    <Value name={text('dev.signature')} value={signature} />
  </>
)

function sentence(full: string, { isValid, signer }: Verdict): string {
  const address = truncateAddress(full)
  if (isValid) return text('dev.valid', { address })
  if (signer === undefined) return text('dev.contract', { address })
  return text('dev.invalid', { address, signer: truncateAddress(signer) })
}
