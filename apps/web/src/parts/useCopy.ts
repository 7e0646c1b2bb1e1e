import { useToast } from '@latchkey/react'
import { text } from '../locales/text.ts'

/** Copies a string, and says in a toast that it has, or that it could not. */
export function useCopy() {
  const { showToast } = useToast()
  return (value: string, { copied }: { copied: string }) =>
    void navigator.clipboard.writeText(value).then(
      () => showToast({ message: copied, variant: 'success' }),
      () => showToast({ message: text('app.copyFailed'), variant: 'error' }),
    )
}
