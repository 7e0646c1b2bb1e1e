import { Glyph } from '../parts/Glyph.tsx'
import { useCopy } from '../parts/useCopy.ts'

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
  const copy = useCopy()
  return (
    <button type="button" className="button" onClick={() => copy(value, { copied })}>
      <Glyph name="copy" />
      {label}
    </button>
  )
}
