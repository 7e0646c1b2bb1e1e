import { useState } from 'react'
import { rememberRequest } from '../state.ts'
import { texts as own } from '../texts.ts'
import { errorMessage } from './errorMessage.ts'
import type { WalletConnect } from './openWalletConnect.ts'

/**
 * Carries out the user's decision on an app's request; an error is shown, and the user can try
 * again.
 */
export function useDecision(
  { changed }: WalletConnect,
  { app, method }: { app: string; method: string },
) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const decide = async (outcome: 'approved' | 'rejected', work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
      rememberRequest({ origin: own.unproven(app), method, outcome, atMs: Date.now() })
    } catch (error) {
      setProblem(errorMessage(error))
    }
    setBusy(false)
    changed()
  }
  return { busy, problem, setProblem, decide }
}
