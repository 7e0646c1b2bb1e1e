import { useToast } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'

/** A button that copies a string, and shows `copied` when it has. */
export function CopyButton({
  value,
  label,
  copied,
}: {
  value: string
  label: string
  copied: string
}) {
  const { showToast } = useToast()
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => showToast({ message: copied, variant: 'success' }),
      () => showToast({ message: text('pay.copyFailed'), variant: 'error' }),
    )
  return (
    <button type="button" className="button" onClick={copy}>
      <Glyph name="copy" />
      {label}
    </button>
  )
}
