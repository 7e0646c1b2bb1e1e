import { useToast } from '@latchkey/react'
import { text } from '../locales/text.ts'

/** Copies a string that may come later, and says in a toast that it has, or that it could not. */
export function useCopy() {
  const { showToast } = useToast()
  return async (value: string | Promise<string>, { copied }: { copied: string }) => {
    try {
      await navigator.clipboard.writeText(await value)
      showToast({ message: copied, variant: 'success' })
    } catch {
      showToast({ message: text('app.copyFailed'), variant: 'error' })
    }
  }
}
