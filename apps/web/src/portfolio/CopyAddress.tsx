import { truncateAddress, useAskRecovery } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'
import { useCopy } from '../parts/useCopy.ts'

/**
 * A button that copies an address; nothing without one. `isOwn`: it is the address of a connected
 * account, so the question for a way of recovery comes first.
 */
export function CopyAddress({ address, isOwn }: { address: string | undefined; isOwn: boolean }) {
  const copy = useCopy()
  const askRecovery = useAskRecovery()
  if (address === undefined) return null
  const value = () => (isOwn ? askRecovery().then(() => address) : address)
  return (
    <button
      type="button"
      className="address"
      title={address}
      aria-label={`${text('portfolio.copy')} ${truncateAddress(address)}`}
      onClick={() => copy(value(), { copied: text('portfolio.copied') })}
    >
      {truncateAddress(address)}
      <Glyph name="copy" size={16} />
    </button>
  )
}
