import { truncateAddress, useAskRecovery, useToast } from '@latchkey/react'
import { isError } from '@latchkey/wire'
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
  const { showToast } = useToast()
  if (address === undefined) return null
  const copyNow = () => copy(address, { copied: text('portfolio.copied') })
  const copyOwn = () =>
    askRecovery(address).then(copyNow, (error) => {
      // If the user closes the question, nothing is copied.
      if (!isError(error, 'USER_REJECTED'))
        showToast({ message: text('app.copyFailed'), variant: 'error' })
    })
  return (
    <button
      type="button"
      className="address"
      title={address}
      aria-label={`${text('portfolio.copy')} ${truncateAddress(address)}`}
      onClick={isOwn ? copyOwn : copyNow}
    >
      {truncateAddress(address)}
      <Glyph name="copy" size={16} />
    </button>
  )
}
