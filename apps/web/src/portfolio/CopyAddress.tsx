import { truncateAddress, useAskRecovery, useToast } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'

/** A button that copies an address; nothing without one. */
export function CopyAddress({ address }: { address: string | undefined }) {
  const { showToast } = useToast()
  const askRecovery = useAskRecovery()
  if (address === undefined) return null
  const copy = () =>
    askRecovery()
      .then(() => navigator.clipboard.writeText(address))
      .then(
        () => showToast({ message: text('portfolio.copied'), variant: 'success' }),
        () => showToast({ message: text('portfolio.copyFailed'), variant: 'error' }),
      )
  return (
    <button
      type="button"
      className="address"
      title={address}
      aria-label={`${text('portfolio.copy')} ${truncateAddress(address)}`}
      onClick={copy}
    >
      {truncateAddress(address)}
      <Glyph name="copy" size={16} />
    </button>
  )
}
