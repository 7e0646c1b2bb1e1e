import { showToast } from '@latchkey/core/internal'
import { useEffect, useState } from 'react'
import { useT } from '../locales/useT.ts'
import { useApp } from './useApp.ts'

/** How long a copy button shows success. */
const SAID_MS = 2_000

/**
 * Copies a string; `copied` is true for a moment afterwards. A toast reports a refused clipboard.
 */
export function useCopy() {
  const app = useApp()
  const t = useT()
  const [copiedAt, setCopiedAt] = useState(0)
  useEffect(() => {
    if (copiedAt === 0) return
    const timer = setTimeout(() => setCopiedAt(0), SAID_MS)
    return () => clearTimeout(timer)
  }, [copiedAt])
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      setCopiedAt((count) => count + 1)
    } catch {
      showToast(app, { message: t('action.copyFailed'), variant: 'error' })
    }
  }
  return { copied: copiedAt > 0, copy }
}
