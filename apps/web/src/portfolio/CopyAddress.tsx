import { truncateAddress } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'
import { useCopy } from '../parts/useCopy.ts'

/** A button that copies an address; nothing without one. */
export function CopyAddress({ address }: { address: string | undefined }) {
  const copy = useCopy()
  if (address === undefined) return null
  return (
    <button
      type="button"
      className="address"
      title={address}
      aria-label={`${text('portfolio.copy')} ${truncateAddress(address)}`}
      onClick={() => copy(address, { copied: text('portfolio.copied') })}
    >
      {truncateAddress(address)}
      <Glyph name="copy" size={16} />
    </button>
  )
}
